import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDueEvent } from '../../compat/goldenStates.ts';
import { keptReleases, unpack } from '../../compat/releases.ts';
import { buildPackage } from '../../harness/package.ts';
import { until } from '../support/progress';
import { PublishedTriggers } from '../support/publishedTrigger';

const MINUTE = 60_000;
const EVENTS = [
	'bookingCreated',
	'bookingUpdated',
	'bookingChanged',
	'bookingStatusChanged',
	'bookingStartsSoon',
	'bookingEnded',
	'customerCreated',
	'customerChanged',
	'surveyAnswered',
];
/** `npm run test:long -- upgrade` with a tarball in UPGRADE_FROM tries another one than the kept. */
const RELEASES = process.env.UPGRADE_FROM
	? [{ version: process.env.UPGRADE_FROM, tarball: process.env.UPGRADE_FROM, wayBack: false }]
	: keptReleases()
			.slice(-1)
			.map(({ version, tarball }) => ({ version, tarball, wayBack: true }));

let n8n: PublishedTriggers;

afterEach(async () => {
	await (n8n as PublishedTriggers | undefined)?.stop();
});

/** A mark of all compiled files of a package. */
function markOf(folder: string): string {
	const hash = createHash('sha256');
	for (const file of globSync('dist/**/*.js', { cwd: folder }).sort())
		hash.update(file).update(readFileSync(join(folder, file)));
	return hash.digest('hex');
}

/** What has happened, as `event name`, and has to come out once each. */
class Happenings {
	readonly expected: string[] = [];
	private readonly bookings: string[];
	private readonly recipients: string[];

	constructor(bookings: string[], recipients: string[]) {
		this.bookings = bookings;
		this.recipients = recipients;
	}

	static async of({ sandbox }: PublishedTriggers): Promise<Happenings> {
		const bookings = await sandbox.control<Array<{ web: { guid: string } }>>('GET', '/state/bookings');
		const recipients = await sandbox.control<Array<{ id: string; status: number }>>(
			'GET',
			'/state/recipients',
		);
		return new Happenings(
			bookings.map(({ web }) => web.guid),
			recipients.filter(({ status }) => status !== 4).map(({ id }) => id),
		);
	}

	/** One of each: a booking that starts soon, one that has ended, one that changes, a customer, an answer. */
	async all(): Promise<void> {
		const at = (minutes: number) => new Date(Date.now() + minutes * MINUTE).toISOString();
		const [soon = ''] = await n8n.book(1, { start: at(20), end: at(50) });
		const [ended = ''] = await n8n.book(1, { start: at(-120), end: at(-90) });
		for (const guid of [soon, ended]) this.note(guid, 'bookingCreated', 'bookingChanged');
		this.note(soon, 'bookingStartsSoon');
		this.note(ended, 'bookingEnded');
		const changed = this.bookings.shift() ?? '';
		await n8n.sandbox.control('PATCH', `/bookings/${changed}`, { status: 3, message: 'Later' });
		this.note(changed, 'bookingUpdated', 'bookingChanged', 'bookingStatusChanged');
		const { id } = await n8n.sandbox.control<{ id: number }>('POST', '/customers', {});
		this.note(String(id), 'customerCreated', 'customerChanged');
		const answered = this.recipients.shift() ?? '';
		await n8n.sandbox.control('PATCH', `/recipients/${answered}`, { status: 4 });
		this.note(answered, 'surveyAnswered');
	}

	private note(name: string, ...events: string[]): void {
		this.expected.push(...events.map((event) => `${event} ${name}`));
	}
}

/** `event name` of each delivery, those left out that fell due by themselves in the sandbox's own data. */
function delivered(expected: readonly string[]): string[] {
	const all = n8n.arrivals.map(({ guid, event }) => `${event.type} ${guid}`);
	return all.filter((name) => expected.includes(name) || !isDueEvent(name.split(' ')[0] ?? ''));
}

async function untilDelivered(expected: readonly string[]): Promise<void> {
	await until('everything is delivered', () => {
		const came = new Set(delivered(expected));
		return expected.every((name) => came.has(name));
	});
}

/** Until polls of every trigger hang, and what was emitted before is delivered. */
async function untilPollsHang(): Promise<void> {
	await n8n.sandbox.control('POST', '/faults', {
		path: '/api/booking/v1/',
		fault: { kind: 'delay', ms: 60_000 },
	});
	await n8n.sandbox.control('DELETE', '/requests');
	await until('a poll waits for a response', async () => {
		const requests = await n8n.sandbox.control<Array<{ status: number | null }>>('GET', '/requests');
		return requests.some(({ status }) => status === null);
	});
	await sleep(3000);
}

describe.each(RELEASES)(
	'published workflows in real n8n, the package of $version',
	({ tarball, wayBack }) => {
		it.each([
			['without durable cursors', false],
			['with durable cursors', true],
		])(
			'lose nothing and repeat nothing when n8n is killed and started with today’s, and back again, %s',
			async (_what, durable) => {
				const today = await buildPackage();
				n8n = await PublishedTriggers.start(durable, tarball);
				const released = markOf(n8n.installed);
				const happenings = await Happenings.of(n8n);
				const { expected } = happenings;
				for (const event of EVENTS) {
					const distance = isDueEvent(event) ? { distance: 60, distanceUnit: 'minutes' } : {};
					const isOfBookings = event.startsWith('booking');
					const fields = isOfBookings ? {} : { outputFields: ['id'] };
					await n8n.publish(await n8n.create({ event, ...distance, ...fields }));
				}
				await n8n.polls(6);
				await happenings.all();
				await untilDelivered(expected);

				await untilPollsHang();
				await happenings.all();
				await n8n.replacePackage(today, {
					kill: true,
					whileDown: async () => {
						await n8n.mend();
						await happenings.all();
					},
				});
				expect(markOf(n8n.installed)).toBe(markOf(unpack(today)));
				await happenings.all();
				await untilDelivered(expected);

				if (wayBack) {
					await happenings.all();
					await n8n.replacePackage(tarball, { whileDown: () => happenings.all() });
					expect(markOf(n8n.installed)).toBe(released);
					await happenings.all();
					await untilDelivered(expected);
				}

				await n8n.polls(12);
				await sleep(3000);
				expect(delivered(expected).sort()).toEqual([...expected].sort());
				expect([...n8n.rows.values()].filter((times) => times > 1)).toEqual([]);
			},
			600_000,
		);
	},
);
