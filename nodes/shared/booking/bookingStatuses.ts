import type { ILoadOptionsFunctions, INodePropertyOptions } from 'n8n-workflow';
import { DateTime } from 'luxon';

import { isRecord } from '../values/record';
import { listRecords } from './listRecords';

const DAYS_BACK = 30;
/** Their names are not in the contract. @see contract/openapi.yaml WebBookingStatus */
const STATUSES: readonly number[] = [
	...Array.from({ length: 11 }, (_, index) => index),
	...Array.from({ length: 17 }, (_, index) => 100 + index),
	9999,
	-1,
];

/** The statuses of a web booking: those that the history of recent bookings names first, then the others by number. */
export async function getBookingStatuses(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
	const changedFrom = DateTime.utc().minus({ days: DAYS_BACK }).toISO({ suppressMilliseconds: true });
	const bookings = await listRecords(this, 'List web bookings', '/api/booking/v1/WebBooking/WebBookings', {
		changedFrom,
	});
	const names = new Map<number, string>();
	for (const entry of bookings.flatMap(({ history }) => (Array.isArray(history) ? history : []))) {
		const { status, statusName } = isRecord(entry) ? entry : {};
		if (typeof status === 'number' && typeof statusName === 'string' && statusName !== '')
			names.set(status, statusName);
	}
	const named = [...names].map(([value, name]) => ({ name, value }));
	named.sort((one, other) => one.name.localeCompare(other.name));
	const others = STATUSES.filter((status) => !names.has(status));
	return [...named, ...others.map((value) => ({ name: `Status ${value}`, value }))];
}
