import type { IHttpRequestOptions } from 'n8n-workflow';

import { MAX_WINDOW } from '../http/concurrency/limiter';
import { InvalidValueError } from '../values/invalidValue';
import { isRecord } from '../values/record';
import type { ItemContext } from './itemContext';
import {
	type Entered,
	callsAtOnce,
	enteredValue,
	giveUpAfter,
	largestResponse,
	readNumberOption,
} from './options';
import type { CallSettings } from './request';
import type { Pace } from './startInTurn';

/** The settings of the node for one item: 'Options' and n8n's own 'Request Options'. */
export interface ItemSettings extends Pace, Required<CallSettings> {}

const MS_PER_MINUTE = 60_000;

/**
 * @param startedAt when the run began, in milliseconds since 1970
 * @throws InvalidValueError that names the option; what n8n says of an expression
 */
export function readItemSettings(
	{ options, read, node: { parameters } }: ItemContext,
	startedAt: number,
): ItemSettings {
	const given = read('requestOptions');
	const request = { values: isRecord(given) ? given : {}, raw: parameters.requestOptions };
	const batch = { values: inside(request.values), raw: inside(request.raw) };
	const own = { values: options, raw: parameters.options };
	const pace = {
		callsAtOnce: readNumberOption(own, callsAtOnce, ', or 0 for automatic') || MAX_WINDOW,
		giveUpAt: startedAt + readNumberOption(own, giveUpAfter) * MS_PER_MINUTE,
		largestMb: readNumberOption(own, largestResponse),
	};
	const size = readNumberOption(batch, BATCH_SIZE);
	const interval = readNumberOption(batch, BATCH_INTERVAL);
	return {
		...pace,
		network: readNetwork(request),
		// As n8n's form says: -1 is for none, 0 is treated as 1.
		batchSize: Math.max(1, size),
		batchInterval: size < 0 ? 0 : interval,
	};
}

/** What n8n's own 'Request Options' take. */
const BATCH_SIZE = {
	displayName: 'Items per Batch',
	name: 'batchSize',
	typeOptions: { minValue: -1, numberPrecision: 0 },
	default: 1,
};
const BATCH_INTERVAL = { displayName: 'Batch Interval (ms)', name: 'batchInterval', default: 0 };
const TIMEOUT = { displayName: 'Timeout', name: 'timeout', default: 0 };

function inside(requestOptions: unknown): Record<string, unknown> {
	const batching = isRecord(requestOptions) ? requestOptions.batching : undefined;
	return isRecord(batching) && isRecord(batching.batch) ? batching.batch : {};
}

function readNetwork(request: Entered): ItemSettings['network'] {
	const timeout = readNumberOption(request, TIMEOUT);
	const proxy = enteredValue(request, 'proxy');
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
