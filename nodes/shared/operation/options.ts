import type { IDataObject, IHttpRequestOptions, INodeProperties } from 'n8n-workflow';
import lowerCase from 'lodash/lowerCase';
import mapValues from 'lodash/mapValues';
import upperFirst from 'lodash/upperFirst';

import { MAX_WINDOW } from '../http/concurrency/limiter';
import { DEFAULT_LARGEST_MB, MOST_MB } from '../http/response';
import { InvalidValueError } from '../values/invalidValue';
import { field, parameter } from './declare';
import type { ItemContext, Operation, Service } from './operation';
import { readNumber } from '../values/number';
import { isRecord } from '../values/record';
import { checkHeaderText, checkWellFormed } from '../values/text';
import type { ServiceRequest } from '../auth/account';
import type { Pace } from './startInTurn';

const callsAtOnce = parameter('Concurrency Limit', 'callsAtOnce', {
	as: 'integer',
	typeOptions: { minValue: 0, maxValue: MAX_WINDOW, numberPrecision: 0 },
	description: `Maximum number of concurrent calls (1 to ${MAX_WINDOW}). 0 adapts automatically to what the service can handle.`,
});
const giveUpAfter = parameter('Give Up After (Minutes)', 'giveUpAfter', {
	as: 'integer',
	typeOptions: { minValue: 0, maxValue: 1440 },
	default: 10,
	description:
		'How long a call waits while the service throttles it or cannot be reached, counted from when it could have been sent',
});
const largestResponse = parameter('Largest Response (MB)', 'largestResponse', {
	as: 'integer',
	typeOptions: { minValue: 1, maxValue: MOST_MB },
	default: DEFAULT_LARGEST_MB,
	description: `Maximum size of one response in megabytes (1 to ${MOST_MB}). Reading it takes several times as much memory.`,
});

/** For what a deployment does differently from the documents. */
export const extraRequestOptions: INodeProperties[] = [
	pairs('Extra Headers', 'extraHeaders', 'Header', 'X-Request-Source'),
	pairs('Extra Query Parameters', 'extraQuery', 'Query Parameter', 'lang'),
];

/** Names with values, as rows that can be added. */
function pairs(displayName: string, name: string, entry: string, example: string): INodeProperties {
	const what = lowerCase(entry);
	return parameter(displayName, name, {
		entry,
		entries: [
			field('Name', 'name', { description: `Name of the ${what}`, placeholder: `e.g. ${example}` }),
			field('Value', 'value', { description: `Value of the ${what}` }),
		],
		description: `${upperFirst(what)}s to send besides the documented ones, if your deployment needs them`,
	});
}

export function optionsCollection(options: INodeProperties[]): INodeProperties {
	return {
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add Option',
		default: {},
		options,
	};
}

export const systemOption = parameter('System', 'system', {
	placeholder: 'e.g. my-other-restaurant',
	description: "Name of the system (database) to work with instead of the credential's",
});

const unknownFieldsOption = parameter('Allow Unknown Fields', 'allowUnknownFields', {
	as: 'boolean',
	description:
		'Whether to send JSON fields that the API documentation does not have, if your deployment accepts them',
});

/** @param own those that only some operations have */
export function optionsOf(service: Service, own: readonly INodeProperties[]): INodeProperties[] {
	const system = hiddenWhere(service, systemOption, ({ takesSystem }) => takesSystem === false);
	return [
		hiddenWhere(service, unknownFieldsOption, ({ body }) => body === undefined),
		callsAtOnce,
		giveUpAfter,
		largestResponse,
		...extraRequestOptions,
		...(service.credential === 'hospitalityBookingApi' ? [system] : []),
		...own,
	];
}

function hiddenWhere(
	{ resources }: Service,
	property: INodeProperties,
	isHidden: (operation: Operation) => boolean,
): INodeProperties {
	const values = resources.flatMap(({ operations }) => operations.filter(isHidden).map(({ value }) => value));
	if (values.length === 0) return property;
	return { ...property, displayOptions: { hide: { '/operation': [...new Set(values)] } } };
}

/**
 * Puts the options that every operation has into a request.
 *
 * @param options as read for the item
 * @param rawOptions as they stand in the workflow, to tell a 'System' whose expression is empty from one left empty
 * @param takesSystem false for the one operation without a `system` header
 * @throws InvalidValueError for a 'System' whose expression is empty, a header or query parameter without a name
 */
export function applyOptions(
	request: ServiceRequest,
	options: IDataObject,
	rawOptions: unknown,
	takesSystem: boolean,
): void {
	request.system = takesSystem ? readSystem(options, rawOptions) : false;
	request.headers = {
		...request.headers,
		...Object.fromEntries(readPairs(options.extraHeaders, 'Extra Headers', checkHeaderText)),
	};
	const extraQuery: Record<string, string[]> = {};
	for (const [name, value] of readPairs(options.extraQuery, 'Extra Query Parameters', checkWellFormed))
		extraQuery[name] = [...(extraQuery[name] ?? []), value];
	request.query = { ...request.query, ...mapValues(extraQuery, (all) => (all.length > 1 ? all : all[0])) };
}

/**
 * @returns undefined where the credential's System counts
 * @throws InvalidValueError where the option's expression is empty: the credential's system is another database
 */
function readSystem(options: IDataObject, rawOptions: unknown): string | undefined {
	const system = enteredValue({ values: options, raw: rawOptions }, 'system');
	if (system === undefined) return undefined;
	if (typeof system === 'string' || Number.isFinite(system)) {
		const text = String(system).trim();
		checkHeaderText(text, 'System');
		return text;
	}
	throw new InvalidValueError(
		'System',
		system === null ? 'is empty' : 'is not a text',
		"Check the expression, or remove the option to work with the credential's system",
	);
}

/** A collection as read for an item, and as it stands in the workflow. */
interface Entered {
	values: Readonly<Record<string, unknown>>;
	raw: unknown;
}

/**
 * An option that a person has added must not come out empty: leaving it out may do more.
 *
 * @returns undefined where the option was not filled in, null where its expression is empty
 */
function enteredValue({ values, raw }: Entered, name: string): unknown {
	const value = values[name];
	if (value !== undefined && value !== null && String(value).trim() !== '') return value;
	const isFilledIn = isRecord(raw) ? !['', null, undefined].includes(raw[name] as null) : name in values;
	return isFilledIn ? null : undefined;
}

/**
 * @param hint added to what may be entered
 * @returns the option's default where it was not filled in
 * @throws InvalidValueError that names the option and says what came
 */
export function readNumberOption(
	entered: Entered,
	{ displayName, name, default: standard, typeOptions = {} }: Omit<INodeProperties, 'type'>,
	hint?: string,
): number {
	const { minValue: least = 0, maxValue: most, numberPrecision } = typeOptions;
	const value = enteredValue(entered, name);
	if (value === undefined) return Number(standard);
	return readNumber(value, displayName, { least, most, isWhole: numberPrecision === 0, hint });
}

function readPairs(
	value: unknown,
	label: string,
	check: (text: string, label: string) => void,
): Array<[name: string, value: string]> {
	const entries = isRecord(value) && Array.isArray(value.entry) ? value.entry : [];
	return entries.filter(isRecord).map((entry, index) => {
		const own = `${label} ${index + 1}`;
		const { name, value: given } = entry;
		const key = String(name ?? '').trim();
		if (!/^[\w.~!#$&'*+^`|-]+$/.test(key))
			throw new InvalidValueError(own, 'has no valid name', 'Enter a name of letters, digits and dashes');
		if ('value' in entry && (given === undefined || given === null))
			throw new InvalidValueError(
				own,
				'is empty',
				'Without its value the request could cover more. Check the expression, or remove the row.',
			);
		const text = given ?? '';
		if (typeof text !== 'string' && typeof text !== 'boolean' && !Number.isFinite(text))
			throw new InvalidValueError(own, 'is not a text', 'Enter a text, a number or a boolean as the value');
		check(String(text), own);
		return [key, String(text)];
	});
}

/** The settings of the node for one item: 'Options' and n8n's own 'Request Options'. */
export interface ItemSettings
	extends Pace, Required<Pick<ServiceRequest, 'network' | 'giveUpAfterMs' | 'largestMb'>> {}

const MS_PER_MINUTE = 60_000;

/** @throws InvalidValueError that names the option; what n8n says of an expression */
export function readItemSettings({ options, read, node: { parameters } }: ItemContext): ItemSettings {
	const given = read('requestOptions');
	const request = { values: isRecord(given) ? given : {}, raw: parameters.requestOptions };
	const batch = { values: inside(request.values), raw: inside(request.raw) };
	const own = { values: options, raw: parameters.options };
	const pace = {
		callsAtOnce: readNumberOption(own, callsAtOnce, ', or 0 for automatic') || MAX_WINDOW,
		giveUpAfterMs: readNumberOption(own, giveUpAfter) * MS_PER_MINUTE,
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
