import type {
	IDataObject,
	ILoadOptionsFunctions,
	INodeListSearchItems,
	INodeListSearchResult,
	INodePropertyOptions,
} from 'n8n-workflow';
import range from 'lodash/range';
import sortBy from 'lodash/sortBy';

import { openAccount } from '../auth/account';
import { callOf } from '../contract/calls';
import { toNodeError } from '../errors/nodeErrors';
import { readList } from '../http/response';
import { isBlank } from '../values/blank';
import { plainText } from '../values/plainText';
import { isRecord } from '../values/record';
import { compareNames, comparable } from '../values/text';
import { DAY } from '../values/timestamp';
import { type OutputShape, shapeRecord } from '../output/recordShape';
import { customers, surveyRecipients, webBookings } from './records';

/** More entries than a person scrolls through; typing finds the others. */
const MOST_ENTRIES = 200;
const MAX_NAME_LENGTH = 200;
/** Bookings to choose from, in days from now. */
const [DAYS_BACK, DAYS_AHEAD] = [2, 90];

/** A list to choose from, of one call of the API, sorted by name. */
function listOfCall(
	operation: string,
	shape: OutputShape,
	wordsOf: (simplified: IDataObject) => unknown[],
	queryOf: () => IDataObject = () => ({}),
) {
	return async function (this: ILoadOptionsFunctions, filter = ''): Promise<INodeListSearchResult> {
		const { records, timeZone } = await readRecords(this, operation, queryOf());
		const context = { timeZone, statusRoles: {} };
		const wanted = comparable(filter);
		const entries = records
			.map((record): INodeListSearchItems => {
				const simplified = shapeRecord(record, shape, 'simplified', [], context);
				const value = String(simplified[shape.id ?? 'id']);
				return { name: joinWords(...wordsOf(simplified)) || value, value };
			})
			.filter(({ name, value }) =>
				[name, value].some((text) => comparable(String(text)).includes(wanted)),
			);
		entries.sort((one, other) => compareNames(one.name, other.name));
		return { results: entries.slice(0, MOST_ENTRIES) };
	};
}

/** Web bookings from the last days to the coming months, by their start. @see contract/openapi.yaml webBooking.getAll */
export const searchWebBookings = listOfCall(
	'webBooking.getAll',
	webBookings,
	({ date, time, guests, guestName, bookingNumber, status }) => [
		date && `${String(date)} ${String(time)}`,
		guestName,
		typeof guests === 'number' && `${guests} ${guests === 1 ? 'guest' : 'guests'}`,
		bookingNumber,
		typeof status === 'number' ? `Status ${status}` : status,
	],
	() => ({
		startTime: daysFromNow(-DAYS_BACK),
		endTime: daysFromNow(DAYS_AHEAD),
		includeContact: true,
	}),
);

/** Customers by name. @see contract/openapi.yaml customer.getAll */
export const searchCustomers = listOfCall(
	'customer.getAll',
	customers,
	({ name, city, customerNumber }) => [name, city, customerNumber],
);

/** Survey recipients by name. @see contract/openapi.yaml surveyRecipient.getAll */
export const searchSurveyRecipients = listOfCall(
	'surveyRecipient.getAll',
	surveyRecipients,
	({ name, email, statusName, sentTime }) => {
		return [name, email, statusName, String(sentTime ?? '').slice(0, 'yyyy-mm-dd'.length)];
	},
);

/** The names of statuses come from the history of bookings changed within these days. */
const DAYS_OF_HISTORY = 30;
/** @see contract/openapi.yaml WebBookingStatus */
const STATUSES: readonly number[] = [...range(11), ...range(100, 117), 9999, -1];

/** The statuses of a web booking: first those with a name in the history of recent bookings, then the rest by number. */
export async function getBookingStatuses(
	this: ILoadOptionsFunctions,
): Promise<INodePropertyOptions[]> {
	const query = { changedFrom: daysFromNow(-DAYS_OF_HISTORY) };
	const { records } = await readRecords(this, 'webBooking.getAll', query);
	const names = new Map<unknown, string>();
	for (const entry of records.flatMap(({ history }) => (Array.isArray(history) ? history : [])))
		if (isRecord(entry)) names.set(entry.status, joinWords(entry.statusName));
	const options = STATUSES.map((value) => ({ name: names.get(value) || `Status ${value}`, value }));
	return sortBy(options, ({ value }) => !names.get(value));
}

function daysFromNow(days: number): string {
	return new Date(Date.now() + days * DAY).toISOString().replace(/\.\d+/, '');
}

/** @returns plain text: a menu in n8n's editor may render markup */
function joinWords(...words: unknown[]): string {
	const given = words.filter((word) => word !== false && !isBlank(word));
	return plainText(given.join(' · '), MAX_NAME_LENGTH).trim();
}

/** Makes the call of an operation that lists records. */
async function readRecords(
	context: ILoadOptionsFunctions,
	operation: string,
	query: IDataObject,
): Promise<{ records: IDataObject[]; timeZone: string }> {
	const errorContext = { node: context.getNode(), action: 'Load list' };
	try {
		const { call, timeZone } = await openAccount(context, 'hospitalityBookingApi');
		const { path } = callOf(operation);
		const request = {
			method: 'GET',
			path,
			query,
			system: chosenSystem(context),
			expects: 'list',
		} as const;
		const { body } = await call(request, errorContext);
		return { records: (readList(body) ?? []).filter(isRecord) as IDataObject[], timeZone };
	} catch (error) {
		throw toNodeError(errorContext, error);
	}
}

/** The system that the node will work on: its 'System' option, unless that is an expression. */
function chosenSystem(context: ILoadOptionsFunctions): string | undefined {
	const system = String(context.getCurrentNodeParameter('options.system') ?? '').trim();
	return system === '' || system.startsWith('=') ? undefined : system;
}
