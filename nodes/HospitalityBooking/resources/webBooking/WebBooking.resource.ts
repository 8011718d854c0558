import type { Resource } from '../../../shared/operation';
import { cancel } from './cancel.operation';
import { getAll } from './getAll.operation';

export const webBookingResource: Resource = {
	value: 'webBooking',
	name: 'Web Booking',
	description: 'Reservations of guests: list, update, pay and cancel',
	operations: [cancel, getAll],
};
