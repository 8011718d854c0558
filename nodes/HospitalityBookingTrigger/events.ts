import { customers, surveyRecipients, webBookings } from '../shared/booking/records';
import type { OutputShape } from '../shared/booking/recordShape';

/** The events a workflow can start on, in the order of the list. */
export const EVENTS = [
	...eventsOf('Poll web bookings', webBookings, [
		[
			'bookingCanceled',
			'Booking Canceled',
			'Starts when a web booking gets a status that the credential names under Canceled Statuses',
		],
		['bookingCreated', 'Booking Created', 'Starts once for each new web booking'],
		[
			'bookingChanged',
			'Booking Created or Updated',
			'Starts for each new web booking and for each change of one',
		],
		['bookingEnded', 'Booking Ended', 'Starts once for each web booking, a chosen time after its end'],
		[
			'bookingNoShow',
			'Booking No-Show',
			'Starts when a web booking gets a status that the credential names under No-Show Statuses',
		],
		[
			'bookingPaymentChanged',
			'Booking Payment Changed',
			'Starts when something is authorized, paid or refunded for a web booking',
		],
		[
			'bookingRescheduled',
			'Booking Rescheduled',
			'Starts when the start or end of a web booking changes, and includes the earlier times',
		],
		[
			'bookingStartsSoon',
			'Booking Starting Soon',
			'Starts once for each web booking, a chosen time before its start',
		],
		[
			'bookingStatusChanged',
			'Booking Status Changed',
			'Starts when a web booking gets another status, e.g. when it is canceled',
		],
		[
			'bookingUpdated',
			'Booking Updated',
			'Starts for each change of a web booking, but not when it is created',
		],
	]),
	...eventsOf('Poll customers', customers, [
		['customerCreated', 'Customer Created', 'Starts once for each new customer'],
		[
			'customerChanged',
			'Customer Created or Updated',
			'Starts for each new customer and for each change of one',
		],
	]),
	...eventsOf('Poll survey answers', surveyRecipients, [
		['surveyAnswered', 'Survey Answered', 'Starts when a recipient has answered a survey'],
	]),
];

export type EventEntry = (typeof EVENTS)[number];

export type TriggerEvent = EventEntry['value'];

/** @param action what is polled, for messages */
function eventsOf<Value extends string>(
	action: string,
	output: OutputShape,
	events: Array<[value: Value, name: string, description: string]>,
) {
	return events.map(([value, name, description]) => ({ value, name, description, action, output }));
}
