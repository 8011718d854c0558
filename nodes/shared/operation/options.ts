import type { INodeProperties } from 'n8n-workflow';
import isEmpty from 'lodash/isEmpty';
import map from 'lodash/map';

import { MAX_WINDOW } from '../http/limiter';
import { asText } from '../values/asText';
import { InvalidValueError } from '../values/invalidValue';
import { isRecord } from '../values/record';
import { checkHeaderText } from '../values/text';
import { MINUTE } from '../values/timestamp';
import { type Form, readOption } from '../form/readParameter';
import { parameter } from '../form/rows';
import { refuseUnknownNames } from '../form/values';
import { type Field, collectionOf } from '../form/fields';
import type { Operation, RunSettings } from './operation';

const concurrencyLimit = parameter('Concurrency Limit', 'concurrencyLimit', {
	as: 'integer',
	typeOptions: { minValue: 0, maxValue: MAX_WINDOW, numberPrecision: 0 },
	default: 0,
	description: 'Most calls at once; 0 adapts it automatically',
});
const giveUpAfter = parameter('Give Up After (Minutes)', 'giveUpAfter', {
	as: 'decimal',
	typeOptions: { minValue: 0, maxValue: 1440 },
	default: 10,
	description: 'Longest wait for a busy service',
});

/** Named as in HTTP Request. */
const timeout = parameter('Timeout', 'timeout', {
	as: 'integer',
	typeOptions: { minValue: 1, maxValue: 3_600_000 },
	default: 300_000,
	description: 'Milliseconds to wait for a response',
});

export const systemOption = parameter('System', 'system', {
	as: 'text',
	placeholder: 'e.g. my-other-restaurant',
	description: "Overrides the credential's system",
});

export function optionsCollection(options: readonly Field[]): INodeProperties {
	return collectionOf(options, {
		displayName: 'Options',
		name: 'options',
		placeholder: 'Add Option',
	});
}

/** The collection 'Options' of an operation. */
export function optionsOf(operation: Operation): INodeProperties {
	return optionsCollection(fieldsOf(operation));
}

function fieldsOf({ takesSystem, options = [] }: Operation): Field[] {
	const fields = [concurrencyLimit, giveUpAfter, timeout];
	if (takesSystem) fields.push(systemOption);
	return fields.concat(options);
}

/**
 * @param fields the options that there are
 * @throws InvalidValueError for another name, e.g. `systen`: the call would go to the credential's own system
 */
export function checkOptionNames(form: Form, fields: readonly Field[]): void {
	const { options } = form.node.parameters;
	if (isEmpty(options)) return;
	if (!isRecord(options)) {
		const hint = 'Set each option by itself: n8n takes no expression for all of them';
		throw new InvalidValueError('Options', 'is not a collection', hint);
	}
	const names = map(fields, 'property.name');
	refuseUnknownNames(options, names, 'Options');
}

/** @throws InvalidValueError that names the option */
export function checkOptions(item: Form, operation: Operation): void {
	checkOptionNames(item, fieldsOf(operation));
	for (const field of operation.options ?? []) readOption(item, field);
}

/** @returns the 'System' of a node; undefined to use the credential's: that may be another database */
export function readSystem(form: Form): string | undefined {
	const system = asText(readOption(form, systemOption));
	checkHeaderText(system, 'System');
	return system || undefined;
}

/** @param first the form of the first item */
export function readRunSettings(first: Form): RunSettings {
	const limit = readOption(first, concurrencyLimit);
	const minutes = readOption(first, giveUpAfter);
	const milliseconds = readOption(first, timeout);
	return {
		concurrencyLimit: Number(limit) || MAX_WINDOW,
		giveUpAfterMs: Number(minutes) * MINUTE,
		timeout: Number(milliseconds),
	};
}
