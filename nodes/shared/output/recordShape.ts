import type { IDataObject } from 'n8n-workflow';
import get from 'lodash/get';
import mapValues from 'lodash/mapValues';

import type { StatusRoles } from '../auth/deployment';
import { inZone } from '../values/dateTime';
import { isBlank } from '../values/blank';
import { isRecord } from '../values/record';
import { oneLine } from '../values/text';
import { zoneOf } from '../values/zone';

/** Settings of the account for reading records. */
export interface ShapeContext {
	/** IANA name: the credential's Time Zone. */
	timeZone: string;
	statusRoles: StatusRoles;
}

/** The path of an output value in a record, or a function that computes it. */
type Source = string | Computed;
type Computed = (record: IDataObject, context: ShapeContext) => unknown;

export interface OutputShape {
	/** Response schema of a record in `contract/openapi.yaml`; undefined where the documents show none. */
	schema?: string;
	/** For records of more than 10 fields: the useful ones, flattened. */
	simplified?: Readonly<Record<string, Source>>;
	/** Headers of the response that are output with the record. */
	headers?: readonly string[];
	/** The simplified field that names the record; `id` unless set. */
	id?: string;
}

export type OutputMode = 'simplified' | 'raw' | 'selected';

/**
 * Shapes one record for output.
 *
 * @param record as the service returned it
 * @param fields for mode `selected`, to which the record's ID is always added. Simplified fields come out as in Simplified,
 * others as received, but times with their offset.
 */
export function shapeRecord(
	record: unknown,
	{ simplified, id = 'id' }: OutputShape,
	mode: OutputMode,
	fields: readonly string[],
	context: ShapeContext,
): IDataObject {
	if (!isRecord(record)) return { value: record } as IDataObject;
	const data = record as IDataObject;
	if (mode === 'raw' || !simplified) return data;
	const valueOf = (from: Source) =>
		(typeof from === 'function' ? from(data, context) : valueAt(data, from)) as IDataObject[string];
	if (mode === 'simplified') return mapValues(simplified, valueOf);
	const selected: IDataObject = {};
	for (const name of [id, ...fields]) {
		if (Object.hasOwn(simplified, name)) selected[name] = valueOf(simplified[name] ?? name);
		else if (Object.hasOwn(data, name)) selected[name] = valueOf(timeAt(name));
	}
	return selected;
}

/** A text that a person has written, in one line of at most 200 characters: the first of the places that has one counts. */
export function textAt(...places: string[]): (record: IDataObject) => unknown {
	return (record) => {
		const values = places.map((at) => valueAt(record, at));
		const texts = values.map((value) => (typeof value === 'string' ? oneLine(value) : value));
		return texts.find((text) => !isBlank(text)) ?? texts[0];
	};
}

/** @returns the texts at several places, in one line, joined with spaces; null if there are none */
export function wordsAt(record: IDataObject, ...places: string[]): string | null {
	const words = places.map((at) => valueAt(record, at)).filter((word) => !isBlank(word));
	return words.length > 0 ? oneLine(words.join(' ')) : null;
}

/** @returns the value at a dotted path; null if missing, to give every item the same columns */
export function valueAt(record: IDataObject, at: string): unknown {
	return get(record, at) ?? null;
}

/**
 * A date and time with the offset of the account's time zone; anything else unchanged. Without an offset it is UTC if the
 * field's name says so.
 */
export function timeAt(at: string): Computed {
	return (record, { timeZone }) => inZone(valueAt(record, at), timeZone, zoneOf(at, timeZone));
}

/** A part of {@link timeAt}: the date, e.g. `2026-11-26`, or the time of day, e.g. `18:30`; null where it cannot be read. */
export function partAt(at: string, part: 'date' | 'time'): Computed {
	return (record, context) => {
		const parts = /^(?<date>\d{4}-\d\d-\d\d)T(?<time>\d\d:\d\d)/.exec(
			String(timeAt(at)(record, context)),
		);
		return parts?.groups?.[part] ?? null;
	};
}
