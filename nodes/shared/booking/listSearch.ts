import type {
	IDataObject,
	ILoadOptionsFunctions,
	INodeListSearchItems,
	INodeListSearchResult,
	INodePropertyOptions,
} from 'n8n-workflow';
import partition from 'lodash/partition';
import range from 'lodash/range';

import { openAccount } from '../auth/account';
import { callOf } from '../contract/calls';
import { toNodeError } from '../errors/nodeErrors';
import { readList } from '../http/response';
import { plainText } from '../values/plainText';
import { isRecord } from '../values/record';
import { compareNames, comparable } from '../values/text';
import { DAY } from '../values/timestamp';
import { type OutputShape, shapeRecord } from './recordShape';
import { customers, surveyRecipients, webBookings } from './records';

/** More entries than a person scrolls through; typing finds the others. */
const MOST_ENTRIES = 200;
const MAX_NAME_LENGTH = 200;
/** Bookings to choose from, in days from now. */
const [DAYS_BACK, DAYS_AHEAD] = [2, 90];

/** A list to choose from, of one call of the API, sorted by name. */
function listOfCall(
	operation: string,
	action: string,
	shape: OutputShape,
	entryOf: (simplified: IDataObject) => { name: string; value: unknown },
	queryOf: () => IDataObject = () => ({}),
) {
	return async function (this: ILoadOptionsFunctions, filter = ''): Promise<INodeListSearchResult> {
		const { records, timeZone } = await readRecords(this, operation, action, queryOf());
		const context = { timeZone, statusRoles: {} };
		const wanted = comparable(filter);
		const entries = records
			.map((record): INodeListSearchItems => {
				const { name, value } = entryOf(shapeRecord(record, shape, 'simplified', [], context));
				return { name: name || String(value), value: String(value) };
			})
			.filter(({ name, value }) => [name, value].some((text) => comparable(String(text)).includes(wanted)))
			.sort((one, other) => compareNames(one.name, other.name));
		return { results: entries.slice(0, MOST_ENTRIES) };
	};
}

/** Web bookings from the last days to the coming months, by their start. @see contract/openapi.yaml webBooking.getAll */
export const searchWebBookings = listOfCall(
	'webBooking.getAll',
	'List web bookings',
	webBookings,
	({ date, time, guests, guestName, bookingNumber, status, guid }) => {
		const start = date && `${String(date)} ${String(time)}`;
		const people = typeof guests === 'number' ? `${guests} ${guests === 1 ? 'guest' : 'guests'}` : '';
		const shownStatus = typeof status === 'number' ? `Status ${status}` : status;
		return { name: words(start, guestName, people, bookingNumber, shownStatus), value: guid };
	},
	() => ({ startTime: daysFromNow(-DAYS_BACK), endTime: daysFromNow(DAYS_AHEAD), includeContact: true }),
);

/** Customers by name. @see contract/openapi.yaml customer.getAll */
export const searchCustomers = listOfCall(
	'customer.getAll',
	'List customers',
	customers,
	({ id, name, city, customerNumber }) => ({ name: words(name, city, customerNumber), value: id }),
);

/** Survey recipients by name. @see contract/openapi.yaml surveyRecipient.getAll */
export const searchSurveyRecipients = listOfCall(
	'surveyRecipient.getAll',
	'List survey recipients',
	surveyRecipients,
	({ id, name, email, statusName, sentTime }) => {
		const sent = String(sentTime ?? '').slice(0, 'yyyy-mm-dd'.length);
		return { name: words(name, email, statusName, sent), value: id };
	},
);

/** The names of statuses come from the history of bookings changed within these days. */
const DAYS_OF_HISTORY = 30;
/** @see contract/openapi.yaml WebBookingStatus */
const STATUSES: readonly number[] = [...range(11), ...range(100, 117), 9999, -1];

/** The statuses of a web booking: first those with a name in the history of recent bookings, then the rest by number. */
export async function getBookingStatuses(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
	const query = { changedFrom: daysFromNow(-DAYS_OF_HISTORY) };
	const { records } = await readRecords(this, 'webBooking.getAll', 'List web bookings', query);
	const names = new Map<unknown, string>();
	for (const entry of records.flatMap(({ history }) => (Array.isArray(history) ? history : [])))
		if (isRecord(entry)) names.set(entry.status, words(entry.statusName));
	const [named, others] = partition(STATUSES, (status) => names.get(status));
	return [
		...named
			.map((value) => ({ name: names.get(value) ?? '', value }))
			.sort((one, other) => compareNames(one.name, other.name)),
		...others.map((value) => ({ name: `Status ${value}`, value })),
	];
}

function daysFromNow(days: number): string {
	return new Date(Date.now() + days * DAY).toISOString().replace(/\.\d+/, '');
}

/** @returns plain text: a menu in n8n's editor may render markup */
function words(...parts: unknown[]): string {
	const given = parts.filter((part) => part !== null && part !== undefined && part !== '');
	return plainText(given.join(' · '), MAX_NAME_LENGTH).trim();
}

/** Makes the call of an operation that lists records. */
async function readRecords(
	context: ILoadOptionsFunctions,
	operation: string,
	action: string,
	query: IDataObject,
): Promise<{ records: IDataObject[]; timeZone: string }> {
	const errorContext = { node: context.getNode(), action };
	try {
		const { call, timeZone } = await openAccount(context, 'hospitalityBookingApi');
		const { path } = callOf(operation);
		const request = { method: 'GET', path, query, system: chosenSystem(context), expects: 'list' } as const;
		const { body } = await call(request, errorContext);
		return { records: (readList(body) ?? []).filter(isRecord) as IDataObject[], timeZone };
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
