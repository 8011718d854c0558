import { operation } from '../../../shared/operation/declare';
import { refuseEmptyReplacement } from '../../../shared/operation/replacement';
import { collection, field, within } from '../../../shared/form/rows';
import { ruleLocator } from '../../../shared/booking/locators';
import { webBookings } from '../../../shared/booking/outputColumns';
import { customerFields, invoiceAddressFields, personFields } from '../fields/peopleFields';
import { messages } from './messageFields';
import { webBookingField } from './webBookingField';

export const update = operation('webBooking.update', {
	name: 'Update',
	action: 'Update booking, which may notify guest',
	description:
		'Change a booking: its times, number of guests, guest, company, status or texts. Only the fields given are sent.',
	body: {
		sections: [
			webBookingField('bookingGuid'),
			field('Date and Time', 'timeSetDate', {
				hint: 'If in doubt, enter the start of the booking',
				description: "Sent as 'timeSetDate', which the API requires but does not explain",
			}),
			field('Guests', 'guests', {
				default: '',
				typeOptions: { minValue: 0 },
				hint: 'Required. Enter the current number if it stays the same.',
			}),
			field('Times', 'times', {
				entry: 'Time',
				entries: [
					field('Rule ID', 'ruleId', { required: true, locator: ruleLocator }),
					field('Start', 'start', { required: true, description: 'When the booked time starts' }),
				],
				description:
					"Times to book; without a row, an empty list is sent. For a list from one expression, choose 'Using JSON'.",
			}),
			collection('Booking Details', 'details', [
				field('Booking Status Name or ID', 'bookingStatus', {
					as: 'loadedId',
					typeOptions: { loadOptionsMethod: 'getBookingStatuses' },
					lookUp: 'bookingStatus',
					description:
						'The new status, named as in recent bookings. Choose from the list, or enter a name or ID using an expression.',
				}),
				field('Event Tag', 'eventTag'),
				field('Guests (Children)', 'guestsChildren', { typeOptions: { minValue: 0 } }),
				field('Inquiry', 'isInquiry', { description: 'Whether the booking is an inquiry' }),
				field('Language', 'lang', { description: 'Language of the messages to the guest' }),
				field('Markings', 'markings'),
				field('Message', 'message', {
					typeOptions: { rows: 3 },
					description: "The guest's message",
				}),
				field('Pending', 'isPending', {
					description: 'Whether the booking is waiting for confirmation',
				}),
				field('Wait List', 'isWaitList', {
					description: 'Whether the booking is on the wait list',
				}),
				field('Replace Times', 'replaceTimes', {
					description: "Whether 'Times' replace all booked times. Needs at least one row there.",
					mustNotBeEmpty: true,
				}),
				field('Times to Remove', 'removeTimes', {
					entry: 'Time to Remove',
					entries: [
						field('Section ID', 'sectionId', {
							required: true,
							description: 'ID of the section that the time is booked in',
						}),
						field('Start Time', 'startTime', {
							required: true,
							description: 'When the time to remove starts',
						}),
					],
					description: 'Booked times to release',
				}),
			]),
			collection(
				'Guest',
				'guest',
				within('contact', [
					...personFields,
					field('Delivery Info', 'deliveryInfo', {
						description: 'Instructions for a delivery to the guest',
					}),
					field('Last Grab', 'lastGrab', {
						description: "Whether 'lastGrab' is set. The API does not specify the meaning.",
					}),
				]),
			),
			collection('Company', 'company', within('customer', customerFields)),
			collection('Invoice and Payment', 'invoice', [
				...within('customer', invoiceAddressFields),
				field('Invoice Marking', 'invoiceMarking', {
					description: 'Reference to print on the invoice',
				}),
				field('Payment Method', 'payMethod'),
			]),
			messages,
		],
	},
	output: webBookings,
	preSend(item, request) {
		const { times, replaceTimes } = Object(request.body) as Record<string, unknown>;
		if (replaceTimes === true) refuseEmptyReplacement(item, 'Times', times);
	},
});
