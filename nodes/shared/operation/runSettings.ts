import type { IExecuteFunctions, IHttpRequestOptions } from 'n8n-workflow';

import { type CallingContext, readRunCredentials } from '../auth/authorizedCall';
import { MAX_WINDOW } from '../http/concurrency/limiter';
import { queueFor } from '../http/concurrency/accounts';
import type { CallQueue } from '../http/concurrency/callQueue';
import { DEFAULT_LARGEST_MB, MOST_MB } from '../transport/response';
import type { ServiceRequest } from '../http/send';
import { checkTimeZone } from '../values/dateTime';
import { InvalidValueError } from '../values/invalidValue';
import { readNumber } from '../values/number';
import { isRecord } from '../values/record';
import type { Field } from './fields';
import type { ItemContext } from './itemContext';
import type { Operation, Service } from './operation';
import { enteredValue } from './options';

const DEFAULT_GIVE_UP_AFTER_MINUTES = 10;
const MAX_GIVE_UP_AFTER_MINUTES = 1440;
const MS_PER_MINUTE = 60_000;

/** What all items of a run share. */
export interface Run {
	/** Of the account. */
	queue: CallQueue;
	/** IANA name. */
	timeZone: string;
	/** Milliseconds since 1970. */
	startedAt: number;
}

/** The settings of the node for one item: 'Options' and n8n's own 'Request Options'. */
export interface ItemSettings {
	network: NonNullable<ServiceRequest['network']>;
	/** Items to start together before the next pause. */
	batchSize: number;
	/** The pause in milliseconds; 0 for none. */
	batchInterval: number;
	/** Most calls under way at the same time. */
	callsAtOnce: number;
	/** Milliseconds since 1970 until which rate-limited calls are retried. */
	giveUpAt: number;
	/** Megabytes that a response may have. */
	largestMb: number;
}

/** @throws what n8n says when the credential cannot be read; InvalidValueError for its Time Zone */
export async function openRun(
	context: IExecuteFunctions,
	service: Service,
	operation: Operation,
): Promise<Run> {
	return {
		queue: await queueFor(context, service.credential),
		timeZone: await readTimeZone(context, service, operation),
		startedAt: Date.now(),
	};
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

/**
 * @param startedAt when the run began, in milliseconds since 1970
 * @throws InvalidValueError that names the option; what n8n says of an expression
 */
export function readItemSettings(
	{ options, read, node: { parameters } }: ItemContext,
	startedAt: number,
): ItemSettings {
	const pace = { values: options, raw: parameters.options };
	const given = read('requestOptions');
	const request = { values: isRecord(given) ? given : {}, raw: parameters.requestOptions };
	const batch = { values: inside(request.values), raw: inside(request.raw) };
	const giveUpAfter = entered(pace, 'giveUpAfter', 'Give Up After (Minutes)', {
		least: 0,
		most: MAX_GIVE_UP_AFTER_MINUTES,
	});
	const callsAtOnce = entered(pace, 'callsAtOnce', 'Calls at Once', {
		least: 0,
		most: MAX_WINDOW,
		isWhole: true,
		hint: ', or 0 for automatic',
	});
	const largestMb = entered(pace, 'largestResponse', 'Largest Response (MB)', { least: 1, most: MOST_MB });
	const size = entered(batch, 'batchSize', 'Items per Batch', { least: -1, isWhole: true }) ?? 1;
	const interval = entered(batch, 'batchInterval', 'Batch Interval (ms)', { least: 0 }) ?? 0;
	return {
		network: readNetwork(request),
		// As n8n's form says: -1 is for none, 0 is treated as 1.
		batchSize: Math.max(1, size),
		batchInterval: size < 0 ? 0 : interval,
		callsAtOnce: callsAtOnce || MAX_WINDOW,
		largestMb: largestMb ?? DEFAULT_LARGEST_MB,
		giveUpAt: startedAt + (giveUpAfter ?? DEFAULT_GIVE_UP_AFTER_MINUTES) * MS_PER_MINUTE,
	};
}

/** A collection as read for the item, and as it stands in the workflow. */
interface Collection {
	values: Readonly<Record<string, unknown>>;
	raw: unknown;
}

function inside(requestOptions: unknown): Record<string, unknown> {
	const batching = isRecord(requestOptions) ? requestOptions.batching : undefined;
	return isRecord(batching) && isRecord(batching.batch) ? batching.batch : {};
}

function entered(
	{ values, raw }: Collection,
	name: string,
	label: string,
	range: Parameters<typeof readNumber>[2],
): number | undefined {
	const value = enteredValue(values, raw, name);
	return value === undefined ? undefined : readNumber(value, label, range);
}

function readNetwork(request: Collection): ItemSettings['network'] {
	const timeout = entered(request, 'timeout', 'Timeout', { least: 0 });
	const proxy = enteredValue(request.values, request.raw, 'proxy');
	return {
		...(timeout ? { timeout } : {}),
		...(request.values.allowUnauthorizedCerts === true ? { skipSslCertificateValidation: true } : {}),
		...(proxy === undefined ? {} : { proxy: readProxy(proxy) }),
	};
}

function readProxy(value: unknown): NonNullable<IHttpRequestOptions['proxy']> {
	const text = typeof value === 'string' ? value.trim() : '';
	const address = text.includes('://') ? text : `http://${text}`;
	if (!URL.canParse(address)) {
		throw new InvalidValueError(
			'Proxy',
			value === null ? 'is empty' : 'is not an address',
			'Enter a host and port, e.g. http://proxy.example.com:3128',
		);
	}
	const { hostname, port, protocol, username, password } = new URL(address);
	const auth = { username: decodeURIComponent(username), password: decodeURIComponent(password) };
	return {
		host: hostname,
		port: Number(port) || (protocol === 'https:' ? 443 : 80),
		protocol: protocol.replace(':', ''),
		...(username ? { auth } : {}),
	};
}
