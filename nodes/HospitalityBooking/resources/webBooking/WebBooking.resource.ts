import type { Resource } from '../../../shared/operation/operation';
import { cancel } from './cancel.operation';
import { getAll } from './getAll.operation';
import { update } from './update.operation';
import { updatePayment } from './updatePayment.operation';

export const webBookingResource: Resource = {
	value: 'webBooking',
	name: 'Web Booking',
	description: 'Reservations of guests: list, update, pay and cancel',
	mainOperation: getAll.value,
	operations: [cancel, getAll, update, updatePayment],
};
