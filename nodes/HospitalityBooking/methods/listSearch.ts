import type { IDataObject, ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';
import { DateTime } from 'luxon';

import { isRecord } from '../../shared/serviceMessage';
import { send } from '../../shared/transport';
import { webBookings } from '../../shared/records/webBooking';
import { shapeRecord } from '../../shared/output';

const DAYS_BACK = 2;
const DAYS_AHEAD = 30;
const MOST_RESULTS = 100;

/** Web bookings of the last days and the coming weeks, the next first. */
export async function searchWebBookings(
	this: ILoadOptionsFunctions,
	filter?: string,
): Promise<INodeListSearchResult> {
	const now = DateTime.utc();
	const body = await list(this, 'List web bookings', '/api/booking/v1/WebBooking/WebBookings', {
		startTime: now.minus({ days: DAYS_BACK }).toISO({ suppressMilliseconds: true }),
		endTime: now.plus({ days: DAYS_AHEAD }).toISO({ suppressMilliseconds: true }),
		includeContact: true,
	});
	const bookings = body.map((record) => shapeRecord(record, webBookings, 'simplified', []));
	bookings.sort((one, other) => String(one.start).localeCompare(String(other.start)));
	return results(
		bookings.map(({ guid, bookingNumber, start, guests, guestName }) => ({
			name: [
				String(start).replace('T', ' ').slice(0, 16),
				guestName,
				`${String(guests)} guests`,
				bookingNumber,
			]
				.filter(Boolean)
				.join(' · '),
			value: String(guid),
		})),
		filter,
	);
}

async function list(
	context: ILoadOptionsFunctions,
	action: string,
	path: string,
	query: IDataObject,
): Promise<IDataObject[]> {
	const request = { credential: 'hospitalityBookingApi', method: 'GET', path, query } as const;
	const { body } = await send(context, request, { node: context.getNode(), action });
	return Array.isArray(body) ? (body.filter(isRecord) as IDataObject[]) : [];
}

function results(all: Array<{ name: string; value: string }>, filter = ''): INodeListSearchResult {
	const wanted = filter.trim().toLowerCase();
	const found = all.filter(({ name, value }) => `${name} ${value}`.toLowerCase().includes(wanted));
	return { results: found.slice(0, MOST_RESULTS) };
}
