import type { IExecuteFunctions } from 'n8n-workflow';

import { type CallingContext, readRunCredentials } from '../auth/runCredentials';
import { toNodeError } from '../errors/nodeErrors';
import { type RequestOptions, readRequestOptions } from '../http/requestOptions';
import { checkTimeZone } from '../values/dateTime';
import { InvalidValueError } from '../values/invalidValue';
import { isRecord } from '../values/record';
import type { Field } from './fields';
import type { Operation, Service } from './operation';

export const DEFAULT_CALLS_AT_ONCE = 10;
export const MAX_CALLS_AT_ONCE = 50;

/** What is the same for all items of a run. */
export interface RunSettings extends RequestOptions {
	callsAtOnce: number;
	/** IANA name. */
	timeZone: string;
}

/**
 * Reads the settings of a run, once, from the first item.
 *
 * @throws NodeOperationError that names the option
 */
export async function readRunSettings(
	context: IExecuteFunctions,
	service: Service,
	operation: Operation,
): Promise<RunSettings> {
	try {
		const options = context.getNodeParameter('options', 0, {});
		return {
			...readRequestOptions(context.getNodeParameter('requestOptions', 0, {})),
			callsAtOnce: readCallsAtOnce(isRecord(options) ? options.callsAtOnce : undefined),
			timeZone: await readTimeZone(context, service, operation),
		};
	} catch (error) {
		throw toNodeError({ node: context.getNode(), action: operation.action }, error);
	}
}

/** @returns the credential's Time Zone where the operation takes dates and times, `UTC` elsewhere */
export async function readTimeZone(
	context: CallingContext,
	{ credential }: Service,
	{ query = [], body, parameters = [] }: Operation,
): Promise<string> {
	const fields = [...query, ...(body?.sections ?? [])].flatMap((part) => part.fields);
	const takesTimes = fields.some(hasTime) || parameters.some(({ type }) => type === 'dateTime');
	if (!takesTimes || credential !== 'hospitalityBookingApi') return 'UTC';
	const { timeZone } = await readRunCredentials(context, credential);
	return checkTimeZone(timeZone);
}

function hasTime({ property, entries = [] }: Field): boolean {
	return property.type === 'dateTime' || entries.some(hasTime);
}

function readCallsAtOnce(value: unknown): number {
	if (value === undefined || value === '') return DEFAULT_CALLS_AT_ONCE;
	if (Number.isInteger(value) && Number(value) >= 1 && Number(value) <= MAX_CALLS_AT_ONCE)
		return Number(value);
	throw new InvalidValueError(
		'Calls at Once',
		`is ${String(value)}`,
		`Enter a whole number from 1 to ${MAX_CALLS_AT_ONCE}`,
	);
}
