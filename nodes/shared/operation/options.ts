import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { MAX_WINDOW } from '../http/concurrency/limiter';
import { InvalidValueError } from '../values/invalidValue';
import { readNumber } from '../values/number';
import { isRecord } from '../values/record';
import { checkHeaderText } from '../values/text';
import type { ServiceRequest } from '../auth/account';
import { readProxy } from '../auth/deployment';
import { parameter } from './declare';
import { sortedByName } from './fields';
import { toBoolean } from './formValues';
import type { Operation, RunSettings, Service } from './operation';

const concurrencyLimit = parameter('Concurrency Limit', 'concurrencyLimit', {
	as: 'integer',
	typeOptions: { minValue: 0, maxValue: MAX_WINDOW, numberPrecision: 0 },
	description: `Maximum number of concurrent calls, 1 to ${MAX_WINDOW}. 0 adapts automatically.`,
});
const giveUpAfter = parameter('Give Up After (Minutes)', 'giveUpAfter', {
	as: 'integer',
	typeOptions: { minValue: 0, maxValue: 1440 },
	default: 10,
	description: 'How long to wait for a service that throttles or is unreachable',
});

/** Named as in HTTP Request. */
const timeout = parameter('Timeout', 'timeout', {
	as: 'integer',
	typeOptions: { minValue: 1 },
	default: 300_000,
	description: 'Time in ms to wait for a response',
});
const proxy = parameter('Proxy', 'proxy', {
	placeholder: 'e.g. http://myproxy:3128',
	description: 'HTTP proxy to use',
});
const allowUnauthorizedCerts = parameter('Ignore SSL Issues (Insecure)', 'allowUnauthorizedCerts', {
	as: 'boolean',
	description: 'Whether to connect even if the certificate is not valid',
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
	description: "System to work with instead of the credential's",
});

const unknownFieldsOption = parameter('Allow Unknown Fields', 'allowUnknownFields', {
	as: 'boolean',
	description: 'Whether to send JSON fields that the API documentation does not have',
});

/** The collection 'Options' of an operation. */
export function optionsOf(
	{ credential }: Service,
	{ takesSystem, body, options = [] }: Operation,
): INodeProperties {
	return optionsCollection(
		sortedByName([
			...[concurrencyLimit, giveUpAfter, timeout, proxy, allowUnauthorizedCerts],
			...(credential === 'hospitalityBookingApi' && takesSystem !== false ? [systemOption] : []),
			...(body ? [unknownFieldsOption] : []),
			...options,
		]),
	);
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
 * @returns the option's default where it was not filled in
 * @throws InvalidValueError that names the option and says what came
 */
export function readNumberOption(entered: Entered, option: INodeProperties): number {
	return numberOf(option, enteredValue(entered, option.name));
}

/** @param hint added to what may be entered */
function numberOf(
	{ displayName, default: standard, typeOptions = {} }: INodeProperties,
	value: unknown,
	hint?: string,
): number {
	const { minValue: least = 0, maxValue: most, numberPrecision } = typeOptions;
	if (value === undefined) return Number(standard);
	return readNumber(value, displayName, { least, most, isWhole: numberPrecision === 0, hint });
}

const MS_PER_MINUTE = 60_000;

/**
 * @param readFirst reads a parameter of the first item
 * @param rawOptions 'Options' as they stand in the workflow
 * @throws InvalidValueError that names the option; what n8n says of an expression
 */
export function readRunSettings(readFirst: (name: string) => unknown, rawOptions: unknown): RunSettings {
	const read = ({ name }: INodeProperties) =>
		enteredValue({ values: { [name]: readFirst(`options.${name}`) }, raw: rawOptions }, name);
	const address = read(proxy);
	const isInsecure = toBoolean(read(allowUnauthorizedCerts) ?? false, allowUnauthorizedCerts.displayName);
	const limit = numberOf(concurrencyLimit, read(concurrencyLimit), ', or 0 for automatic');
	return {
		concurrencyLimit: limit || MAX_WINDOW,
		giveUpAfterMs: numberOf(giveUpAfter, read(giveUpAfter)) * MS_PER_MINUTE,
		network: {
			timeout: numberOf(timeout, read(timeout)),
			...(isInsecure ? { skipSslCertificateValidation: true } : {}),
			...(address === undefined ? {} : { proxy: readProxy(address) }),
		},
	};
}
