import type { IDataObject } from 'n8n-workflow';
import get from 'lodash/get';
import mapValues from 'lodash/mapValues';

import { isRecord } from './record';

export interface OutputShape {
	/** A list and a batch become one item a record; a list has a Limit. */
	kind: 'list' | 'batch' | 'record';
	/** Response schema of a record in `contract/openapi.yaml`; undefined where the documents show none. */
	schema?: string;
	/** For records of more than 10 fields: at most 10 useful ones, flattened. Output name to where it stands. */
	simplified?: Readonly<Record<string, string | ((record: IDataObject) => unknown)>>;
}

export type OutputMode = 'simplified' | 'raw' | 'selected';

/**
 * Shapes one record for output.
 *
 * @param record as the service returned it
 * @param fields for mode `selected`
 */
export function shapeRecord(
	record: unknown,
	shape: OutputShape,
	mode: OutputMode,
	fields: readonly string[],
): IDataObject {
	if (!isRecord(record)) return { value: record } as IDataObject;
	const data = record as IDataObject;
	if (mode === 'simplified' && shape.simplified)
		return mapValues(shape.simplified, (from) =>
			typeof from === 'function' ? from(data) : valueAt(data, from),
		) as IDataObject;
	if (mode !== 'selected') return data;
	return Object.fromEntries(
		fields.filter((name) => Object.hasOwn(data, name)).map((name) => [name, data[name]]),
	);
}

/** @returns the texts at several places with spaces between them, null where there is none. */
export function wordsAt(record: IDataObject, ...places: string[]): string | null {
	const words = places.map((at) => valueAt(record, at)).filter(Boolean);
	return words.length > 0 ? words.join(' ') : null;
}

/** @returns the value at a dotted path, null where there is none, so that every item has the same columns */
export function valueAt(record: IDataObject, at: string): unknown {
	return get(record, at) ?? null;
}
