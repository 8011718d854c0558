import get from 'lodash/get';
import sortBy from 'lodash/sortBy';

import { type BookingFilters, matchesFilters } from '../../../shared/booking/filters';
import { bookingFilterFields } from '../../../shared/booking/filterFields';
import { includeField, webBookings } from '../../../shared/booking/records';
import { DAYS_PER_CALL, readSlices } from '../../../shared/booking/slices';
import { checkStates } from '../../../shared/booking/states';
import { readList } from '../../../shared/http/response';
import { operation } from '../../../shared/operation/declare';
import { choice, field, filters, parameter } from '../../../shared/form/rows';
import type { ItemContext, ItemRequest } from '../../../shared/operation/operation';
import { readParameter } from '../../../shared/form/readParameter';
import { isBlank } from '../../../shared/values/blank';
import { dayIn } from '../../../shared/values/dateTime';
import { InvalidValueError } from '../../../shared/values/invalidValue';
import { isRecord } from '../../../shared/values/record';
import { DAY, HOUR, readMoment } from '../../../shared/values/timestamp';

/** Most calls for one item, made one after the other: ten years. */
const MOST_CALLS = 120;

const shownForDay = { show: { getBy: ['day'] } };
const getBy = choice(
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
	{ description: 'How to select bookings' },
);
const dayChoice = choice(
	'Day',
	'day',
	[
		{ name: 'Today', value: 'today' },
		{ name: 'Tomorrow', value: 'tomorrow' },
		{ name: 'A Date', value: 'date' },
	],
	{ description: "The day, in the credential's time zone", displayOptions: shownForDay },
);
const date = parameter('Date', 'date', {
	as: 'day',
	typeOptions: { dateOnly: true },
	required: true,
	description: "The date, in the credential's time zone",
	displayOptions: { show: { getBy: ['day'], day: ['date'] } },
});
const dayEndsAt = parameter('Day Ends At', 'dayEndsAt', {
	as: 'decimal',
	typeOptions: { minValue: 0, maxValue: 23 },
	default: 0,
	description: 'Hour at which a day ends, e.g. 5 to count a late night to the day before',
	displayOptions: shownForDay,
});

export const getAll = operation('webBooking.getAll', {
	name: 'Get Many',
	action: 'Get many web bookings',
	description:
		'List web bookings of a day or period, or those created or changed after a time, sorted by start',
	parameters: [getBy, dayChoice, date, dayEndsAt],
	query: [
		field('Start Time', 'startTime', {
			as: 'day',
			description:
				'Bookings that end after this time are returned. Leave both times empty for today. A date alone is the start of that day.',
			displayOptions: { show: { getBy: ['period'] } },
		}),
		field('End Time', 'endTime', {
			as: 'day',
			description:
				'Bookings that start before this time are returned. Leave both times empty for today. A date alone is the start of that day.',
			displayOptions: { show: { getBy: ['period'] } },
		}),
		field('Changed After', 'changedFrom', {
			as: 'day',
			required: true,
			description:
				'Bookings created or changed after this time are returned. A date alone is the start of that day.',
			displayOptions: { show: { getBy: ['lastChange'] } },
		}),
		includeField,
		filters(
			field('Article Category IDs', 'articleCategoryIds', {
				description:
					"Only bookings with articles of these categories. Requires 'Table Articles' or 'Other Articles' under 'Include'.",
			}),
			...Object.values(bookingFilterFields),
			field('Search', 'search', {
				placeholder: 'e.g. Lind',
				description:
					"A booking's number or GUID, part of the guest's name, or the guest's email or phone",
			}),
		),
	],
	output: webBookings,
	sendAll: readBookings,
});

interface Period {
	startTime: string;
	endTime: string;
}

/**
 * @param entered the times on the form
 * @returns the first and the last time to ask for
 */
function periodOf(item: ItemContext, { startTime, endTime }: Partial<Period>): Period {
	const { timeZone } = item.account;
	const now = new Date().toISOString();
	if (readParameter(item, getBy) === 'day') {
		const endsAt = Number(readParameter(item, dayEndsAt));
		const day = readParameter(item, dayChoice);
		if (day === 'date')
			return dayIn(timeZone, String(date.serialize(item.getParameter('date'), timeZone)), endsAt);
		const daysAhead = day === 'tomorrow' ? DAY : 0;
		// A day does not begin later for ending later: until then it is still the day before.
		return dayIn(timeZone, now, endsAt, daysAhead - endsAt * HOUR);
	}
	if (startTime === undefined && endTime === undefined) return dayIn(timeZone, now);
	for (const [label, time] of Object.entries({ 'Start Time': startTime, 'End Time': endTime }))
		if (time === undefined)
			throw new InvalidValueError(
				label,
				'is empty',
				'Fill it in, or leave both times empty for today',
			);
	const period = { startTime: String(startTime), endTime: String(endTime) };
	checkPeriod(Date.parse(period.startTime), Date.parse(period.endTime));
	return period;
}

function checkPeriod(from: number, to: number): void {
	if (to <= from)
		throw new InvalidValueError('End Time', "is not after 'Start Time'", 'Choose a later time');
	const calls = Math.ceil((to - from) / DAY / DAYS_PER_CALL);
	if (calls <= MOST_CALLS) return;
	throw new InvalidValueError(
		'End Time',
		`is so long after 'Start Time' that it takes ${calls} calls of ${DAYS_PER_CALL} days each`,
		`Choose a shorter period: at most ${MOST_CALLS} calls are made for an item`,
	);
}

/** What the form asks for; filters whose names are their own in the query. */
interface Asked extends Partial<Period>, Omit<BookingFilters, 'statusRoles'> {
	changedFrom?: string;
	include?: string[];
	unitIds?: unknown[];
	articleCategoryIds?: unknown[];
}

/** @returns the bookings that pass the filters, sorted by start; no further call is made once there are `limit` */
async function readBookings(
	item: ItemContext,
	request: ItemRequest,
	limit: number,
): Promise<unknown[]> {
	const asked: Asked = request.query;
	const {
		startTime,
		endTime,
		changedFrom,
		include = [],
		unitIds,
		articleCategoryIds,
		...conditions
	} = asked;
	const { statusRoles, timeZone, deployment } = item.account;
	const { unitFilterName, articleCategoryFilterName } = deployment;
	checkStates(conditions.states, statusRoles);
	if (articleCategoryIds && !include.some((name) => name.endsWith('TableArticles')))
		throw new InvalidValueError(
			'Article Category IDs',
			'requires articles in the response',
			"Choose 'Table Articles' or 'Other Articles' under 'Include'",
		);
	const query = {
		...(changedFrom === undefined ? {} : { changedFrom }),
		// Each is a parameter of the query by itself.
		...Object.fromEntries(include.map((name) => [name, true])),
		// What the filters look at.
		...(conditions.customerId === undefined ? {} : { includeCustomer: true }),
		...(conditions.search === undefined ? {} : { includeContact: true }),
		...(unitIds && { [unitFilterName]: unitIds }),
		...(articleCategoryIds && { [articleCategoryFilterName]: articleCategoryIds }),
	};
	const startOf = (booking: unknown) => readMoment(get(booking, 'start'), timeZone)?.ms ?? Infinity;
	const list = async (period: Partial<Period>, begin = -Infinity) => {
		const { body } = await item.call({ ...request, query: { ...query, ...period } });
		return (readList(body) ?? []).filter(
			(booking) =>
				startOf(booking) >= begin &&
				(!isRecord(booking) || matchesFilters(booking, { ...conditions, statusRoles })),
		);
	};
	if (readParameter(item, getBy) === 'lastChange') return sortBy(await list({}), startOf);
	const period = periodOf(item, { startTime, endTime });
	// The service also returns bookings of the day before that end on this one.
	const begin = readParameter(item, getBy) === 'day' ? Date.parse(period.startTime) : undefined;
	let found: unknown[] = [];
	const known = new Set<unknown>();
	const slices = readSlices(
		period.startTime,
		period.endTime,
		async (slice) => await list(slice, begin),
	);
	for await (const { slice, isLast } of slices) {
		const keys = slice.map(keyOf);
		found = found.concat(slice.filter((_, index) => !known.has(keys[index])));
		for (const key of keys) known.add(key);
		if (isLast || found.length < limit) continue;
		item.omitted.mayHaveMore = true;
		break;
	}
	return sortBy(found, startOf);
}

/** Identifies a booking that is in two slices; one without a GUID is another in each. */
function keyOf(booking: unknown): unknown {
	const { guid, start } = isRecord(booking) ? booking : {};
	return isBlank(guid) ? booking : `${String(guid)} ${String(start)}`;
}
