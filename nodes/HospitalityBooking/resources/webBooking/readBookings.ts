import type { IDataObject } from 'n8n-workflow';
import get from 'lodash/get';
import sortBy from 'lodash/sortBy';

import type { StatusRoles } from '../../../shared/auth/deployment';
import {
	type QueryPeriod,
	toQueryPeriod,
	periodsAroundNow,
	readWholePeriod,
} from '../../../shared/booking/aroundNow';
import { type BookingFilters, matchesFilters } from '../../../shared/booking/filters';
import { PeopleSearch, guestOf } from '../../../shared/booking/peopleSearch';
import { readSlices } from '../../../shared/booking/slices';
import { checkStates } from '../../../shared/booking/states';
import { readParameter } from '../../../shared/form/readParameter';
import { readList } from '../../../shared/http/response';
import type { ItemContext, ItemRequest } from '../../../shared/operation/operation';
import { asText } from '../../../shared/values/asText';
import { isBlank } from '../../../shared/values/blank';
import { KeySet, uniqueBy } from '../../../shared/values/keys';
import { isRecord } from '../../../shared/values/record';
import { readMoment } from '../../../shared/values/timestamp';
import { chosenDay, chosenPeriod, getBy, numberOrGuest } from './bookingPeriod';

/** What the form asks for: times, filters, and what to include. */
interface Asked extends Partial<QueryPeriod>, Omit<BookingFilters, 'statusRoles' | 'search'> {
	changedFrom?: string;
	search?: string;
	include?: string[];
	unitIds?: number[];
	articleCategoryIds?: number[];
}

/** @returns the bookings that pass the filters, sorted by start; no further call is made once there are `limit` */
export async function readBookings(
	item: ItemContext,
	request: ItemRequest,
	limit: number,
): Promise<unknown[]> {
	const reader = new BookingReader(item, request);
	const bookings = await reader.read(limit);
	return sortBy(bookings, (booking) => reader.startOf(booking));
}

/** Asks for bookings, and filters what the service returns. */
class BookingReader {
	/** Bookings that start earlier are left out, in milliseconds since 1970. */
	private firstStart = -Infinity;
	private readonly asked: Asked;
	private readonly filters: BookingFilters;
	private readonly query: IDataObject;

	/** @throws InvalidValueError for filters that cannot be applied */
	constructor(
		private readonly item: ItemContext,
		private readonly request: ItemRequest,
	) {
		this.asked = request.query;
		this.filters = filtersOf(this.asked, item.account.statusRoles);
		this.query = queryOf(item, this.asked);
	}

	async read(limit: number): Promise<unknown[]> {
		switch (readParameter(this.item, getBy)) {
			case 'lastChange':
				return await this.list();
			case 'numberOrGuest':
				return await this.findNumberOrGuest();
			case 'period':
				return await this.readPeriod(chosenPeriod(this.item, this.asked), limit);
			default:
				return await this.readDay(limit);
		}
	}

	/** @returns milliseconds since 1970; Infinity where the start cannot be read */
	startOf(booking: unknown): number {
		const start = readMoment(get(booking, 'start'), this.item.account.timeZone);
		return start?.ms ?? Infinity;
	}

	private async readDay(limit: number): Promise<unknown[]> {
		const day = chosenDay(this.item);
		// The service also returns bookings of the day before that end on this one.
		this.firstStart = Date.parse(day.startTime);
		return await this.readPeriod(day, limit);
	}

	/** A booking that reaches over the bound of two slices is in both, and counts once. */
	private async readPeriod(asked: QueryPeriod, limit: number): Promise<unknown[]> {
		const from = Date.parse(asked.startTime);
		const to = Date.parse(asked.endTime);
		const found: unknown[] = [];
		const known = new KeySet<unknown>();
		await readSlices({ from, to }, async (slice) => {
			const period = toQueryPeriod(slice, this.item.account.timeZone);
			// The whole period begins as it was entered.
			if (slice.from === from) period.startTime = asked.startTime;
			const listed = await this.list(period);
			const added = listed.filter((booking) => !known.has(keyOf(booking)));
			for (const booking of added) {
				known.add(keyOf(booking));
				found.push(booking);
			}
			if (slice.to === to || found.length < limit) return 'goOn';
			this.item.omitted.mayHaveMore = true;
			return 'stop';
		});
		return found;
	}

	/**
	 * Looks for a booking by its number or GUID, from now outwards until one has it; else for all bookings of a guest, in the
	 * whole time that is looked through: of two bookings of a guest, one alone would be taken for the one that was meant.
	 */
	private async findNumberOrGuest(): Promise<unknown[]> {
		const entered = readParameter(this.item, numberOrGuest);
		const search = new PeopleSearch(asText(entered));
		const ofGuest: unknown[] = [];
		const list = async (period: QueryPeriod) => await this.list(period);
		for (const period of periodsAroundNow()) {
			const bookings = await readWholePeriod(period, this.item.account.timeZone, list);
			const records = bookings.filter(isRecord);
			const withNumber = records.filter(({ guid, globalBookingNumber }) => {
				return search.isOneOf([guid, globalBookingNumber]);
			});
			if (withNumber.length > 0) return uniqueBy(withNumber, keyOf);
			for (const booking of records) {
				if (search.finds(guestOf(booking))) ofGuest.push(booking);
			}
		}
		return uniqueBy(ofGuest, keyOf);
	}

	/** @param period none for the bookings changed after a time */
	private async list(period?: QueryPeriod): Promise<unknown[]> {
		const query = { ...this.query, ...period };
		const response = await this.item.call({ ...this.request, query });
		const bookings = readList(response.body) ?? [];
		return bookings.filter((booking) => this.isAskedFor(booking));
	}

	private isAskedFor(booking: unknown) {
		if (this.startOf(booking) < this.firstStart) return false;
		if (!isRecord(booking)) return true;
		return matchesFilters(booking, this.filters);
	}
}

/** @throws InvalidValueError for a state that the credential does not define */
function filtersOf(asked: Asked, statusRoles: StatusRoles): BookingFilters {
	checkStates(asked.states, statusRoles);
	const filters: BookingFilters = { ...asked, statusRoles, search: undefined };
	if (asked.search !== undefined) filters.search = new PeopleSearch(asked.search);
	return filters;
}

/** What each call asks for besides a period. */
function queryOf(item: ItemContext, asked: Asked) {
	const { unitFilterName, articleCategoryFilterName } = item.account.deployment;
	const { include = [], articleCategoryIds, changedFrom, customerId, search, unitIds } = asked;
	const query: IDataObject = {};
	// Each is a parameter of the query by itself.
	for (const name of include) query[name] = true;
	// What the filters look at.
	const looksAtGuest = search !== undefined || readParameter(item, getBy) === 'numberOrGuest';
	if (looksAtGuest) query.includeContact = true;
	if (customerId !== undefined) query.includeCustomer = true;
	const hasArticles = include.some((name) => name.endsWith('TableArticles'));
	if (articleCategoryIds && !hasArticles) {
		query.includeTableArticles = true;
		query.includeNonTableArticles = true;
	}
	if (changedFrom !== undefined) query.changedFrom = changedFrom;
	if (unitIds) query[unitFilterName] = unitIds;
	if (articleCategoryIds) query[articleCategoryFilterName] = articleCategoryIds;
	return query;
}

/** Identifies a booking that is in two slices; one without a GUID is another in each. */
function keyOf(booking: unknown): unknown {
	if (!isRecord(booking) || isBlank(booking.guid)) return booking;
	return `${asText(booking.guid)} ${asText(booking.start)}`;
}
