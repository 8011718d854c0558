import isEmpty from 'lodash/isEmpty';
import { DateTime } from 'luxon';

import { choice, field, filters, operation, topLevel } from '../../../shared/operation/declare';
import { toList } from '../../../shared/operation/formValues';
import { readList } from '../../../shared/http/response';
import { InvalidValueError } from '../../../shared/values/invalidValue';

import type { ItemContext, ItemRequest } from '../../../shared/operation/operation';
import { isRecord } from '../../../shared/values/record';
import { matchesFilters } from '../../../shared/booking/bookingFilters';
import { includeField, webBookings } from '../../../shared/booking/records';
import { includesFor, readResultFilters, resultFilters } from './resultFilters';

const DAY_MS = 86_400_000;
/** A longer period is fetched in slices. */
const DAYS_PER_CALL = 31;
/** Most calls for one item, made one after the other: ten years at 31 days each. */
const MOST_SLICES = 120;

export const getAll = operation('webBooking.getAll', {
	name: 'Get Many',
	action: 'Get many web bookings',
	description: 'List web bookings by booking time, or those created or changed after a time',
	parameters: [
		choice(
			'Get By',
			'getBy',
			[
				{ name: 'Booking Time', value: 'bookingTime', description: 'Bookings that take place in a period' },
				{ name: 'Last Change', value: 'lastChange', description: 'Bookings created or changed after a time' },
			],
			{ description: 'The time to look bookings up by' },
		),
	],
	query: [
		{
			shownFor: { parameter: 'getBy', value: 'bookingTime' },
			fields: [
				field('Start Time', 'startTime', {
					as: 'day',
					required: true,
					default: '={{ $today }}',
					description: 'Bookings that end after this time are returned',
				}),
				field('End Time', 'endTime', {
					as: 'day',
					required: true,
					default: '={{ $today.plus({ days: 1 }) }}',
					description: 'Bookings that start before this time are returned',
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
	narrowedBy: "a later 'Changed After', or a shorter period",
	output: webBookings,
	preSend: completeQuery,
	sendAll: sendInSlices,
});

function completeQuery(item: ItemContext, request: ItemRequest): void {
	const { unitFilterName, articleCategoryFilterName } = item.account.deployment;
	const { include, unitIds: units, articleCategoryIds: categories, ...asked } = request.query;
	// Each is a parameter of the query by itself.
	const included = Object.fromEntries(toList(include).map((name) => [name, true]));
	const rest = { ...asked, ...included, ...includesFor(readResultFilters(item)) };
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
	const period = periodOf(request);
	if (period) checkSlices(...period);
}

/** @returns undefined if bookings are fetched by their last change */
function periodOf({ query: { startTime, endTime } }: ItemRequest): [from: string, to: string] | undefined {
	return typeof startTime === 'string' && typeof endTime === 'string' ? [startTime, endTime] : undefined;
}

function checkSlices(from: string, to: string): void {
	if (Date.parse(to) <= Date.parse(from))
		throw new InvalidValueError('End Time', "is not after 'Start Time'", 'Choose a later time');
	const slices = Math.ceil((Date.parse(to) - Date.parse(from)) / DAY_MS / DAYS_PER_CALL);
	if (slices <= MOST_SLICES) return;
	throw new InvalidValueError(
		'End Time',
		`is so long after 'Start Time' that it takes ${slices} calls of ${DAYS_PER_CALL} days each`,
		`Choose a shorter period: at most ${MOST_SLICES} calls are made for an item`,
	);
}

/** A long period is fetched in slices, so that no response grows without bound; Limit stops early. */
async function sendInSlices(item: ItemContext, request: ItemRequest, limit: number): Promise<unknown> {
	const period = periodOf(request);
	const { filters: wanted, compare } = readResultFilters(item);
	const isChosen = compare !== undefined || !isEmpty(wanted);
	if (!period && !isChosen) return (await item.call(request)).body;
	const bookings = new Map<unknown, unknown>();
	for (const slice of period ? slicesOf(...period, DAYS_PER_CALL) : [{}]) {
		const query = { ...request.query, ...slice };
		const { body } = await item.call({ ...request, query });
		for (const booking of readList(body) ?? [])
			if (!isRecord(booking) || matchesFilters(booking, wanted))
				bookings.set((isRecord(booking) && booking.guid) || booking, booking);
		if (!compare && bookings.size >= limit) break;
	}
	const found = [...bookings.values()];
	return compare ? found.sort(compare) : found;
}

/**
 * Each slice but the first begins one second before the previous one ended. The service returns bookings that end after
 * the first bound and start before the second: one that starts and ends on a shared bound would be in neither slice.
 *
 * @param from ISO 8601 with offset
 * @param days at least 1
 * @returns the periods in order; a booking may fall into two of them
 */
export function* slicesOf(
	from: string,
	to: string,
	days: number,
): Generator<{ startTime: string; endTime: string }> {
	// Usually one call is enough. Counted without luxon, which costs more than the rest of the request.
	if (Date.parse(from) + days * DAY_MS >= Date.parse(to)) {
		yield { startTime: from, endTime: to };
		return;
	}
	const end = DateTime.fromISO(to);
	let startTime = from;
	for (let next = DateTime.fromISO(from, { setZone: true }).plus({ days }); ; next = next.plus({ days })) {
		// Dates beyond luxon's calendar too.
		const isLast = !(next < end);
		yield { startTime, endTime: isLast ? to : isoOf(next) };
		if (isLast) return;
		startTime = isoOf(next.minus({ seconds: 1 }));
	}
}

function isoOf(time: DateTime): string {
	return time.toISO({ suppressMilliseconds: true }) ?? '';
}
