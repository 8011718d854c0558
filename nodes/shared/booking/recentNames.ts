import type { IDataObject, ILoadOptionsFunctions, INodePropertyOptions } from 'n8n-workflow';
import get from 'lodash/get';
import range from 'lodash/range';
import sortBy from 'lodash/sortBy';

import { isRecord } from '../values/record';
import { callForList, daysFromNow, entryName } from './listCall';

/** Names come from bookings that were changed within these days. */
const DAYS_OF_HISTORY = 30;
/** @see contract/openapi.yaml WebBookingStatus */
const STATUSES: readonly number[] = [...range(11), ...range(100, 117), 9999, -1];

/** The query for the bookings whose names count. */
export function recentlyChanged(timeZone: string): IDataObject {
	return { changedFrom: daysFromNow(-DAYS_OF_HISTORY, timeZone) };
}

/** @returns the names of statuses, by number, as the history of bookings has them */
export function statusNames(bookings: readonly unknown[]): Map<number, string> {
	const names = new Map<number, string>();
	for (const booking of bookings) {
		const history: unknown = get(booking, 'history');
		for (const entry of Array.isArray(history) ? history : []) {
			const name = isRecord(entry) ? entryName([entry.statusName]) : '';
			if (name !== '') names.set(Number(get(entry, 'status')), name);
		}
	}
	return names;
}

/** The statuses of a web booking: first those with a name in the history of recent bookings, then the rest by number. */
export async function getBookingStatuses(
	this: ILoadOptionsFunctions,
): Promise<INodePropertyOptions[]> {
	const { records } = await callForList(this, 'webBooking.getAll', recentlyChanged);
	const names = statusNames(records);
	const options = STATUSES.map((value) => ({ name: names.get(value) ?? `Status ${value}`, value }));
	return sortBy(options, ({ value }) => !names.has(value));
}
