import { bookingFilterFields } from '../../../shared/booking/filterFields';
import { listedWebBookings } from '../../../shared/booking/outputColumns';
import { field, filters } from '../../../shared/form/rows';
import { operation } from '../../../shared/operation/declare';
import { searchField } from '../fields/searchField';
import { selection, showsTwoTimes } from './bookingPeriod';
import { readBookings } from './readBookings';

export const getAll = operation('webBooking.getAll', {
	name: 'Get Many',
	action: 'Get many bookings',
	description:
		'List bookings of a day, period or guest, find one by its number, or list those changed after a time; sorted by start',
	parameters: selection,
	query: [
		field('Start Time', 'startTime', {
			as: 'day',
			default: '={{ $now }}',
			description: 'Bookings that end after this time. Leave both times empty for today.',
			displayOptions: showsTwoTimes,
		}),
		field('End Time', 'endTime', {
			as: 'day',
			default: '={{ $now.plus({ week: 1 }) }}',
			description: 'Bookings that start before this time. Leave both times empty for today.',
			displayOptions: showsTwoTimes,
		}),
		field('Changed After', 'changedFrom', {
			as: 'day',
			required: true,
			description:
				'Bookings created or changed after this time. A date alone is the start of that day.',
			displayOptions: { show: { getBy: ['lastChange'] } },
		}),
		filters(
			field('Article Category IDs', 'articleCategoryIds', {
				description: 'Only bookings with articles of these categories',
			}),
			...Object.values(bookingFilterFields),
			searchField("or a booking's number or GUID"),
		),
	],
	output: listedWebBookings,
	sendAll: readBookings,
});
