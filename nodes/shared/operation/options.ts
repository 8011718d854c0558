import type { INodeProperties } from 'n8n-workflow';
import get from 'lodash/get';

import { MAX_WINDOW } from '../http/concurrency/limiter';
import { InvalidValueError } from '../values/invalidValue';
import { readNumber } from '../values/number';
import { isBlank } from '../values/blank';
import { checkHeaderText } from '../values/text';
import { parameter } from './declare';
import { sortedByName } from './fields';
import type { ItemContext, Operation, RunSettings, Service } from './operation';

const concurrencyLimit = parameter('Concurrency Limit', 'concurrencyLimit', {
	as: 'integer',
	typeOptions: { minValue: 0, maxValue: MAX_WINDOW, numberPrecision: 0 },
	description: 'Most calls at once; 0 is automatic',
});
const giveUpAfter = parameter('Give Up After (Minutes)', 'giveUpAfter', {
	as: 'integer',
	typeOptions: { minValue: 0, maxValue: 1440 },
	default: 10,
	description: 'How long to wait while the service is busy',
});

/** Named as in HTTP Request. */
const timeout = parameter('Timeout', 'timeout', {
	as: 'integer',
	typeOptions: { minValue: 1 },
	default: 300_000,
	description: 'Limit for a response, in ms',
});

export function optionsCollection(options: readonly INodeProperties[]): INodeProperties {
	return {
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add Option',
		default: {},
		options: [...options],
	};
}

export const systemOption = parameter('System', 'system', {
	placeholder: 'e.g. my-other-restaurant',
	description: "Overrides the credential's",
});

export const unknownFieldsOption = parameter('Allow Unknown Fields', 'allowUnknownFields', {
	as: 'boolean',
	description: 'Whether to send undocumented fields',
});

/** The collection 'Options' of an operation. */
export function optionsOf(
	{ credential }: Service,
	{ takesSystem, body, options = [] }: Operation,
): INodeProperties {
	return optionsCollection(
		sortedByName([
			...[concurrencyLimit, giveUpAfter, timeout],
			...(credential === 'hospitalityBookingApi' && takesSystem !== false ? [systemOption] : []),
			...(body ? [unknownFieldsOption] : []),
			...options,
		]),
	);
}

/** What options are read from: values by path, and the node as stored in the workflow. */
type Form = Pick<ItemContext, 'read' | 'node'>;

/**
 * Reads an option. One that a person has added must not come out empty: without it, the call may do more.
 *
 * @returns undefined if the option was not filled in, null if its expression is empty
 */
function readOption({ read, node }: Form, { name }: INodeProperties): unknown {
	const value = read(`options.${name}`);
	if (String(value ?? '').trim() !== '') return value;
	return isBlank(get(node.parameters.options, name)) ? undefined : null;
}

/**
 * Reads the 'System' of a node.
 *
 * @returns undefined to use the credential's System
 * @throws InvalidValueError if the option's expression is empty: the credential's system is another database
 */
export function readSystem(form: Form): string | undefined {
	const system = readOption(form, systemOption);
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
 * @param hint added to what may be entered
 * @returns the option's default if it was not filled in
 * @throws InvalidValueError that names the option and says what came
 */
function readNumberOption(form: Form, option: INodeProperties, hint?: string): number {
	const { displayName, default: standard, typeOptions = {} } = option;
	const { minValue: least = 0, maxValue: most, numberPrecision } = typeOptions;
	const value = readOption(form, option);
	if (value === undefined) return Number(standard);
	return readNumber(value, displayName, { least, most, isWhole: numberPrecision === 0, hint });
}

const MS_PER_MINUTE = 60_000;

/**
 * @param first the form of the first item
 * @throws InvalidValueError that names the option; n8n's own error for an expression
 */
export function readRunSettings(first: Form): RunSettings {
	return {
		concurrencyLimit: readNumberOption(first, concurrencyLimit, ', or 0 for automatic') || MAX_WINDOW,
		giveUpAfterMs: readNumberOption(first, giveUpAfter) * MS_PER_MINUTE,
		timeout: readNumberOption(first, timeout),
	};
}
