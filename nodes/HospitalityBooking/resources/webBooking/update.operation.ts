import { group, open } from '../../../shared/body';
import {
	chosen,
	dateTime,
	flag,
	identifier,
	integer,
	loadedNumber,
	rowList,
	text,
	textList,
} from '../../../shared/fields';
import { webBookingLocator } from '../../../shared/locators';
import type { Operation } from '../../../shared/operation';
import { webBooking } from '../../../shared/records/webBooking';
import { customerFields, invoiceAddressFields } from '../fields/customerFields';
import { personFields } from '../fields/personFields';
import { messages } from './messageFields';

/** First document, 'Update a web booking'. */
export const update: Operation = {
	value: 'update',
	name: 'Update',
	action: 'Update web booking',
	description:
		'Change a web booking: its times, number of guests, guest, company, status or texts. Only the fields given are sent.',
	method: 'PUT',
	path: '/api/booking/v1/WebBooking/WebBookings',
	body: {
		schema: 'WebBookingUpdate',
		sections: [
			open(
				chosen('bookingGuid', 'guid', webBookingLocator),
				dateTime('Time Set Date', 'timeSetDate', {
					required: true,
					description:
						"The service's field 'timeSetDate', a date and time. The documents do not say more about it.",
				}),
				integer('Guests', 'guests', {
					required: true,
					default: '',
					typeOptions: { minValue: 0 },
					description: 'Number of guests',
				}),
				rowList(
					'Times',
					'times',
					'Time',
					[
						identifier('Rule ID', 'ruleId', 'int64', {
							placeholder: 'e.g. 311',
							description: 'ID of the booking rule that offers the time',
						}),
						dateTime('Start', 'start', { description: 'When the booked time starts' }),
					],
					{ required: true, description: 'The times to book. Without any, an empty list is sent.' },
				),
			),
			group('Booking Details', 'details', [
				loadedNumber('Booking Status Name or ID', 'bookingStatus', 'getBookingStatuses', {
					description: 'The new status. The names come from the history of recent bookings.',
				}),
				text('Event Tag', 'eventTag', { placeholder: 'e.g. wedding' }),
				integer('Guests (Children)', 'guestsChildren', {
					typeOptions: { minValue: 0 },
					description: 'Number of children',
				}),
				flag('Inquiry', 'isInquiry', 'Whether the booking is an inquiry'),
				text('Language', 'lang', {
					placeholder: 'e.g. en',
					description: 'Language of the messages to the guest',
				}),
				textList('Markings', 'markings', {
					placeholder: 'e.g. VIP, Birthday',
					description: 'Markings of the booking',
				}),
				text('Message', 'message', {
					typeOptions: { rows: 3 },
					placeholder: 'e.g. A window table, please',
					description: "The guest's message",
				}),
				flag('Pending', 'isPending', 'Whether the booking waits to be confirmed'),
				flag('Wait List', 'isWaitList', 'Whether the booking is on the wait list'),
				flag('Replace Times', 'replaceTimes', "Whether 'Times' take the place of all booked times"),
				rowList(
					'Times to Remove',
					'removeTimes',
					'Time to Remove',
					[
						identifier('Section ID', 'sectionId', 'int64', {
							placeholder: 'e.g. 7',
							description: 'ID of the section that the time is booked in',
						}),
						dateTime('Start Time', 'startTime', { description: 'When the time to remove starts' }),
					],
					{ description: 'Booked times to give back' },
				),
			]),
			group('Guest', 'guest', [
				...personFields('contact'),
				text('Delivery Info', 'contact.deliveryInfo', {
					placeholder: 'e.g. Leave it at the reception',
					description: 'What to know when something is delivered to the guest',
				}),
				flag(
					'Last Grab',
					'contact.lastGrab',
					"Whether the field 'lastGrab' is set. The documents do not say what it means.",
				),
			]),
			group('Company', 'company', customerFields('customer')),
			group('Invoice and Payment', 'invoice', [
				...invoiceAddressFields('customer'),
				text('Invoice Marking', 'invoiceMarking', {
					placeholder: 'e.g. Project 4711',
					description: 'Reference to print on the invoice',
				}),
				text('Payment Method', 'payMethod', { placeholder: 'e.g. Invoice' }),
			]),
			messages,
		],
		example: {
			bookingGuid: '3f2504e0-4f89-41d3-9a0c-0305e82c3301',
			timeSetDate: '2026-12-24T18:00:00+01:00',
			times: [{ ruleId: 311, start: '2026-12-24T18:00:00+01:00' }],
			replaceTimes: true,
			guests: 4,
			guestsChildren: 1,
			contact: { fname: 'Anna', lname: 'Lind', email: 'anna.lind@example.com' },
			message: 'A window table, please',
			logMessage: 'Moved by an hour on the phone',
		},
	},
	output: webBooking,
};
