import type { IDataObject, ILoadOptionsFunctions, INodePropertyOptions } from 'n8n-workflow';
import map from 'lodash/map';
import range from 'lodash/range';
import sortBy from 'lodash/sortBy';

import { unique } from '../values/keys';
import { isRecord } from '../values/record';
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

/** @returns the names of statuses, by number, as the history of bookings has them */
export function statusNames(bookings: readonly unknown[]): Map<number, string> {
	const names = new Map<number, string>();
	const records = bookings.filter(isRecord);
	for (const entry of records.flatMap(historyOf)) {
		const name = entryName([entry.statusName]);
		if (name !== '') names.set(Number(entry.status), name);
	}
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
	const bookingsWith = new Map<number, number>();
	for (const status of records.flatMap(statusesOf)) {
		bookingsWith.set(status, (bookingsWith.get(status) ?? 0) + 1);
	}
	const occurring = STATUSES.filter((status) => bookingsWith.has(status));
	const listed = occurring.length > 0 ? occurring : STATUSES;
	const sorted = sortBy(listed, [
		(status) => !names.has(status),
		(status) => -(bookingsWith.get(status) ?? 0),
	]);
	return sorted.map((value) => ({ name: names.get(value) ?? `Status ${value}`, value }));
}

/** @returns each status that a booking has or has had, once */
function statusesOf(booking: Booking) {
	const statuses = map(historyOf(booking), 'status');
	statuses.push(currentStatus(booking).status);
	return unique(statuses.map(Number));
}
