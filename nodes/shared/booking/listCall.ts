import type { IDataObject, ILoadOptionsFunctions } from 'n8n-workflow';

import { type ServiceRequest, openAccount } from '../auth/account';
import { callOf } from '../contract/calls';
import { type ErrorContext, toNodeError } from '../errors/nodeErrors';
import { type ServiceResponse, readList } from '../http/response';
import { asText } from '../values/asText';
import { isBlank } from '../values/blank';
import { writeTime } from '../values/writeTime';
import { plainText } from '../values/plainText';
import { isRecord } from '../values/record';
import { DAY, SECOND } from '../values/timestamp';

const MAX_NAME_LENGTH = 200;

/** Records for a list in n8n's editor, and the zone and language that their times are shown in. */
interface ListedRecords {
	records: IDataObject[];
	/** IANA name */
	timeZone: string;
	/** BCP 47 tag */
	language: string;
}

/**
 * Makes the call of an operation that lists records, for a list to choose from in n8n's editor.
 *
 * @param operation its `operationId` in contract/openapi.yaml
 * @param queryIn the query, for a house in a time zone
 * @throws NodeApiError or NodeOperationError with the action 'Load list'
 */
export async function callForList(
	context: ILoadOptionsFunctions,
	operation: string,
	queryIn: (timeZone: string) => IDataObject = () => ({}),
): Promise<ListedRecords> {
	const errorContext: ErrorContext = { node: context.getNode(), action: 'Load list' };
	try {
		const account = await openAccount(context, 'hospitalityBookingApi');
		errorContext.secrets = () => account.currentSecrets();
		const { timeZone, language } = account;
		const request = { query: queryIn(timeZone), system: chosenSystem(context) };
		const call = async (each: ServiceRequest) => await account.call(each, errorContext);
		const listed = await listRecords(call, operation, request);
		const records = listed.filter(isRecord) as IDataObject[];
		return { records, timeZone, language };
	} catch (error) {
		throw toNodeError(errorContext, error);
	}
}

/**
 * @param call makes a call of the account
 * @param operation an operation that lists records
 * @param request its query, and how it is sent
 */
export async function listRecords(
	call: (request: ServiceRequest) => Promise<ServiceResponse>,
	operation: string,
	request: Omit<ServiceRequest, 'method' | 'path'>,
): Promise<unknown[]> {
	const { path } = callOf(operation);
	const { body } = await call({ ...request, method: 'GET', path, expects: 'list' });
	return readList(body) ?? [];
}

/** The system that the node will work on: its 'System' option, unless that is an expression. */
function chosenSystem(context: ILoadOptionsFunctions) {
	const entered = context.getCurrentNodeParameter('options.system') ?? '';
	const system = asText(entered).trim();
	if (system === '' || system.startsWith('=')) return undefined;
	return system;
}

/** @returns a time as queries have it */
export function daysFromNow(days: number, timeZone: string): string {
	const now = Math.floor(Date.now() / SECOND) * SECOND;
	return writeTime(now + days * DAY, timeZone);
}

/** @returns the words as one entry of a list, in plain text: a menu in n8n's editor may render markup */
export function entryName(words: readonly unknown[]): string {
	const given = words.filter((word) => word !== false && !isBlank(word));
	const name = plainText(given.map(asText).join(' · '), MAX_NAME_LENGTH);
	return name.trim();
}
