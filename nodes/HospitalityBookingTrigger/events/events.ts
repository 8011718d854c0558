import map from 'lodash/map';

import type { Rule } from './rule';
import { type Kind, type Choice, bookings, customerRecords, recipients } from './recordKinds';
import { changed, updated } from './rules/changed';
import { created, createdById } from './rules/created';
import { paymentChanged, rescheduled } from './rules/differs';
import { due } from './rules/due';
import { statusChanged } from './rules/status';

/** An event that a workflow can start on. */
export interface EventRow {
	name: string;
	description: string;
	kind: Kind;
	rule: (choice: Choice) => Rule;
	/** Whether it has the option 'Add What Changed'. */
	canShowChanges?: true;
	/** Of an event that is one of two: what an item says it was. */
	parts?: { created: string; updated: string };
	/** Fields that say what has happened: an item has them whatever 'Output' says. */
	about?: readonly string[];
	/** The time before a start or after an end on the form. */
	distance?: { name: string; hours: number };
}

/**
 * All events: a row each, in the order of the list. A new event that waits for a status needs a role and a state as well: see
 * `ROLE_FIELDS` in `auth/credentialFields.ts`, and `BOOKING_STATES` in `booking/states.ts`.
 */
export const EVENTS = {
	bookingCanceled: {
		name: 'Booking Canceled',
		description:
			'Starts when a booking gets a status that the credential names under Canceled Statuses',
		kind: bookings,
		rule: (choice) => statusChanged(choice, 'canceled'),
		about: ['status'],
	},
	bookingCreated: {
		name: 'Booking Created',
		description: 'Starts once for each new booking',
		kind: bookings,
		rule: () => created,
	},
	bookingChanged: {
		name: 'Booking Created or Updated',
		description: 'Starts for each new booking and for each change of one',
		kind: bookings,
		rule: () => changed,
		canShowChanges: true,
		parts: { created: 'bookingCreated', updated: 'bookingUpdated' },
	},
	bookingEnded: {
		name: 'Booking Ended',
		description: 'Starts once for each booking, a chosen time after its end',
		kind: bookings,
		rule: (choice) => due('end', choice),
		about: ['end'],
		distance: { name: 'Time After End', hours: 2 },
	},
	bookingFinished: {
		name: 'Booking Finished',
		description:
			'Starts when a booking gets a status that the credential names under Finished Statuses',
		kind: bookings,
		rule: (choice) => statusChanged(choice, 'finished'),
		about: ['status'],
	},
	bookingNoShow: {
		name: 'Booking No-Show',
		description:
			'Starts when a booking gets a status that the credential names under No-Show Statuses',
		kind: bookings,
		rule: (choice) => statusChanged(choice, 'noShow'),
		about: ['status'],
	},
	bookingPaymentChanged: {
		name: 'Booking Payment Changed',
		description: 'Starts when something is authorized, paid or refunded for a booking',
		kind: bookings,
		rule: () => paymentChanged,
		about: ['chargeAuthorizedAmount', 'chargePayedAmount', 'chargeRefundedAmount'],
	},
	bookingRescheduled: {
		name: 'Booking Rescheduled',
		description:
			'Starts when the start or end of a booking changes, and includes the earlier times',
		kind: bookings,
		rule: rescheduled,
		about: ['start', 'end'],
	},
	bookingStartsSoon: {
		name: 'Booking Starting Soon',
		description: 'Starts once for each booking, a chosen time before its start',
		kind: bookings,
		rule: (choice) => due('start', choice),
		about: ['start'],
		distance: { name: 'Time Before Start', hours: 24 },
	},
	bookingStatusChanged: {
		name: 'Booking Status Changed',
		description: 'Starts when a booking gets another status, e.g. when it is canceled',
		kind: bookings,
		rule: (choice) => statusChanged(choice),
		about: ['status'],
	},
	bookingUpdated: {
		name: 'Booking Updated',
		description: 'Starts for each change of a booking, but not when it is created',
		kind: bookings,
		rule: () => updated,
		canShowChanges: true,
	},
	customerCreated: {
		name: 'Customer Created',
		description: 'Starts once for each new customer',
		kind: customerRecords,
		rule: () => createdById,
	},
	customerChanged: {
		name: 'Customer Created or Updated',
		description: 'Starts for each new customer and for each change of one',
		kind: customerRecords,
		rule: () => changed,
		parts: { created: 'customerCreated', updated: 'customerUpdated' },
	},
	surveyAnswered: {
		name: 'Survey Answered',
		description: 'Starts when a recipient has answered a survey',
		kind: recipients,
		rule: () => changed,
		about: ['respondedTime'],
	},
} satisfies Record<string, EventRow>;

export type TriggerEvent = keyof typeof EVENTS;

/** An event with its name. */
export type Event = EventRow & { value: TriggerEvent };

/** @returns the rows with their names, in the order of the list */
export function eventRows(): Event[] {
	const names = Object.keys(EVENTS) as TriggerEvent[];
	return names.map((value) => {
		return { ...EVENTS[value], value };
	});
}

/** @returns the names of the events that a condition is true for */
export function eventsWhere(isChosen: (row: EventRow) => unknown): TriggerEvent[] {
	return map(eventRows().filter(isChosen), 'value');
}
