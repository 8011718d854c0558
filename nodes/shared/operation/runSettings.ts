import type { IExecuteFunctions } from 'n8n-workflow';

import { type CallingContext, readRunCredentials } from '../auth/authorizedCall';
import { toNodeError } from '../errors/nodeErrors';
import { MAX_WINDOW } from '../http/concurrency/limiter';
import { queueFor } from '../http/concurrency/accounts';
import type { CallQueue } from '../http/concurrency/callQueue';
import { type RequestOptions, readRequestOptions } from '../http/requestOptions';
import { checkTimeZone } from '../values/dateTime';
import { InvalidValueError } from '../values/invalidValue';
import { isRecord } from '../values/record';
import type { Field } from './fields';
import type { Operation, Service } from './operation';

const DEFAULT_GIVE_UP_AFTER_MINUTES = 10;
const MAX_GIVE_UP_AFTER_MINUTES = 1440;
const MS_PER_MINUTE = 60_000;

/** What is the same for all items of a run. */
export interface RunSettings extends RequestOptions {
	/** Of the account. */
	queue: CallQueue;
	/** Most calls under way at the same time. */
	callsAtOnce: number;
	/** Milliseconds since 1970 until which calls are repeated that the service refuses for now. */
	giveUpAt: number;
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
		const given = context.getNodeParameter('options', 0, {});
		const options = isRecord(given) ? given : {};
		return {
			...readRequestOptions(context.getNodeParameter('requestOptions', 0, {})),
			queue: await queueFor(context, service.credential),
			callsAtOnce: readCallsAtOnce(options.callsAtOnce),
			giveUpAt: Date.now() + readGiveUpAfter(options.giveUpAfter) * MS_PER_MINUTE,
			timeZone: await readTimeZone(context, service, operation),
		};
	} catch (error) {
		throw toNodeError({ node: context.getNode(), action: operation.action }, error);
	}
}

/** @returns the credential's Time Zone, or without one the workflow's, where the operation takes dates and times, `UTC` elsewhere */
export async function readTimeZone(
	context: CallingContext,
	{ credential }: Service,
	{ query = [], body, parameters = [] }: Operation,
): Promise<string> {
	const fields = [...query, ...(body?.sections ?? [])].flatMap((part) => part.fields);
	const takesTimes = fields.some(hasTime) || parameters.some(({ type }) => type === 'dateTime');
	if (!takesTimes || credential !== 'hospitalityBookingApi') return 'UTC';
	const { timeZone } = await readRunCredentials(context, credential);
	return checkTimeZone(timeZone, context.getTimezone());
}

function hasTime({ property, entries = [] }: Field): boolean {
	return property.type === 'dateTime' || entries.some(hasTime);
}

function readCallsAtOnce(value: unknown): number {
	if (value === undefined || value === '' || value === 0) return MAX_WINDOW;
	if (Number.isInteger(value) && Number(value) >= 1 && Number(value) <= MAX_WINDOW) return Number(value);
	throw new InvalidValueError(
		'Calls at Once',
		`is ${String(value)}`,
		`Enter a whole number from 1 to ${MAX_WINDOW}, or 0 for automatic`,
	);
}

function readGiveUpAfter(value: unknown): number {
	if (value === undefined || value === '') return DEFAULT_GIVE_UP_AFTER_MINUTES;
	if (typeof value === 'number' && value >= 0 && value <= MAX_GIVE_UP_AFTER_MINUTES) return value;
	throw new InvalidValueError(
		'Give Up After (Minutes)',
		`is ${String(value)}`,
		`Enter a number from 0 to ${MAX_GIVE_UP_AFTER_MINUTES}`,
	);
}
