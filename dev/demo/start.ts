import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { Child, stopAll } from '../children.ts';
import { HELP, readArguments } from './options.ts';
import { installHarness } from '../install.ts';
import { projectRoot } from '../paths.ts';
import { BOOKINGS_TABLE, CUSTOMERS_TABLE, smoke, type SmokeReport } from './smoke.ts';
import { OWNER, startDemo, type Demo } from './stack.ts';
import { TABLES_PAGE } from './table.ts';

const began = performance.now();
/** Something happens in the sandbox this often where nobody is watching. */
const SMOKE_LIVE_INTERVAL_MS = 5_000;
/** Slow enough to find what one has made oneself. */
const LIVE_INTERVAL_MS = 60_000;
let ending = false;

function say(text: string): void {
	console.log(text);
}

function progress(step: string): void {
	const seconds = ((performance.now() - began) / 1000).toFixed(0).padStart(3);
	say(`[${seconds} s] ${step} …`);
}

function box(lines: string[]): string {
	const width = Math.max(...lines.map((line) => line.length));
	const edge = '─'.repeat(width + 2);
	return [`┌${edge}┐`, ...lines.map((line) => `│ ${line.padEnd(width)} │`), `└${edge}┘`].join('\n');
}

/** Stops all that was started and ends with the given exit code; later calls do nothing. */
async function end(code: number): Promise<void> {
	if (ending) return;
	ending = true;
	await stopAll();
	process.exit(code);
}

function watch(demo: Demo): void {
	for (const child of [demo.sandbox.child, demo.inbox.child, demo.n8n.child]) {
		void child.exited.then(async (exit) => {
			if (!child.failed || ending) return;
			console.error(`\n${child.describeExit(exit)}\n\nThe demo stops, as it needs all of its parts.`);
			await end(1);
		});
	}
}

function welcome(demo: Demo, folder: string): string {
	const shown = (file: string) => relative(process.cwd(), file);
	return box([
		`The demo is running. Begin here: ${demo.sandbox.info.url}`,
		'',
		`Sandbox   ${demo.sandbox.info.url}   let something happen, with links to the rest`,
		`Inbox     ${demo.inbox.url}   what becomes an email`,
		`Tables    ${demo.n8n.url}${TABLES_PAGE}   what becomes a row`,
		`n8n       ${demo.n8n.url}   the workflows that do it`,
		`  sign in ${OWNER.email}  /  ${OWNER.password}`,
		`CSV file  ${shown(demo.bookingSheet)}`,
		`Logs      ${shown(join(folder, 'logs'))}`,
		'',
		'Bookings arrive by themselves; each is an email and a row within ten seconds.',
		"Ctrl-C stops everything. n8n's data is kept for the next run; --fresh starts over.",
	]);
}

function describe(report: SmokeReport): string {
	const indent = (text: string) => text.trimEnd().replaceAll(/^/gm, '    ');
	const row = (columns: object) =>
		Object.entries(columns)
			.map(([column, value]) => `${column}: ${String(value)}`)
			.join('\n');
	return [
		`Seen ${report.seconds.toFixed(1)} s after n8n was up:`,
		...report.bookings.flatMap((seen) => [
			`  Mail to ${seen.mail.to.map((to) => to.address).join(', ')}: ${seen.mail.subject}`,
			indent(seen.mail.text),
			`  Row in the table ${BOOKINGS_TABLE}`,
			indent(row(seen.row)),
			'  Line in bookings.csv',
			indent(row(seen.line)),
		]),
		`  Row in the table ${CUSTOMERS_TABLE}`,
		indent(row(report.customerRow)),
	].join('\n');
}

async function main(): Promise<number | undefined> {
	const args = readArguments(process.argv.slice(2));
	if (args.help) {
		say(HELP);
		return 0;
	}
	await installHarness();
	const folder = args.smoke
		? mkdtempSync(join(tmpdir(), 'hospitality-booking-smoke-'))
		: join(projectRoot(), '.cache', args.n8nVersion ? `demo-${args.n8nVersion}` : 'demo');
	const demo = await startDemo({
		folder,
		n8nVersion: args.n8nVersion,
		fresh: args.fresh,
		ports: args.smoke ? {} : args.ports,
		control: args.smoke,
		liveInterval: args.smoke ? SMOKE_LIVE_INTERVAL_MS : LIVE_INTERVAL_MS,
		progress,
	});
	watch(demo);
	if (!args.smoke) {
		say(`\n${welcome(demo, folder)}\n`);
		return undefined;
	}
	progress('Waiting for two bookings to become emails, rows and lines, and a customer to become a row');
	const report = await smoke(demo);
	say(describe(report));
	for (const line of report.wrong) console.error(`WRONG  ${line}`);
	say(
		report.wrong.length === 0 ? 'The mails and the rows are right.' : 'The mails and the rows are not right.',
	);
	if (report.wrong.length > 0) {
		console.error(`Kept for a look: ${folder}`);
		return 1;
	}
	await stopAll();
	rmSync(folder, { recursive: true, force: true });
	return 0;
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
	process.on(signal, () => {
		if (!ending) say(`\nStopping ${Child.all().length} processes …`);
		void end(0);
	});
}

try {
	const code = await main();
	if (code !== undefined) await end(code);
} catch (error) {
	if (!ending) console.error(`\n${error instanceof Error ? error.message : String(error)}`);
	await end(1);
}
