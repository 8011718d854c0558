import type { INodeProperties } from 'n8n-workflow';
import isEmpty from 'lodash/isEmpty';

import { InvalidValueError } from '../values/invalidValue';
import { isRecord } from '../values/record';
import { type Field, type Look, parameterName, string, toObject } from './fields';
import { parseJson, toList, withoutEmpty } from './formValues';

/** A list of objects with one level of fields, as rows that can be added. */
export function fixedCollection(
	displayName: string,
	at: string,
	entryName: string,
	entries: readonly Field[],
	look: Look = {},
): Field {
	const property: INodeProperties = {
		...look,
		displayName,
		name: parameterName(at),
		type: 'fixedCollection',
		typeOptions: { multipleValues: true, ...look.typeOptions },
		default: {},
		placeholder: look.placeholder ?? `Add ${entryName}`,
		options: [
			{
				displayName: entryName,
				name: 'entry',
				values: entries.map(({ property: own }) => emptyAtFirst(own)),
			},
		],
	};
	return {
		at,
		property,
		entries,
		serialize(value, timeZone) {
			const rows = isRecord(value) ? value.entry : value;
			if (rows === undefined || rows === '') return [];
			return toList(parseJson(rows, displayName)).map((row, index) => {
				const label = `${displayName} ${index + 1}`;
				return toObject(entries, filledRow(row, entries, label), timeZone, `${label}: `);
			});
		},
	};
}

/** @throws InvalidValueError for a row that is empty or lacks a value that makes it */
function filledRow(row: unknown, entries: readonly Field[], label: string): Record<string, unknown> {
	const values = isRecord(row) ? withoutEmpty(row) : {};
	if (isEmpty(values)) throw new InvalidValueError(label, 'is empty', 'Fill it in, or remove it');
	const missing = entries.find(({ property }) => property.required && values[property.name] === undefined);
	if (!missing) return values;
	const { displayName } = missing.property;
	throw new InvalidValueError(`${label}: ${displayName}`, 'is empty', 'Fill it in, or remove the row');
}

/** A map from names to texts, as rows that can be added; an expression may give an object. */
export function stringMap(displayName: string, at: string, entryName: string, look: Look = {}): Field {
	const rows = fixedCollection(
		displayName,
		at,
		entryName,
		[
			string('Name', 'name', { required: true, description: `Name of the ${entryName.toLowerCase()}` }),
			string('Value', 'value', { description: `Value of the ${entryName.toLowerCase()}` }),
		],
		look,
	);
	return {
		at,
		property: rows.property,
		serialize(value, timeZone) {
			if (isRecord(value) && !('entry' in value)) return value;
			const entries = rows.serialize(value, timeZone) as Array<{ name: string; value?: string }>;
			return Object.fromEntries(entries.map(({ name, value: own = '' }) => [name, own]));
		},
	};
}

/** A row shows all its fields, so an untouched number must differ from 0. */
function emptyAtFirst(property: INodeProperties): INodeProperties {
	return property.type === 'number' ? { ...property, default: '' } : property;
}
