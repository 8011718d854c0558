import type {
	IDataObject,
	ILoadOptionsFunctions,
	INodeListSearchItems,
	INodeListSearchResult,
	INodePropertyOptions,
} from 'n8n-workflow';
import { DateTime } from 'luxon';
import chunk from 'lodash/chunk';
import get from 'lodash/get';
import groupBy from 'lodash/groupBy';
import noop from 'lodash/noop';
import uniqBy from 'lodash/uniqBy';

import { openAccount } from '../auth/account';
import { readList } from '../http/response';
import { callOf } from '../contract/calls';
import { toNodeError } from '../errors/nodeErrors';
import { fillPath } from '../values/address';
import { plainText } from '../values/plainText';
import { isRecord } from '../values/record';
import { type OutputShape, shapeRecord } from './recordShape';
import { customers, surveyRecipients, webBookings } from './records';
import { statusNameOf } from './states';

const PAGE = 100;
/** In days from today: the coming weeks first. */
const BOOKING_PAGES = [
	{ from: -2, to: 30 },
	{ from: 30, to: 90 },
	{ from: 90, to: 365 },
];
/** More entries than n8n's list shows without scrolling. */
const ENOUGH_TO_SCROLL = 20;
/** Surveys whose titles are read at once. */
const SURVEYS_A_PAGE = 20;
/** Recipients of a survey that are tried for its title. */
const RECIPIENTS_TRIED = 3;

type Page = () => Promise<INodeListSearchItems[]>;

/** Whether an entry matches what a person typed. */
type Matches = (item: INodeListSearchItems) => boolean;

/**
 * A list to choose from. n8n asks for the next page only when a person scrolls, so a page with few entries includes the
 * following ones.
 *
 * @param pagesOf reads what all pages share
 */
function inPages(pagesOf: (context: ILoadOptionsFunctions, matches: Matches) => Promise<Page[]>) {
	return async function (
		this: ILoadOptionsFunctions,
		filter = '',
		paginationToken = '0',
	): Promise<INodeListSearchResult> {
		const wanted = filter.trim().toLowerCase();
		const matches: Matches = ({ name, value }) => `${name} ${value}`.toLowerCase().includes(wanted);
		const pages = await pagesOf(this, matches);
		let results: INodeListSearchItems[] = [];
		let next = Number(paginationToken);
		for (let page = pages[next]; page && results.length < ENOUGH_TO_SCROLL; page = pages[++next]) {
			results = uniqBy([...results, ...(await page()).filter(matches)], 'value');
		}
		return { results, ...(next < pages.length ? { paginationToken: String(next) } : {}) };
	};
}

/** A list that is read in one call and sorted by name; its pages hold only matches. */
function byName(listAll: (context: ILoadOptionsFunctions) => Promise<INodeListSearchItems[]>) {
	return inPages(async (context, matches) => {
		const found = (await listAll(context)).filter(matches);
		found.sort((one, other) => one.name.localeCompare(other.name));
		return chunk(found, PAGE).map((page) => async () => page);
	});
}

/**
 * Web bookings of the last days and the coming weeks, the next first; further pages reach a year ahead.
 *
 * @see contract/openapi.yaml webBooking.getAll
 */
export const searchWebBookings = inPages(async (context) =>
	BOOKING_PAGES.map(
		({ from, to }) =>
			async () =>
				await listWebBookings(context, from, to),
	),
);

/** @returns the bookings between two days, counted from today, the next first */
async function listWebBookings(
	context: ILoadOptionsFunctions,
	from: number,
	to: number,
): Promise<INodeListSearchItems[]> {
	const today = DateTime.utc().startOf('day');
	const records = await listRecords(context, 'webBooking.getAll', 'List web bookings', {
		startTime: today.plus({ days: from }).toISO({ suppressMilliseconds: true }),
		endTime: today.plus({ days: to }).toISO({ suppressMilliseconds: true }),
		includeContact: true,
	});
	records.sort((one, other) => String(one.start).localeCompare(String(other.start)));
	const simplify = await simplifier(context, webBookings);
	return records.map((record) => {
		const { guid, start, guests, guestName, bookingNumber } = simplify(record);
		const people = typeof guests === 'number' ? counted(guests, 'guest') : undefined;
		const name = words(minute(start), guestName, people, bookingNumber, statusNameOf(record));
		return { name, value: String(guid) };
	});
}

/** Customers by name. */
export const searchCustomers = byName(async (context) => {
	const records = await listRecords(context, 'customer.getAll', 'List customers');
	const simplify = await simplifier(context, customers);
	return records.map((record) => {
		const { id, name, city, customerNumber } = simplify(record);
		return { name: words(name, city, customerNumber) || String(id), value: String(id) };
	});
});

/** Survey recipients, by name. */
export const searchSurveyRecipients = byName(async (context) => {
	const simplify = await simplifier(context, surveyRecipients);
	return (await listRecipients(context)).map((record) => {
		const { id, name, email, statusName, sentTime } = simplify(record);
		return { name: words(name, email, statusName, minute(sentTime)), value: String(id) };
	});
});

/**
 * Surveys that have recipients, as the service has no list of surveys. Each title comes from a recipient whose response
 * includes the content.
 */
export const searchSurveys = inPages(async (context) => {
	const recipients = (await listRecipients(context)).filter(({ surveyId }) => typeof surveyId === 'string');
	const nameOf = async ([id, sentTo]: [string, IDataObject[]]) => {
		const title = (await readTitle(context, sentTo)) ?? id;
		return { name: words(title, counted(sentTo.length, 'recipient')), value: id };
	};
	return chunk(Object.entries(groupBy(recipients, 'surveyId')), SURVEYS_A_PAGE).map(
		(page) => async () => await Promise.all(page.map(nameOf)),
	);
});

/** Canceled and Responded: the service leaves the content out for them. */
const WITHOUT_CONTENT = [5, 4];

/** @returns undefined if no recipient has the content: the survey is then listed by its ID */
async function readTitle(
	context: ILoadOptionsFunctions,
	recipients: readonly IDataObject[],
): Promise<string | undefined> {
	const open = recipients.filter(({ status }) => !WITHOUT_CONTENT.includes(Number(status)));
	for (const { id } of open.slice(0, RECIPIENTS_TRIED)) {
		const action = 'Get survey recipient with survey';
		const reading = read(context, 'surveyRecipient.getWithSurvey', action, {}, { id: String(id) });
		const title: unknown = get(await reading.catch(noop), 'content.title');
		if (typeof title === 'string') return title;
	}
	return undefined;
}

async function listRecipients(context: ILoadOptionsFunctions): Promise<IDataObject[]> {
	return await listRecords(context, 'surveyRecipient.getAll', 'List survey recipients');
}

const DAYS_BACK = 30;
/** Their names are not in the contract. @see contract/openapi.yaml WebBookingStatus */
const STATUSES: readonly number[] = [
	...Array.from({ length: 11 }, (_, index) => index),
	...Array.from({ length: 17 }, (_, index) => 100 + index),
	9999,
	-1,
];

/** The statuses of a web booking: first those with a name in the history of recent bookings, then the rest by number. */
export async function getBookingStatuses(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
	const changedFrom = DateTime.utc().minus({ days: DAYS_BACK }).toISO({ suppressMilliseconds: true });
	const bookings = await listRecords(this, 'webBooking.getAll', 'List web bookings', {
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

async function simplifier(context: ILoadOptionsFunctions, shape: OutputShape) {
	const { timeZone } = await openAccount(context, 'hospitalityBookingApi');
	return (record: IDataObject) => shapeRecord(record, shape, 'simplified', [], { timeZone, statusRoles: {} });
}

function counted(count: number, thing: string): string {
	return `${count} ${thing}${count === 1 ? '' : 's'}`;
}

function words(...parts: unknown[]): string {
	return plainText(parts.filter((part) => part !== null && part !== undefined && part !== '').join(' · '));
}

function minute(time: unknown): string | undefined {
	return typeof time === 'string' ? time.replace('T', ' ').slice(0, 16) : undefined;
}

async function listRecords(
	context: ILoadOptionsFunctions,
	id: string,
	action: string,
	query?: IDataObject,
): Promise<IDataObject[]> {
	const records = readList(await read(context, id, action, query)) ?? [];
	return records.filter(isRecord) as IDataObject[];
}

/** @returns the body of the response to a call, by its `operationId` */
async function read(
	context: ILoadOptionsFunctions,
	id: string,
	action: string,
	query: IDataObject = {},
	pathValues?: Readonly<Record<string, string>>,
): Promise<unknown> {
	const { path, takesSystem } = callOf(id);
	const system = takesSystem ? chosenSystem(context) : false;
	const errorContext = { node: context.getNode(), action };
	try {
		const account = await openAccount(context, 'hospitalityBookingApi');
		const expects = pathValues ? 'record' : 'list';
		const filled = fillPath(path, pathValues ?? {});
		const request = { method: 'GET', path: filled, query, system, expects } as const;
		return (await account.call(request, errorContext)).body;
	} catch (error) {
		throw toNodeError(errorContext, error);
	}
}

/** The system that the node will work on: its 'System' option, unless that is an expression. */
function chosenSystem(context: ILoadOptionsFunctions): string | undefined {
	const options: unknown = context.getCurrentNodeParameter('options');
	const system = isRecord(options) && typeof options.system === 'string' ? options.system.trim() : '';
	return system === '' || system.startsWith('=') ? undefined : system;
}
