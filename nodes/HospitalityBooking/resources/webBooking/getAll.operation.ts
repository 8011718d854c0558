import sortBy from 'lodash/sortBy';

import { type BookingFilters, matchesFilters } from '../../../shared/booking/bookingFilters';
import { bookingFilterFields } from '../../../shared/booking/fields';
import { includeField, webBookings } from '../../../shared/booking/records';
import { DAYS_PER_CALL, readSlices } from '../../../shared/booking/slices';
import { checkStates } from '../../../shared/booking/states';
import { readList } from '../../../shared/http/response';
import { choice, field, filters, operation, parameter, topLevel } from '../../../shared/operation/declare';
import { makeField, toObject } from '../../../shared/operation/fields';
import { toList } from '../../../shared/operation/formValues';
import type { ItemContext, ItemRequest } from '../../../shared/operation/operation';
import { readSection } from '../../../shared/operation/request';
import { isBlank } from '../../../shared/values/blank';
import { dayIn, toServiceDateTime } from '../../../shared/values/dateTime';
import { InvalidValueError } from '../../../shared/values/invalidValue';
import { readNumber } from '../../../shared/values/number';
import { isRecord } from '../../../shared/values/record';
import { DAY, HOUR, readMoment } from '../../../shared/values/timestamp';

/** Most calls for one item, made one after the other: ten years. */
const MOST_CALLS = 120;

const shownForDay = { show: { getBy: ['day'] } };
const dayEndsAt = parameter('Day Ends At', 'dayEndsAt', {
	as: 'decimal',
	typeOptions: { minValue: 0, maxValue: 23 },
	description: 'Hour at which a day ends, e.g. 5 to count a late night to the day before',
	displayOptions: shownForDay,
});

/** Filters that the node applies to the bookings that the service has returned. */
const resultFilters = filters(
	...[
		...Object.values(bookingFilterFields),
		field('Search', 'search', {
			placeholder: 'e.g. Lind',
			description:
				'Only the booking with this number or GUID, or those of guests with this text in the name, or this email or phone',
		}),
	].map((row) => makeField({ ...row, mustNotBeEmpty: true })),
);

export const getAll = operation('webBooking.getAll', {
	name: 'Get Many',
	action: 'Get many web bookings',
	description:
		'List web bookings of a day or period, or those created or changed after a time, sorted by start',
	parameters: [
		choice(
			'Get By',
			'getBy',
			[
				{ name: 'Day', value: 'day', description: 'Bookings that start on a day' },
				{ name: 'Period', value: 'period', description: 'Bookings that take place in a period' },
				{
					name: 'Changed After',
					value: 'lastChange',
					description: 'Bookings created or changed after a time',
				},
			],
			{ description: 'The time to look bookings up by' },
		),
		choice(
			'Day',
			'day',
			[
				{ name: 'Today', value: 'today' },
				{ name: 'Tomorrow', value: 'tomorrow' },
				{ name: 'A Date', value: 'date' },
			],
			{ description: "The day, in the credential's time zone", displayOptions: shownForDay },
		),
		parameter('Date', 'date', {
			as: 'dateTime',
			typeOptions: { dateOnly: true },
			required: true,
			description: "The date, in the credential's time zone",
			displayOptions: { show: { getBy: ['day'], day: ['date'] } },
		}),
		dayEndsAt,
	],
	query: [
		{
			shownFor: { parameter: 'getBy', value: 'period' },
			fields: [
				field('Start Time', 'startTime', {
					as: 'day',
					description: 'Bookings that end after this time are returned. Leave both times empty for today.',
				}),
				field('End Time', 'endTime', {
					as: 'day',
					description: 'Bookings that start before this time are returned. Leave both times empty for today.',
				}),
			],
		},
		{
			shownFor: { parameter: 'getBy', value: 'lastChange' },
			fields: [
				field('Changed After', 'changedFrom', {
					as: 'day',
					required: true,
					description: 'Bookings created or changed after this time are returned',
				}),
			],
		},
		topLevel(includeField),
		filters(
			field('Unit IDs', 'unitIds', {
				mustNotBeEmpty: true,
				description: 'Only bookings of these units',
			}),
			field('Article Category IDs', 'articleCategoryIds', {
				mustNotBeEmpty: true,
				description:
					"Only bookings with articles of these categories. Requires 'Table Articles' or 'Other Articles' under 'Include'.",
			}),
		),
	],
	afterCall: resultFilters,
	narrowedBy: "a later 'Changed After', or 'Get By' Day or Period",
	output: webBookings,
	preSend: completeQuery,
	sendAll: readBookings,
});

function completeQuery(item: ItemContext, request: ItemRequest): void {
	const { unitFilterName, articleCategoryFilterName } = item.account.deployment;
	const { include, unitIds: units, articleCategoryIds: categories, ...asked } = request.query;
	// Each is a parameter of the query by itself.
	const included = Object.fromEntries(toList(include).map((name) => [name, true]));
	const { customerId, search } = readFilters(item);
	const rest = {
		...{ ...asked, ...timesOf(item, asked), ...included },
		// What the filters look at.
		...(customerId === undefined ? {} : { includeCustomer: true }),
		...(search === undefined ? {} : { includeContact: true }),
	};
	if (categories !== undefined && !Object.keys(rest).some((name) => name.endsWith('TableArticles'))) {
		throw new InvalidValueError(
			'Article Category IDs',
			'requires articles in the response',
			"Choose 'Table Articles' or 'Other Articles' under 'Include'",
		);
	}
	request.query = {
		...rest,
		...(units === undefined ? {} : { [unitFilterName]: units }),
		...(categories === undefined ? {} : { [articleCategoryFilterName]: categories }),
	};
}

/**
 * @param asked the times on the form
 * @returns the first and the last time to ask for; none for 'Changed After'
 */
function timesOf(
	{ read, timeZone }: Pick<ItemContext, 'read' | 'timeZone'>,
	{ startTime, endTime }: ItemRequest['query'],
): { startTime?: string; endTime?: string } {
	if (read('getBy') === 'lastChange') return {};
	const now = new Date().toISOString();
	if (read('getBy') === 'day') {
		const endsAt = readNumber(read('dayEndsAt') ?? 0, dayEndsAt.displayName, { least: 0, most: 23 });
		if (read('day') === 'date')
			return dayIn(timeZone, toServiceDateTime(read('date'), 'Date', timeZone, 'day'), endsAt);
		const daysAhead = read('day') === 'tomorrow' ? DAY : 0;
		// A day does not begin later for ending later: until then it is still the day before.
		return dayIn(timeZone, now, endsAt, daysAhead - endsAt * HOUR);
	}
	if (startTime === undefined && endTime === undefined) return dayIn(timeZone, now);
	for (const [label, time] of Object.entries({ 'Start Time': startTime, 'End Time': endTime }))
		if (typeof time !== 'string')
			throw new InvalidValueError(label, 'is empty', 'Fill it in, or leave both times empty for today');
	checkPeriod(String(startTime), String(endTime));
	return {};
}

function checkPeriod(from: string, to: string): void {
	if (Date.parse(to) <= Date.parse(from))
		throw new InvalidValueError('End Time', "is not after 'Start Time'", 'Choose a later time');
	const calls = Math.ceil((Date.parse(to) - Date.parse(from)) / DAY / DAYS_PER_CALL);
	if (calls <= MOST_CALLS) return;
	throw new InvalidValueError(
		'End Time',
		`is so long after 'Start Time' that it takes ${calls} calls of ${DAYS_PER_CALL} days each`,
		`Choose a shorter period: at most ${MOST_CALLS} calls are made for an item`,
	);
}

/** @throws InvalidValueError that names the parameter */
function readFilters({ read, timeZone, statusRoles }: ItemContext): BookingFilters {
	const values = readSection(resultFilters, read);
	const chosen: BookingFilters = toObject(resultFilters.fields, values, timeZone);
	checkStates(chosen.states, statusRoles);
	return { ...chosen, statusRoles };
}

/** @returns the bookings that pass the filters, sorted by start; no further call is made once there are `limit` */
async function readBookings(item: ItemContext, request: ItemRequest, limit: number): Promise<unknown[]> {
	const wanted = readFilters(item);
	const { startTime, endTime, ...query } = request.query;
	const startOf = (booking: unknown) =>
		(isRecord(booking) ? readMoment(booking.start, item.timeZone)?.ms : undefined) ?? Infinity;
	// The service also returns bookings of the day before that end on this one.
	const begin = item.read('getBy') === 'day' ? Date.parse(String(startTime)) : -Infinity;
	const list = async (period: object) => {
		const { body } = await item.call({ ...request, query: { ...query, ...period } });
		const bookings = readList(body) ?? [];
		return bookings.filter(
			(booking) => startOf(booking) >= begin && (!isRecord(booking) || matchesFilters(booking, wanted)),
		);
	};
	if (typeof startTime !== 'string') return sortBy(await list({}), startOf);
	let found: unknown[] = [];
	const known = new Set<string>();
	for await (const { slice, isLast } of readSlices(startTime, String(endTime), list)) {
		const keys = slice.map(keyOf);
		found = found.concat(slice.filter((_, index) => !known.has(keys[index] ?? '')));
		for (const key of keys) if (key !== undefined) known.add(key);
		item.mayHaveMore = !isLast && found.length >= limit;
		if (item.mayHaveMore) break;
	}
	return sortBy(found, startOf);
}

/** Identifies a booking that is in two slices; undefined without a GUID. */
function keyOf(booking: unknown): string | undefined {
	const { guid, start } = isRecord(booking) ? booking : {};
	return isBlank(guid) ? undefined : `${String(guid)} ${String(start)}`;
}
