import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDueEvent } from '../../compat/goldenStates.ts';
import { keptReleases, unpack } from '../../compat/releases.ts';
import { buildPackage } from '../../harness/package.ts';
import { DURABLE_CURSORS, OwnN8n } from '../support/ownN8n';
import { until } from '../support/progress';
import { type Booking, PublishedTriggers } from '../support/publishedTrigger';

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

let site: PublishedTriggers<OwnN8n>;

afterEach(async () => await (site as typeof site | undefined)?.stop());

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

	private constructor(
		private readonly bookings: string[],
		private readonly recipients: string[],
	) {}

	static async begin(): Promise<Happenings> {
		const { control } = site.sandbox;
		const bookings = await control<Array<{ web: Booking }>>('GET', '/state/bookings');
		const recipients = await control<Array<{ id: string; status: number }>>('GET', '/state/recipients');
		return new Happenings(
			bookings.map(({ web }) => web.guid),
			recipients.filter(({ status }) => status !== 4).map(({ id }) => id),
		);
	}

	/** One of each: a booking that starts soon, one that has ended, one that changes, a customer, an answer. */
	async all(): Promise<void> {
		const { control } = site.sandbox;
		const at = (minutes: number) => new Date(Date.now() + minutes * MINUTE).toISOString();
		for (const { guid } of await site.book(1, { start: at(20), end: at(50) }))
			this.note(guid, 'bookingCreated', 'bookingChanged', 'bookingStartsSoon');
		for (const { guid } of await site.book(1, { start: at(-120), end: at(-90) }))
			this.note(guid, 'bookingCreated', 'bookingChanged', 'bookingEnded');
		const changed = this.bookings.shift() ?? '';
		await control('PATCH', `/bookings/${changed}`, { status: 3, message: 'Later' });
		this.note(changed, 'bookingUpdated', 'bookingChanged', 'bookingStatusChanged');
		const { id } = await control<{ id: number }>('POST', '/customers', {});
		this.note(String(id), 'customerCreated', 'customerChanged');
		const answered = this.recipients.shift() ?? '';
		await control('PATCH', `/recipients/${answered}`, { status: 4 });
		this.note(answered, 'surveyAnswered');
	}

	private note(name: string, ...events: string[]): void {
		this.expected.push(...events.map((event) => `${event} ${name}`));
	}
}

/** `event name` of each delivery, those left out that fell due by themselves in the sandbox's own data. */
function delivered(expected: readonly string[]): string[] {
	const all = site.arrivals.map(({ guid, event }) => `${event.type} ${guid}`);
	return all.filter((name) => expected.includes(name) || !isDueEvent(name.split(' ')[0] ?? ''));
}

async function untilDelivered(expected: readonly string[]): Promise<void> {
	await until('everything is delivered', () => {
		const came = new Set(delivered(expected));
		return expected.every((name) => came.has(name));
	});
}

describe.each(RELEASES)(
	'published workflows in real n8n, the package of $version',
	({ tarball, wayBack }) => {
		it.each([
			['without durable cursors', {}],
			['with durable cursors', DURABLE_CURSORS],
		])(
			'lose nothing and repeat nothing when n8n is killed and started with today’s, and back again, %s',
			async (_what, env) => {
				const today = await buildPackage();
				site = await PublishedTriggers.start(OwnN8n.start({ env, tarball }));
				const { n8n } = site;
				const released = markOf(n8n.installed);
				const happenings = await Happenings.begin();
				const { expected } = happenings;
				for (const event of EVENTS) {
					const distance = isDueEvent(event) ? { distance: 60, distanceUnit: 'minutes' } : {};
					const fields = event.startsWith('booking') ? {} : { outputFields: ['id'] };
					await site.publish({ event, ...distance, ...fields });
				}
				await site.polls(6);
				await happenings.all();
				await untilDelivered(expected);

				// Polls of every trigger hang, and what was emitted before is delivered.
				await site.untilPollHangs(60_000, { path: '/api/booking/v1/' });
				await sleep(3000);
				await happenings.all();
				await n8n.restart({
					kill: true,
					tarball: today,
					whileDown: async () => {
						await site.mend();
						await happenings.all();
					},
				});
				expect(markOf(n8n.installed)).toBe(markOf(unpack(today)));
				await happenings.all();
				await untilDelivered(expected);

				if (wayBack) {
					await happenings.all();
					await n8n.restart({ tarball, whileDown: () => happenings.all() });
					expect(markOf(n8n.installed)).toBe(released);
					await happenings.all();
					await untilDelivered(expected);
				}

				await site.polls(12);
				await sleep(3000);
				expect(delivered(expected).sort()).toEqual([...expected].sort());
				expect(Object.values(site.rows).filter((times) => times > 1)).toEqual([]);
			},
			600_000,
		);
	},
);
