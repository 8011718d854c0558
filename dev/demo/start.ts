import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { Child, stopAll } from '../children.ts';
import { LANGUAGES, type Language } from '../../sandbox/seed/words.ts';
import { readCommandLine } from '../commandLine.ts';
import { projectRoot } from '../paths.ts';
import { BOOKINGS_TABLE, smoke } from './smoke.ts';
import { type Demo, OWNER, startDemo } from './stack.ts';
import { TABLES_PAGE } from './table.ts';

const USAGE = `npm run demo -- [options]

  --smoke              run unattended on free ports: wait for the mail and the row of a new booking, check them,
                       print them, exit 0 or 1
  --language LANGUAGE  of guests, statuses, mails and the first page: en, sv or de (en)
  --fresh              forget what earlier runs left: n8n's data and mails
  --n8n VERSION        run this version of n8n instead, e.g. 1.123.81; installed on first use
  --help               this text`;

const began = performance.now();
/** Something happens in the sandbox this often: slow enough to find what one has made oneself. */
const LIVE_INTERVAL_MS = 60_000;
let ending = false;

function say(line: string): void {
	const seconds = ((performance.now() - began) / 1000).toFixed(0).padStart(3);
	console.log(`[${seconds} s] ${line}`);
}

function progress(step: string): void {
	say(`${step} …`);
}

/** Says where the page is, in lines that a terminal of 80 columns shows whole. */
function invite(url: string): void {
	say(`Open ${url} and press "Make a booking".`);
	say('It becomes an email when n8n is up, in four minutes at most.');
}

/** Stops all that was started and ends with the given exit code, after a last line; later calls do nothing. */
async function end(code: number, line = ''): Promise<void> {
	if (ending) return;
	ending = true;
	await stopAll();
	const exit = () => process.exit(code);
	// Nobody may read it any more.
	process.stdout.once('error', exit);
	// A pipe may take it later.
	process.stdout.write(line, exit);
}

function watch(demo: Demo): void {
	for (const child of [demo.sandbox.child, demo.inbox.child, demo.n8n.child]) {
		void child.exited.then(async (exit) => {
			if (!child.failed || ending) return;
			console.error(
				`\n${child.describeExit(exit)}\n\nThe demo stops, as it needs all of its parts.`,
			);
			await end(1);
		});
	}
}

/** In lines that a terminal of 80 columns shows whole. */
function welcome({ sandbox, inbox, n8n }: Demo, folder: string): string {
	return `The demo is running. Begin here: ${sandbox.info.url}

  ${sandbox.info.url}   let something happen, with links to the rest
  ${inbox.url}   what becomes an email
  ${n8n.url}${TABLES_PAGE}   what becomes a row
  ${n8n.url}   the workflows that do it
    sign in: ${OWNER.email} and ${OWNER.password}

A booking is an email and a row within ten seconds. Some arrive by themselves.
Logs are in ${relative(process.cwd(), join(folder, 'logs'))}.
n8n's data is kept for the next run; with --fresh the demo starts over.
Ctrl-C stops everything.`;
}

function isLanguage(text: string): text is Language {
	return LANGUAGES.some((language) => language === text);
}

async function main(): Promise<number | undefined> {
	const { values } = readCommandLine(USAGE, {
		smoke: { type: 'boolean', default: false },
		language: { type: 'string', default: 'en' },
		fresh: { type: 'boolean', default: false },
		n8n: { type: 'string' },
	});
	const { language, n8n: n8nVersion, smoke: isSmoke } = values;
	if (!isLanguage(language)) {
		throw new Error(`--language takes ${LANGUAGES.join(', ')}, not "${language}".`);
	}
	if (n8nVersion !== undefined && !/^\d+\.\d+\.\d+$/.test(n8nVersion)) {
		throw new Error(`--n8n takes a version of n8n such as 2.41.1, not "${n8nVersion}".`);
	}
	const name = [
		'demo',
		...(language === 'en' ? [] : [language]),
		...(n8nVersion ? [n8nVersion] : []),
	];
	const folder = isSmoke
		? mkdtempSync(join(tmpdir(), 'hospitality-booking-smoke-'))
		: join(projectRoot(), '.cache', name.join('-'));
	const demo = await startDemo({
		folder,
		n8nVersion,
		language,
		fresh: values.fresh,
		forTests: isSmoke,
		progress,
		opened: invite,
		liveInterval: LIVE_INTERVAL_MS,
	});
	watch(demo);
	if (!isSmoke) {
		console.log(`\n${welcome(demo, folder)}\n`);
		return undefined;
	}
	progress('Waiting for a booking to become an email and a row');
	const { mail, row, arrivals, canceled, seconds, wrong } = await smoke(demo);
	console.log(`Mail to ${mail.to.map(({ address }) => address).join(', ')}: ${mail.subject}`);
	console.log(`Row in the table ${BOOKINGS_TABLE}:`, row);
	console.log(`Today's arrivals: ${arrivals}\nCanceled: ${canceled}`);
	console.log(
		`${seconds.first.toFixed(1)} s after n8n was up; another mail ${seconds.pressed.toFixed(1)} s after its booking`,
	);
	for (const line of wrong) console.error(`WRONG  ${line}`);
	console.log(
		wrong.length === 0 ? 'The mail and the row are right.' : `Kept for a look: ${folder}`,
	);
	await stopAll();
	if (wrong.length === 0) rmSync(folder, { recursive: true, force: true });
	return wrong.length === 0 ? 0 : 1;
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
	process.on(signal, () => {
		if (!ending) console.log(`\nStopping ${Child.all().length} processes …`);
		void end(0, 'Stopped.\n');
	});
}

try {
	const code = await main();
	if (code !== undefined) await end(code);
} catch (error) {
	if (!ending) console.error(`\n${error instanceof Error ? error.message : String(error)}`);
	await end(1);
}
