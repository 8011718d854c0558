// npm run bench:sandbox -- [bookings]: starts a sandbox with that many web bookings (default 100,000), lists them
// all with all related data, and prints what it took.
import { readFileSync } from 'node:fs';
import { startSandbox } from '../harness/sandbox.ts';
import type { SandboxInfo } from '../sandbox/info.ts';
import { fetchToken } from '../sandbox/plainClient.ts';

const INCLUDES = [
	'Contact',
	'InternalContact',
	'TableArticles',
	'NonTableArticles',
	'PayMethod',
	'Customer',
	'Markings',
];
const count = Number(process.argv[2] ?? 100_000);

async function timed<T>(what: string, run: () => Promise<T>): Promise<T> {
	const began = performance.now();
	const result = await run();
	process.stdout.write(
		`${what.padEnd(44)}${((performance.now() - began) / 1000).toFixed(2).padStart(8)} s\n`,
	);
	return result;
}

/** Megabytes from a line of /proc/<pid>/status; undefined where the system has none. */
function memory(pid: number, line: 'VmRSS' | 'VmHWM'): string {
	try {
		const kilobytes = new RegExp(`^${line}:\\s+(\\d+)`, 'm').exec(
			readFileSync(`/proc/${pid}/status`, 'utf8'),
		)?.[1];
		return `${Math.round(Number(kilobytes) / 1024)} MB`;
	} catch {
		return 'not shown by this system';
	}
}

/** Lists web bookings without keeping them. Returns how many bytes came. */
async function list(
	{ baseUrl, system }: SandboxInfo,
	bearer: string,
	query: Record<string, string>,
): Promise<number> {
	const url = `${baseUrl}/api/booking/v1/WebBooking/WebBookings?${new URLSearchParams(query)}`;
	const response = await fetch(url, { headers: { authorization: `Bearer ${bearer}`, system } });
	if (!response.ok || !response.body) throw new Error(`${response.status} ${await response.text()}`);
	let bytes = 0;
	for await (const chunk of response.body) bytes += (chunk as Uint8Array).byteLength;
	return bytes;
}

const sandbox = await timed(
	`ready with ${count.toLocaleString('en')} web bookings`,
	async () => await startSandbox({ bookings: count }),
);
try {
	const { info, child } = sandbox;
	const pid = child.pid ?? 0;
	const bearer = await fetchToken(info);
	const includes = Object.fromEntries(INCLUDES.map((name) => [`include${name}`, 'true']));
	const everything = { changedFrom: '2000-01-01T00:00:00Z', ...includes };
	const bytes = await timed('list all of them with all related data', () => list(info, bearer, everything));
	const hour = new Date(Date.now() - 3_600_000).toISOString();
	await timed('list those changed within the last hour', () => list(info, bearer, { changedFrom: hour }));
	process.stdout.write(`size of the whole list                      ${Math.round(bytes / 1e6)} MB\n`);
	process.stdout.write(
		`memory now, and at most                     ${memory(pid, 'VmRSS')}, ${memory(pid, 'VmHWM')}\n`,
	);
} finally {
	await sandbox.stop();
}
