import { customers } from '../shared/booking/records/customer';
import { surveyRecipients } from '../shared/booking/records/surveyRecipient';
import { webBookings } from '../shared/booking/records/webBooking';
import type { OutputShape } from '../shared/booking/recordShape';
import type { TriggerEvent } from './feeds/feed';

export interface EventEntry {
	value: TriggerEvent;
	name: string;
	description: string;
	/** What is polled, for messages. */
	action: string;
	output: OutputShape;
}

const bookings = { action: 'Poll web bookings', output: webBookings };
const allCustomers = { action: 'Poll customers', output: customers };

/** What a workflow can start on, as the list shows it. */
export const EVENTS: readonly EventEntry[] = [
	{
		value: 'bookingCreated',
		name: 'Booking Created',
		description: 'Starts once for each new web booking',
		...bookings,
	},
	{
		value: 'bookingChanged',
		name: 'Booking Created or Updated',
		description: 'Starts for each new web booking and for each change of one',
		...bookings,
	},
	{
		value: 'bookingEnded',
		name: 'Booking Ended',
		description: 'Starts once for each web booking, a chosen time after its end',
		...bookings,
	},
	{
		value: 'bookingStartsSoon',
		name: 'Booking Starting Soon',
		description: 'Starts once for each web booking, a chosen time before its start',
		...bookings,
	},
	{
		value: 'bookingStatusChanged',
		name: 'Booking Status Changed',
		description: 'Starts when a web booking gets another status, e.g. when it is canceled',
		...bookings,
	},
	{
		value: 'bookingUpdated',
		name: 'Booking Updated',
		description: 'Starts for each change of a web booking, but not when it is made',
		...bookings,
	},
	{
		value: 'customerCreated',
		name: 'Customer Created',
		description: 'Starts once for each new customer',
		...allCustomers,
	},
	{
		value: 'customerChanged',
		name: 'Customer Created or Updated',
		description: 'Starts for each new customer and for each change of one',
		...allCustomers,
	},
	{
		value: 'surveyAnswered',
		name: 'Survey Answered',
		description: 'Starts when a recipient has answered a survey',
		action: 'Poll survey answers',
		output: surveyRecipients,
	},
];
