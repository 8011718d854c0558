import { readFileSync } from 'node:fs';

import {
	eventRows,
	type TriggerEvent,
} from '../../../nodes/HospitalityBookingTrigger/events/events';
import { at, booking, customer, feedOf, made, namesOf, published } from './support';

/** What happens after a trigger was published, and what comes out of it. */
interface History {
	/** What the service lists as changed, and of a period, when the trigger is published. */
	records?: object[];
	booked?: object[];
	/** What each later list shows, ten minutes apart. */
	pages: object[][];
	/** The names of what each of these polls emits. */
	emitted: string[];
}

const KNOWN = booking('known', -600);
const OTHER = booking('other', -5);
const recipient = (id: string, minutes: number) => ({
	id,
	status: 4,
	respondedTime: at(minutes),
});

/** A booking gets a status and loses it; another one is only edited. */
function statusHistory(status: number): History {
	return {
		records: [OTHER],
		booked: [KNOWN],
		pages: [
			[booking('known', 1, { guests: 9 }), booking('other', 1)],
			[booking('known', 11, { status })],
			[booking('known', 11, { status })],
			[booking('known', 31)],
		],
		emitted: ['', 'known', '', ''],
	};
}

/** One history of each event: what is it, what is close to it, and that it comes once. */
const HISTORIES: Partial<Record<TriggerEvent, History>> = {
	bookingCanceled: statusHistory(2),
	bookingCreated: {
		records: [KNOWN],
		pages: [[booking('known', 1), made('new', 2)], [made('new', 2)]],
		emitted: ['new', ''],
	},
	bookingChanged: {
		records: [KNOWN],
		pages: [[booking('known', 1), made('new', 2)], [made('new', 2)]],
		emitted: ['known new', ''],
	},
	bookingEnded: {
		records: [OTHER],
		booked: [
			booking('ended', -600, { start: at(-120), end: at(-55) }),
			booking('ends later', -600, { start: at(-120), end: at(0) }),
		],
		pages: [[], []],
		emitted: ['ended', ''],
	},
	bookingFinished: statusHistory(9),
	bookingNoShow: statusHistory(8),
	bookingPaymentChanged: {
		records: [OTHER],
		booked: [KNOWN],
		pages: [
			[booking('known', 1, { guests: 9 })],
			[booking('known', 11, { chargePayedAmount: 80 })],
			[booking('known', 11, { chargePayedAmount: 80 })],
		],
		emitted: ['', 'known', ''],
	},
	bookingRescheduled: {
		records: [OTHER],
		booked: [KNOWN],
		pages: [
			[booking('known', 1, { guests: 9 })],
			[booking('known', 11, { end: '2026-08-01T21:00:00' })],
			[booking('known', 11, { end: '2026-08-01T21:00:00' })],
		],
		emitted: ['', 'known', ''],
	},
	bookingStartsSoon: {
		records: [OTHER],
		booked: [
			booking('soon', -600, { start: at(65), end: at(125) }),
			booking('later', -600, { start: at(200), end: at(260) }),
			booking('canceled', -600, { start: at(65), end: at(125), status: 2 }),
		],
		pages: [[], []],
		emitted: ['soon', ''],
	},
	bookingStatusChanged: {
		records: [OTHER],
		booked: [KNOWN],
		pages: [
			[booking('known', 1, { guests: 9 })],
			[booking('known', 11, { status: 3 })],
			[booking('known', 11, { status: 3 })],
		],
		emitted: ['', 'known', ''],
	},
	bookingUpdated: {
		records: [KNOWN],
		pages: [[booking('known', 1), made('new', 2)], [booking('known', 1)]],
		emitted: ['known', ''],
	},
	customerCreated: {
		records: [customer(1, -600)],
		pages: [[customer(1, 1), customer(2, 2)], [customer(2, 2)]],
		emitted: ['2', ''],
	},
	customerChanged: {
		records: [customer(1, -600)],
		pages: [[customer(1, 1), customer(2, 2)], [customer(2, 2)]],
		emitted: ['1 2', ''],
	},
	surveyAnswered: {
		records: [recipient('first', -600)],
		pages: [
			[recipient('first', -600), { id: 'asked', status: 1 }],
			[recipient('first', -600), recipient('asked', 11)],
			[recipient('first', -600), recipient('asked', 11)],
		],
		emitted: ['', 'asked', ''],
	},
};

it.each(eventRows())(
	'$name is emitted once when it happens, and for nothing else',
	async ({ value }) => {
		const history = HISTORIES[value];
		if (!history) throw new Error(`Write a history of ${value} in ${__filename}`);
		const { records = [], booked = [], pages, emitted } = history;
		const trigger = await published(feedOf(value), { records, booked });

		const out = await trigger.pages(pages);

		expect(namesOf(out)).toEqual(emitted);
	},
);

it.each(['README.md', 'docs/trigger.md'])('%s names every event', (page) => {
	const text = readFileSync(page, 'utf8');

	const missing = eventRows().filter(({ name }) => !text.includes(name));

	expect(missing).toEqual([]);
});
