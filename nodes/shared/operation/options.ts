import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { MAX_WINDOW } from '../http/concurrency/limiter';
import { InvalidValueError } from '../values/invalidValue';
import { parameter } from './declare';
import type { ItemContext, Operation, Service } from './operation';
import { readNumber } from '../values/number';
import { isRecord } from '../values/record';
import { checkHeaderText } from '../values/text';
import type { ServiceRequest } from '../auth/account';
import { readProxy } from '../auth/deployment';
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
 * Puts the 'System' of the node into a request.
 *
 * @param options as read for the item
 * @param rawOptions as they stand in the workflow, to tell a 'System' whose expression is empty from one left empty
 * @param takesSystem false for the one operation without a `system` header
 * @throws InvalidValueError for a 'System' whose expression is empty
 */
export function applyOptions(
	request: ServiceRequest,
	options: IDataObject,
	rawOptions: unknown,
	takesSystem: boolean,
): void {
	request.system = takesSystem ? readSystem(options, rawOptions) : false;
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

/** The settings of the node for one item: 'Options' and n8n's own 'Request Options'. */
export interface ItemSettings extends Pace, Required<Pick<ServiceRequest, 'network' | 'giveUpAfterMs'>> {}

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
