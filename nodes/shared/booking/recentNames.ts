import type { IDataObject, ILoadOptionsFunctions, INodePropertyOptions } from 'n8n-workflow';
import map from 'lodash/map';
import range from 'lodash/range';
import sortBy from 'lodash/sortBy';

import { asText } from '../values/asText';
import { unique, uniqueBy } from '../values/keys';
import { toNumber } from '../values/number';
import { isRecord } from '../values/record';
import { comparable, oneLine } from '../values/text';
import { callForList, daysFromNow, entryName } from './listCall';
import { type Booking, currentStatus, historyOf } from './states';

/** Names come from bookings that were changed within these days. */
const DAYS_OF_HISTORY = 30;
/** @see contract/openapi.yaml WebBookingStatus */
const STATUSES: readonly number[] = range(11).concat(range(100, 117), 9999, -1);

/** The query for the bookings whose names count. */
export function recentlyChanged(timeZone: string): IDataObject {
	return { changedFrom: daysFromNow(-DAYS_OF_HISTORY, timeZone) };
}

/** A name of a status as nodes put it out, with its number. */
export interface NamedStatus {
	status: number;
	name: string;
}

/** @returns each name that a status has in the history of bookings: one may have several, as of several languages */
export function namedStatuses(bookings: readonly unknown[]): NamedStatus[] {
	const named: NamedStatus[] = [];
	const entries = bookings.filter(isRecord).flatMap(historyOf);
	for (const { status, statusName } of entries) {
		const name = oneLine(asText(statusName ?? ''));
		if (name !== '') named.push({ status: toNumber(status), name });
	}
	return uniqueBy(named, ({ status, name }) => `${status} ${comparable(name)}`);
}

/** @returns a name of each status, by number, for a list to choose from */
function statusNames(bookings: readonly unknown[]): Map<number, string> {
	const names = new Map<number, string>();
	for (const { status, name } of namedStatuses(bookings)) names.set(status, entryName([name]));
	return names;
}

/**
 * The statuses that recent bookings have or have had: those with a name first, the most frequent first. Where there are none,
 * all numbers of the contract.
 */
export async function getBookingStatuses(
	this: ILoadOptionsFunctions,
): Promise<INodePropertyOptions[]> {
	const { records } = await callForList(this, 'webBooking.getAll', recentlyChanged);
	const names = statusNames(records);
	/** How many bookings there are with each. */
	const bookingsWith = new Map<number, number>();
	for (const status of records.flatMap(statusesOf)) {
		const count = bookingsWith.get(status) ?? 0;
		bookingsWith.set(status, count + 1);
	}
	const occurring = STATUSES.filter((status) => bookingsWith.has(status));
	const listed = occurring.length > 0 ? occurring : STATUSES;
	const sorted = sortBy(listed, [
		(status) => !names.has(status),
		(status) => -(bookingsWith.get(status) ?? 0),
	]);
	return sorted.map((value) => {
		const name = names.get(value) ?? `Status ${value}`;
		return { name, value };
	});
}

/** @returns each status that a booking has or has had, once */
function statusesOf(booking: Booking) {
	const statuses = map(historyOf(booking), 'status');
	statuses.push(currentStatus(booking).status);
	return unique(statuses.map(Number));
}
