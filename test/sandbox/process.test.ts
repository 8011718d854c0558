import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '../../dev/eventually.ts';
import { node24 } from '../../dev/node24.ts';
import { type Sandbox, type SandboxOptions, startSandbox } from '../../dev/sandbox.ts';
import { readOptions } from '../../sandbox/options.ts';
import { ContractClient } from './support/client';

const MAIN = join(__dirname, '..', '..', 'sandbox', 'main.ts');

let folder: string;
let started: Sandbox[] = [];

/** Starts a sandbox that ends with the test, whatever comes of it. */
async function start(options: SandboxOptions = {}): Promise<Sandbox> {
	const sandbox = await startSandbox({ control: true, ...options });
	started.push(sandbox);
	return sandbox;
}

afterEach(async () => {
	await Promise.all(started.map((sandbox) => sandbox.stop()));
	started = [];
});

beforeAll(() => {
	folder = mkdtempSync(join(tmpdir(), 'sandbox-'));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

function run(...args: string[]) {
	return spawnSync(node24(), [MAIN, ...args], { encoding: 'utf8', timeout: 30_000 });
}

describe('the command line', () => {
	test('refuses what makes no sense, names the option and prints all of them', () => {
		for (const args of [
			'--port many',
			'--bookings -1',
			'--time-zone Mars/Olympus',
			'--language no',
			'--nonsense',
		])
			expect(() => readOptions(args.split(' '))).toThrow(args.split(' ')[0]);
		const { status, stderr, stdout } = run('--nonsense');
		expect([status, stdout]).toEqual([1, '']);
		const names =
			'nonsense port live live-interval control data bookings customers seed language time-zone json exit-with-parent';
		for (const option of names.split(' ')) expect(stderr).toContain(`--${option}`);
	});
});

describe('--data', () => {
	test('keeps the state between runs, and ids go on from there', async () => {
		const file = join(folder, 'state.json');
		const first = await start({ data: file });
		const given = { booking: { guests: 13 } };
		const [made] = await first.control<Array<{ guid: string }>>('POST', '/bookings', given);
		await first.control('POST', '/customers', { name: 'Acme' });
		const before = await first.control<Record<string, number>>('GET', '/state');
		expect(await first.stop()).toEqual({ code: 0, signal: null });

		const second = await start({ data: file });
		expect(await second.control('GET', '/state')).toEqual(before);
		const client = new ContractClient(second.info);
		const canceled = await client.call('webBooking.cancel', { path: { id: made?.guid ?? '' }, body: {} });
		expect(canceled.body).toMatchObject({ guests: 13 });
		await second.control('POST', '/bookings', { count: 5 });
		const bookings = await second.control<Array<{ rootId: number }>>('GET', '/state/bookings');
		expect(bookings).toHaveLength((before.bookings ?? 0) + 5);
		expect(new Set(bookings.map(({ rootId }) => rootId)).size).toBe(bookings.length);
		expect(existsSync(`${file}.new`)).toBe(false);
	});
});

test('--language sv gives names, statuses, articles and messages in Swedish', async () => {
	const sandbox = await start({ language: 'sv', timeZone: 'Europe/Stockholm' });
	const { control } = sandbox;
	const [made] = await control<Array<{ guid: string; language: string }>>('POST', '/bookings', {});
	const canceled = await control<Record<string, Array<Record<string, unknown>>>>(
		'PATCH',
		`/bookings/${made?.guid}`,
		{ status: 5 },
	);
	const state = async (name: string) => JSON.stringify(await control('GET', `/state/${name}`));

	expect(made?.language).toBe('sv');
	expect(canceled['history']?.map(({ statusName }) => statusName)).toEqual(['Bokad', 'Avbokad']);
	expect(canceled['articles']?.[0]?.['name']).toMatch(/^Bord \d+$/);
	expect(await state('bookings')).toContain('allergisk mot nötter');
	expect(await state('articles')).toContain('Köttbullar');
});

test('--live lets bookings arrive, change and be canceled and surveys be answered', async () => {
	const sandbox = await start({ live: true, liveInterval: 10 });
	const state = <T>(name: string) => sandbox.control<T[]>('GET', `/state/${name}`);
	const all = async () => {
		const bookings = await state<{ web: { history: Array<{ statusName: string }> } }>('bookings');
		const recipients = await state<{ rev: number; status: number }>('recipients');
		const added = bookings.slice(40).map(({ web }) => web.history.map(({ statusName }) => statusName));
		return (
			added.length > 5 &&
			added.some((names) => names.includes('Confirmed')) &&
			added.some((names) => names.includes('Canceled')) &&
			recipients.some(({ rev, status }) => rev > 1 && status === 4)
		);
	};
	await eventually('all of it has happened', all, 10_000, 50);
	expect(sandbox.child.tail).toBe(JSON.stringify(sandbox.info));
});
