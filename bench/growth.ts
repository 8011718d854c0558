import range from 'lodash/range.js';
import round from 'lodash/round.js';
import { isDueEvent } from '../test/unit/trigger/goldenStates.ts';
import type { BookingChange, DueEvent } from '../nodes/HospitalityBookingTrigger/feeds/bookings.ts';
import type { PollHost, PollSettings } from '../nodes/HospitalityBookingTrigger/poll/poll.ts';
import '../scripts/packageSources.ts';
import { growthOf, MOST_GROWTH, type Report } from './report.ts';

const { shapeRecord } = await import('../nodes/shared/booking/recordShape.ts');
const { webBookings } = await import('../nodes/shared/booking/records.ts');
const { matchesFilters } = await import('../nodes/shared/booking/bookingFilters.ts');
const { EVENTS } = await import('../nodes/HospitalityBookingTrigger/events.ts');
const { bookingFeed, dueFeed } = await import('../nodes/HospitalityBookingTrigger/feeds/bookings.ts');
const { poll } = await import('../nodes/HospitalityBookingTrigger/poll/poll.ts');
const { Outcomes } = await import('../nodes/shared/operation/outcomes.ts');
const { forgetAll } = await import('../nodes/shared/values/recentMap.ts');

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const NOW = Date.parse('2026-07-01T12:00:00Z');
const ZONE = 'Europe/Stockholm';
const POLLS = 3;
const FULL = 20_000;
const QUICK = 200;
const NODE = {
	id: '',
	name: '',
	type: '',
	typeVersion: 1,
	position: [0, 0] as [number, number],
	parameters: {},
};
const statusRoles = { canceled: new Set(['2']), noShow: new Set(['3']) };
const isoOf = (ms: number) => new Date(ms).toISOString().slice(0, 19);

/** Bookings in the order of their times, of which there are as many as quarters of an hour. @param days around now */
function bookingsOf(count: number, days: number, changed = NOW - DAY) {
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
async function polled(feed: PollSettings['feed'], count: number, days: number): Promise<void> {
	let own: unknown;
	const settings: PollSettings = {
		...{ feed, node: 'Trigger', watching: 'all', account: 'https://booking.example', zone: ZONE },
		...{ overlapMs: 2 * MINUTE, maxAgeMs: DAY, maxItems: FULL, startAt: null },
		...{ skipsMissed: false, reEmit: false },
	};
	for (const index of range(POLLS)) {
		const now = NOW + index * MINUTE;
		const bookings = bookingsOf(count, days, index === 0 ? NOW - DAY : now - MINUTE / 2);
		const host: PollHost<unknown> = {
			...{ id: 'growth', mode: 'timer', wasPublished: false, budgetMs: HOUR },
			load: () => ({ own, published: undefined }),
			save: (state) => (own = structuredClone(state)),
			fetch: async (_, { startTime = '', endTime = '~' }) =>
				await Promise.resolve(bookings.filter(({ start }) => start >= startTime && start < endTime)),
			present: (records) => records,
			...{ report: () => undefined, warn: () => undefined, now: () => now },
		};
		await poll(host, settings);
	}
}

function feedOf(event: BookingChange | DueEvent, whatChanged = false): PollSettings['feed'] {
	const choice = { filters: { unitParameter: 'unitIds', statusRoles }, include: ['includeContact'] };
	return isDue(event) ? dueFeed(event, HOUR, choice) : bookingFeed(event, { ...choice, whatChanged });
}

const isDue = (event: BookingChange | DueEvent): event is DueEvent => isDueEvent(event);
const isOfBookings = (event: string): event is BookingChange | DueEvent => event.startsWith('booking');
const bookingEvents = EVENTS.map(({ value }) => value).filter(isOfBookings);

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
			async (count: number) => await polled(feedOf(event), count, isDue(event) ? 1 : 380),
		]),
	),
	'polls, Add What Changed': async (count) => await polled(feedOf('bookingUpdated', true), count, 380),
};

function outcomesOf(count: number, itemOf: (index: number) => number): unknown[] {
	const outcomes = new Outcomes({ continueOnFail: () => true, getNode: () => NODE }, count);
	for (const index of range(count)) outcomes.add({ itemIndex: itemOf(index), records: [{ index }] });
	return outcomes.result();
}

/** What walks through lists, by a process that remembers nothing yet. */
export async function benchGrowth(report: Report, quick: boolean): Promise<void> {
	for (const [name, work] of Object.entries(WORK)) {
		const { half, whole, ratio } = await growthOf(quick ? QUICK : FULL, (count) => async () => {
			forgetAll();
			await work(count);
		});
		report.add(`Growth, ${name}: ratio`, ratio, MOST_GROWTH, `${round(half)} and ${round(whole)} ms`);
	}
}
