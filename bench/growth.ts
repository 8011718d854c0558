import range from 'lodash/range.js';
import round from 'lodash/round.js';
import { isDueEvent } from '../compat/goldenStates.ts';
import { loadSource } from '../scripts/nodeSources.ts';
import { MOST_RATIO, ratioOf, timesOf, verdict } from './report.ts';

type Booking = Readonly<Record<string, unknown> & { start: string }>;
type Query = Readonly<Record<string, string>>;
type Feed = object;
interface Outcomes {
	add(outcome: { itemIndex: number; records: object[] }): void;
	result(): unknown[];
}

const { shapeRecord } = loadSource<{
	shapeRecord(record: unknown, shape: object, mode: string, fields: string[], context: object): object;
}>('shared/booking/recordShape.ts');
const { webBookings } = loadSource<{ webBookings: object }>('shared/booking/records.ts');
const { matchesFilters } = loadSource<{ matchesFilters(booking: Booking, filters: object): boolean }>(
	'shared/booking/bookingFilters.ts',
);
const { EVENTS } = loadSource<{ EVENTS: ReadonlyArray<{ value: string }> }>(
	'HospitalityBookingTrigger/events.ts',
);
const { bookingFeed, dueFeed } = loadSource<{
	bookingFeed(event: string, choice: object): Feed;
	dueFeed(event: string, ms: number, choice: object): Feed;
}>('HospitalityBookingTrigger/feeds/bookings.ts');
const { poll } = loadSource<{ poll(host: object, settings: object): Promise<unknown[] | null> }>(
	'HospitalityBookingTrigger/poll/poll.ts',
);
const { Outcomes } = loadSource<{ Outcomes: new (context: object, count: number) => Outcomes }>(
	'shared/operation/outcomes.ts',
);
const { forgetAll } = loadSource<{ forgetAll(): void }>('shared/values/recentMap.ts');

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const NOW = Date.parse('2026-07-01T12:00:00Z');
const ZONE = 'Europe/Stockholm';
const POLLS = 3;
const FULL = 20_000;
const QUICK = 200;
const statusRoles = { canceled: new Set(['2']), noShow: new Set(['3']) };
const isoOf = (ms: number) => new Date(ms).toISOString().slice(0, 19);

/** Bookings in the order of their times, of which there are as many as quarters of an hour. @param days around now */
function bookingsOf(count: number, days: number, changed = NOW - DAY): Booking[] {
	const quarter = 15 * MINUTE;
	const [from, length] = [NOW - days * DAY, 2 * days * DAY];
	return range(count).map((index) => {
		const start = from + quarter * Math.floor((length * index) / count / quarter);
		return {
			...{ guid: `guid-${index}`, globalBookingNumber: `B${index}`, guests: 2, status: index % 4 },
			...{ createdDate: isoOf(changed - HOUR), changeDate: isoOf(changed + index) },
			...{ start: isoOf(start), end: isoOf(start + 2 * HOUR), chargePayedAmount: index },
			history: [{ status: 1, date: isoOf(changed) }],
			contact: {
				fname: 'Anna',
				lname: `Berg ${index}`,
				email: `${index}@example.com`,
				mobile: `+4670${index}`,
			},
		};
	});
}

/** A publication and some polls, of which each finds all bookings of the days changed. */
async function polled(feed: Feed, count: number, days: number): Promise<void> {
	let own: unknown;
	const settings = {
		...{ feed, node: 'Trigger', watching: 'all', account: 'https://booking.example', zone: ZONE },
		...{ overlapMs: 2 * MINUTE, maxAgeMs: DAY, maxItems: FULL, startAt: null },
		...{ skipsMissed: false, reEmit: false },
	};
	for (const index of range(POLLS)) {
		const now = NOW + index * MINUTE;
		const bookings = bookingsOf(count, days, index === 0 ? NOW - DAY : now - MINUTE / 2);
		const host = {
			...{ id: 'growth', mode: 'timer', wasPublished: false, budgetMs: HOUR },
			load: () => ({ own, published: undefined }),
			save: (state: unknown) => (own = structuredClone(state)),
			fetch: async (_path: string, { startTime = '', endTime = '~' }: Query) =>
				await Promise.resolve(bookings.filter(({ start }) => start >= startTime && start < endTime)),
			present: (records: unknown[]) => records,
			...{ report: () => undefined, warn: () => undefined, now: () => now },
		};
		await poll(host, settings);
	}
}

const choice = (whatChanged: boolean) => ({
	...{ filters: { unitParameter: 'unitIds' }, include: ['includeContact'], whatChanged, statusRoles },
});

function feedOf(event: string, whatChanged = false): Feed {
	return isDueEvent(event) ? dueFeed(event, HOUR, choice(false)) : bookingFeed(event, choice(whatChanged));
}

const bookingEvents = EVENTS.map(({ value }) => value).filter((event) => event.startsWith('booking'));

/** What walks through as many bookings, items or parts of an item. */
const WORK: Record<string, (count: number) => unknown> = {
	'a list, simplified': (count) =>
		bookingsOf(count, 380).map((booking) =>
			shapeRecord(booking, webBookings, 'simplified', [], { timeZone: ZONE, statusRoles }),
		),
	'a list, filtered': (count) =>
		bookingsOf(count, 380).filter((booking) => matchesFilters(booking, { search: 'berg 5', statuses: [1] })),
	'outcomes of many items': (count) => outcomesOf(count, (index) => index),
	'outcomes of one item': (count) => outcomesOf(count, () => 0),
	...Object.fromEntries(
		bookingEvents.map((event) => [
			`polls, ${event}`,
			async (count: number) => await polled(feedOf(event), count, isDueEvent(event) ? 1 : 380),
		]),
	),
	'polls, Add What Changed': async (count) => await polled(feedOf('bookingUpdated', true), count, 380),
};

function outcomesOf(count: number, itemOf: (index: number) => number): unknown[] {
	const outcomes = new Outcomes({ continueOnFail: () => true, getNode: () => ({}) }, count);
	for (const index of range(count)) outcomes.add({ itemIndex: itemOf(index), records: [{ index }] });
	return outcomes.result();
}

/**
 * What walks through lists, for so many records and twice as many, by a process that remembers nothing yet.
 *
 * @returns a line for each
 */
export async function benchGrowth(say: (text: string) => void, quick: boolean): Promise<string[]> {
	const count = quick ? QUICK : FULL;
	const results: string[] = [];
	for (const [name, work] of Object.entries(WORK)) {
		const runs = [count / 2, count].map((size) => async () => {
			forgetAll();
			await work(size);
		});
		const times = await timesOf(runs);
		const ratio = ratioOf(times);
		say(`${name}: ${times.map((ms) => round(ms)).join(' and ')} ms`);
		results.push(
			`Growth, ${name}: ratio ${ratio.toFixed(2)}, at most ${MOST_RATIO}: ${verdict(ratio <= MOST_RATIO)}`,
		);
	}
	return results;
}
