import {
	type IDataObject,
	type ILoadOptionsFunctions,
	type INodeListSearchItems,
	type INodeListSearchResult,
} from 'n8n-workflow';
import { DateTime } from 'luxon';

import { shapeRecord } from './recordShape';
import { customers } from './records/customer';
import { surveyRecipients } from './records/surveyRecipient';
import { webBookings } from './records/webBooking';
import { listRecords, readRecord } from './listRecords';

const PAGE = 100;
/** Days from today at which each page of web bookings begins and ends: the next weeks come first. */
const BOOKING_DAYS = [-2, 30, 90, 365];
const MAX_SURVEYS = 20;

/** Web bookings of the last days and the coming weeks, the next first; further pages reach a year ahead. */
export async function searchWebBookings(
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	const page = Number(paginationToken ?? 0);
	const [from = 0, to = 0] = BOOKING_DAYS.slice(page, page + 2);
	const today = DateTime.utc().startOf('day');
	const records = await listRecords(this, 'List web bookings', '/api/booking/v1/WebBooking/WebBookings', {
		startTime: today.plus({ days: from }).toISO({ suppressMilliseconds: true }),
		endTime: today.plus({ days: to }).toISO({ suppressMilliseconds: true }),
		includeContact: true,
	});
	const bookings = records.map((record) => shapeRecord(record, webBookings, 'simplified', []));
	bookings.sort((one, other) => String(one.start).localeCompare(String(other.start)));
	const found = matching(
		bookings.map(({ guid, bookingNumber, start, guests, guestName }) => ({
			name: words(minute(start), guestName, `${String(guests)} guests`, bookingNumber),
			value: String(guid),
		})),
		filter,
	);
	const isLast = page + 2 >= BOOKING_DAYS.length;
	return { results: found, ...(isLast ? {} : { paginationToken: String(page + 1) }) };
}

/** Customers by name. */
export async function searchCustomers(
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	const records = await listRecords(this, 'List customers', '/api/booking/v1/booking/customers');
	const all = records
		.map((record) => shapeRecord(record, customers, 'simplified', []))
		.map(({ id, name, city, customerNumber }) => ({
			name: words(name, city, customerNumber) || String(id),
			value: String(id),
		}));
	return pageOf(all, filter, paginationToken);
}

/** Survey recipients, by name. */
export async function searchSurveyRecipients(
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	const all = (await listRecipients(this))
		.map((record) => shapeRecord(record, surveyRecipients, 'simplified', []))
		.map(({ id, name, emailAddress, status, sentTime }) => ({
			name: words(name, emailAddress, status, minute(sentTime)),
			value: String(id),
		}));
	return pageOf(all, filter, paginationToken);
}

/**
 * Surveys that have recipients: the service lists no surveys. The titles are read with one recipient of each, where the
 * service gives the content with it.
 */
export async function searchSurveys(
	this: ILoadOptionsFunctions,
	filter?: string,
): Promise<INodeListSearchResult> {
	const recipients = (await listRecipients(this)).filter(({ surveyId }) => typeof surveyId === 'string');
	const bySurvey = new Map<string, IDataObject[]>();
	for (const recipient of recipients) {
		const id = String(recipient.surveyId);
		bySurvey.set(id, [...(bySurvey.get(id) ?? []), recipient]);
	}
	const surveys = [...bySurvey].slice(0, MAX_SURVEYS).map(async ([id, sentTo]) => {
		const people = sentTo.length === 1 ? '1 recipient' : `${sentTo.length} recipients`;
		return { name: words((await readTitle(this, sentTo)) ?? id, people), value: id };
	});
	return { results: matching(await Promise.all(surveys), filter) };
}

/** Canceled and Responded: the service leaves the content out for them. */
const WITHOUT_CONTENT = [5, 4];

async function readTitle(
	context: ILoadOptionsFunctions,
	recipients: readonly IDataObject[],
): Promise<string | undefined> {
	const open = recipients.find(({ status }) => !WITHOUT_CONTENT.includes(Number(status)));
	if (!open) return undefined;
	const path = `/api/booking/v1/Survey/Recipients/${encodeURIComponent(String(open.id))}/WithSurvey`;
	const { content } = await readRecord(context, 'Get survey recipient with survey', path);
	const title = (content as IDataObject | undefined)?.title;
	return typeof title === 'string' ? title : undefined;
}

async function listRecipients(context: ILoadOptionsFunctions): Promise<IDataObject[]> {
	return await listRecords(context, 'List survey recipients', '/api/booking/v1/Survey/Recipients');
}

/** One page of the records that match; the token is where the next page begins. */
function pageOf(
	all: INodeListSearchItems[],
	filter?: string,
	paginationToken?: string,
): INodeListSearchResult {
	const found = matching(all, filter).sort((one, other) => one.name.localeCompare(other.name));
	const start = Number(paginationToken ?? 0);
	const end = start + PAGE;
	return {
		results: found.slice(start, end),
		...(end < found.length ? { paginationToken: String(end) } : {}),
	};
}

function matching(all: INodeListSearchItems[], filter = ''): INodeListSearchItems[] {
	const wanted = filter.trim().toLowerCase();
	return all.filter(({ name, value }) => `${name} ${String(value)}`.toLowerCase().includes(wanted));
}

function words(...parts: unknown[]): string {
	return parts.filter((part) => part !== null && part !== undefined && part !== '').join(' · ');
}

function minute(time: unknown): string | undefined {
	return typeof time === 'string' ? time.replace('T', ' ').slice(0, 16) : undefined;
}
