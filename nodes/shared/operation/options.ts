import type { IDataObject, INodeProperties } from 'n8n-workflow';
import mapValues from 'lodash/mapValues';

import { MAX_WINDOW } from '../http/concurrency/limiter';
import { DEFAULT_LARGEST_MB, MOST_MB } from '../transport/response';
import { InvalidValueError } from '../values/invalidValue';
import type { Operation, Service } from './operation';
import { isRecord } from '../values/record';
import { checkHeaderText, checkWellFormed } from '../values/text';
import type { ServiceRequest } from '../http/send';

const nameAndValue = (what: string, example: string): INodeProperties[] => [
	{
		displayName: 'Name',
		name: 'name',
		type: 'string',
		default: '',
		placeholder: `e.g. ${example}`,
		description: `Name of the ${what}`,
	},
	{ displayName: 'Value', name: 'value', type: 'string', default: '', description: `Value of the ${what}` },
];

/** How fast calls go out, how long rate-limited ones are retried and how much is read, the same for every node. */
export const paceOptions: INodeProperties[] = [
	{
		displayName: 'Calls at Once',
		name: 'callsAtOnce',
		type: 'number',
		typeOptions: { minValue: 0, maxValue: MAX_WINDOW, numberPrecision: 0 },
		default: 0,
		description: `Most calls under way at the same time (1 to ${MAX_WINDOW}). 0 is automatic: as many as the service can handle.`,
	},
	{
		displayName: 'Give Up After (Minutes)',
		name: 'giveUpAfter',
		type: 'number',
		typeOptions: { minValue: 0, maxValue: 1440 },
		default: 10,
		description:
			'How long to repeat calls that the service refuses because it receives too many, counted from the start of the node',
	},
	{
		displayName: 'Largest Response (MB)',
		name: 'largestResponse',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: MOST_MB },
		default: DEFAULT_LARGEST_MB,
		description: `Most megabytes to read of one response (1 to ${MOST_MB}). A larger one needs several times as much memory.`,
	},
];

/** For what a deployment does differently from the documents. */
export const extraRequestOptions: INodeProperties[] = [
	{
		displayName: 'Extra Headers',
		name: 'extraHeaders',
		type: 'fixedCollection',
		typeOptions: { multipleValues: true },
		placeholder: 'Add Header',
		default: {},
		description: 'Headers to send besides the documented ones, if your deployment needs them',
		options: [{ displayName: 'Header', name: 'entry', values: nameAndValue('header', 'X-Request-Source') }],
	},
	{
		displayName: 'Extra Query Parameters',
		name: 'extraQuery',
		type: 'fixedCollection',
		typeOptions: { multipleValues: true },
		placeholder: 'Add Query Parameter',
		default: {},
		description: 'Query parameters to send besides the documented ones, if your deployment needs them',
		options: [
			{ displayName: 'Query Parameter', name: 'entry', values: nameAndValue('query parameter', 'lang') },
		],
	},
];

/** 'System', which overrides the credential's for one node or item. */
export const systemOption: INodeProperties = {
	displayName: 'System',
	name: 'system',
	type: 'string',
	default: '',
	placeholder: 'e.g. my-other-restaurant',
	description: "Name of the system (database) to work with instead of the credential's",
};

/** The same, hidden for the operations that take no `system` header. */
export function systemOptionOf(service: Service): INodeProperties {
	return hiddenWhere(service, systemOption, ({ takesSystem }) => takesSystem === false);
}

/** 'Allow Unknown Fields', for the operations with a body. */
export function unknownFieldsOptionOf(service: Service): INodeProperties {
	const property: INodeProperties = {
		displayName: 'Allow Unknown Fields',
		name: 'allowUnknownFields',
		type: 'boolean',
		default: false,
		description:
			'Whether to send fields of the JSON that the API documentation does not have, if your deployment takes them',
	};
	return hiddenWhere(service, property, ({ body }) => body === undefined);
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
	const system = enteredValue(options, rawOptions, 'system');
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

/**
 * An option that a person has added must not come out empty: leaving it out may do more.
 *
 * @param values of a collection, as read for the item
 * @param raw the collection as it stands in the workflow
 * @returns undefined where the option was not filled in, null where its expression is empty
 */
export function enteredValue(values: Readonly<Record<string, unknown>>, raw: unknown, name: string): unknown {
	const value = values[name];
	if (value !== undefined && value !== null && String(value).trim() !== '') return value;
	const isFilledIn = isRecord(raw) ? !['', null, undefined].includes(raw[name] as null) : name in values;
	return isFilledIn ? null : undefined;
}

function readPairs(
	value: unknown,
	label: string,
	check: (text: string, label: string) => void,
): Array<[name: string, value: string]> {
	const entries = isRecord(value) && Array.isArray(value.entry) ? value.entry : [];
	return entries.filter(isRecord).map((entry, index) => {
		const { name, value: own } = entry;
		const key = String(name ?? '').trim();
		if (!/^[\w.~!#$&'*+^`|-]+$/.test(key)) {
			throw new InvalidValueError(
				`${label} ${index + 1}`,
				'has no usable name',
				'Enter a name of letters, digits and dashes',
			);
		}
		if ('value' in entry && (own === undefined || own === null))
			throw new InvalidValueError(
				`${label} ${index + 1}`,
				'is empty',
				'Without its value the request could cover more. Check the expression, or remove the row.',
			);
		const text = own ?? '';
		if (typeof text !== 'string' && typeof text !== 'boolean' && !Number.isFinite(text))
			throw new InvalidValueError(
				`${label} ${index + 1}`,
				'is not a text',
				'Give a text, a number or a boolean as the value',
			);
		check(String(text), `${label} ${index + 1}`);
		return [key, String(text)];
	});
}
