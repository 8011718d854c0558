import type { IDataObject } from 'n8n-workflow';
import get from 'lodash/get';
import sortBy from 'lodash/sortBy';

import {
	type QueryPeriod,
	toQueryPeriod,
	periodsAroundNow,
	readWholePeriod,
} from '../../../shared/booking/aroundNow';
import { type BookingFilters, matchesFilters } from '../../../shared/booking/filters';
import { PeopleSearch, guestOf } from '../../../shared/booking/people';
import { type Period, readSlices } from '../../../shared/booking/slices';
import { checkStates } from '../../../shared/booking/states';
import { readParameter } from '../../../shared/form/readParameter';
import { readList } from '../../../shared/http/response';
import type { ItemContext, ItemRequest } from '../../../shared/operation/operation';
import { isBlank } from '../../../shared/values/blank';
import { isRecord } from '../../../shared/values/record';
import { readMoment } from '../../../shared/values/timestamp';
import { chosenDay, chosenPeriod, getBy, numberOrGuest } from './bookingPeriod';

/** What the form asks for: times, filters, and what to include. */
interface Asked extends Partial<QueryPeriod>, Omit<BookingFilters, 'statusRoles' | 'search'> {
	changedFrom?: string;
	search?: string;
	include?: string[];
	unitIds?: unknown[];
	articleCategoryIds?: unknown[];
}

/** @returns the bookings that pass the filters, sorted by start; no further call is made once there are `limit` */
export async function readBookings(
	item: ItemContext,
	request: ItemRequest,
	limit: number,
): Promise<unknown[]> {
	const reader = new BookingReader(item, request);
	const bookings = await selectedBookings(reader, limit);
	return sortBy(bookings, reader.startOf);
}

async function selectedBookings(reader: BookingReader, limit: number): Promise<unknown[]> {
	const { item, asked } = reader;
	switch (readParameter(item, getBy)) {
		case 'lastChange':
			return await reader.list();
		case 'numberOrGuest':
			return await findNumberOrGuest(reader);
		case 'period':
			return await readPeriod(reader, chosenPeriod(item, asked), limit);
		default: {
			const day = chosenDay(item);
			// The service also returns bookings of the day before that end on this one.
			reader.firstStart = Date.parse(day.startTime);
			return await readPeriod(reader, day, limit);
		}
	}
}

/** Asks for bookings, and filters what the service returns. */
class BookingReader {
	/** Bookings that start earlier are left out, in milliseconds since 1970. */
	firstStart = -Infinity;
	readonly asked: Asked;
	private readonly filters: BookingFilters;
	private readonly query: IDataObject;

	/** @throws InvalidValueError for filters that cannot be applied */
	constructor(
		readonly item: ItemContext,
		private readonly request: ItemRequest,
	) {
		this.asked = request.query;
		const { search, statuses, states, minGuests, maxGuests, customerId } = this.asked;
		const { statusRoles } = item.account;
		checkStates(states, statusRoles);
		this.filters = { statuses, states, statusRoles, minGuests, maxGuests, customerId };
		if (search !== undefined) this.filters.search = new PeopleSearch(search);
		this.query = queryOf(item, this.asked);
	}

	/** @param period none for the bookings changed after a time */
	async list(period?: QueryPeriod): Promise<unknown[]> {
		const query = { ...this.query, ...period };
		const { body } = await this.item.call({ ...this.request, query });
		const bookings = readList(body) ?? [];
		return bookings.filter((booking) => this.isAskedFor(booking));
	}

	private isAskedFor(booking: unknown): boolean {
		if (this.startOf(booking) < this.firstStart) return false;
		return !isRecord(booking) || matchesFilters(booking, this.filters);
	}

	/** @returns milliseconds since 1970; Infinity where the start cannot be read */
	readonly startOf = (booking: unknown): number =>
		readMoment(get(booking, 'start'), this.item.account.timeZone)?.ms ?? Infinity;
}

/** What each call asks for besides a period. */
function queryOf(item: ItemContext, asked: Asked): IDataObject {
	const { unitFilterName, articleCategoryFilterName } = item.account.deployment;
	const { include = [], articleCategoryIds } = asked;
	const query: IDataObject = {};
	// Each is a parameter of the query by itself.
	for (const name of include) query[name] = true;
	// What the filters look at.
	const looksAtGuest = asked.search !== undefined || readParameter(item, getBy) === 'numberOrGuest';
	if (looksAtGuest) query.includeContact = true;
	if (asked.customerId !== undefined) query.includeCustomer = true;
	const hasArticles = include.some((name) => name.endsWith('TableArticles'));
	if (articleCategoryIds && !hasArticles) {
		query.includeTableArticles = true;
		query.includeNonTableArticles = true;
	}
	if (asked.changedFrom !== undefined) query.changedFrom = asked.changedFrom;
	if (asked.unitIds) query[unitFilterName] = asked.unitIds as IDataObject[string];
	if (articleCategoryIds)
		query[articleCategoryFilterName] = articleCategoryIds as IDataObject[string];
	return query;
}

/** Bookings of several slices. One that reaches over a bound is in two of them, and counts once. */
class FoundBookings {
	readonly bookings: unknown[] = [];
	private readonly known = new Set<unknown>();

	add(slice: readonly unknown[]): void {
		const added = slice.filter((booking) => !this.known.has(keyOf(booking)));
		for (const booking of added) {
			this.known.add(keyOf(booking));
			this.bookings.push(booking);
		}
	}
}

/** Identifies a booking that is in two slices; one without a GUID is another in each. */
function keyOf(booking: unknown): unknown {
	if (!isRecord(booking) || isBlank(booking.guid)) return booking;
	return `${String(booking.guid)} ${String(booking.start)}`;
}

async function readPeriod(
	reader: BookingReader,
	{ startTime, endTime }: QueryPeriod,
	limit: number,
): Promise<unknown[]> {
	const whole: Period = { from: Date.parse(startTime), to: Date.parse(endTime) };
	const found = new FoundBookings();
	await readSlices(whole, async (slice) => {
		const asked = toQueryPeriod(slice, reader.item.account.timeZone);
		// The bounds of the whole period are sent as they were entered.
		if (slice.from === whole.from) asked.startTime = startTime;
		if (slice.to === whole.to) asked.endTime = endTime;
		found.add(await reader.list(asked));
		if (slice.to === whole.to || found.bookings.length < limit) return 'goOn';
		reader.item.omitted.mayHaveMore = true;
		return 'stop';
	});
	return found.bookings;
}

/**
 * Looks for a booking by its number or GUID, from now outwards until one has it; else for all bookings of a guest, in the
 * whole time that is looked through: of two bookings of a guest, one alone would be taken for the one that was meant.
 */
async function findNumberOrGuest(reader: BookingReader): Promise<unknown[]> {
	const search = new PeopleSearch(String(readParameter(reader.item, numberOrGuest)));
	const ofGuest = new FoundBookings();
	const { timeZone } = reader.item.account;
	for (const period of periodsAroundNow()) {
		const bookings = await readWholePeriod(
			period,
			timeZone,
			async (asked) => await reader.list(asked),
		);
		const records = bookings.filter(isRecord);
		const withNumber = new FoundBookings();
		withNumber.add(
			records.filter(({ guid, globalBookingNumber }) =>
				search.isOneOf([guid, globalBookingNumber]),
			),
		);
		if (withNumber.bookings.length > 0) return withNumber.bookings;
		ofGuest.add(records.filter((booking) => search.finds(guestOf(booking))));
	}
	return ofGuest.bookings;
}
