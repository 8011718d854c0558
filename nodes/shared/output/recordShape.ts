import type { IDataObject } from 'n8n-workflow';

import { KeyMap, unique } from '../values/keys';
import { isRecord } from '../values/record';
import { withoutHiddenLetters } from '../values/text';
import { RecordView, type ShapeContext } from './recordView';

/** Where an output value comes from: its path in the record, or a function that computes it. */
type Source = string | ComputedValue;
type ComputedValue = (view: RecordView) => unknown;

export interface OutputShape {
	/** Response schema of a record in `contract/openapi.yaml`; undefined where the documents show none. */
	schema?: string;
	/** For records of more than 10 fields: the useful ones, flattened. */
	simplified?: Readonly<Record<string, Source>>;
	/** Further values that 'Selected Fields' offers. */
	computed?: Readonly<Record<string, Source>>;
	/** Headers of the response that are output with the record. */
	headers?: readonly string[];
	/** The simplified field that names the record; `id` unless set. */
	id?: string;
	/** Data that the service leaves out unless it is asked for. */
	related?: RelatedData;
}

/** Data that comes with a record only if it is asked for, each by a flag of the query. */
export interface RelatedData {
	/** The parameter on which a person chooses the flags, shown for 'Raw'. */
	field: RelatedField;
	/** The flags that an output field needs, by its name. */
	neededBy: Readonly<Partial<Record<string, readonly string[]>>>;
}

interface RelatedField {
	displayName: string;
	/** Name of the parameter. */
	path: string;
	anyOf: ReadonlyArray<{ name: string; value: string }>;
	default: string[];
	description: string;
}

/** Turns a record of the service into its output. */
export type Shaper = (record: unknown) => IDataObject;

/** A shaper for 'Raw', and for records of few fields: the record as the service returned it. */
export function shapeRaw(record: unknown): IDataObject {
	const output = isRecord(record) ? record : { value: record };
	return output as IDataObject;
}

/** A shaper for 'Simplified'. */
export function simplifiedShaper(shape: OutputShape, context: ShapeContext): Shaper {
	const names = Object.keys(shape.simplified ?? {});
	return selectedShaper(shape, names, context);
}

/**
 * @param names of the fields, in order. Simplified and computed ones come out as such, others as received, but times with
 * their offset.
 */
export function selectedShaper(
	{ simplified, computed }: OutputShape,
	names: readonly string[],
	context: ShapeContext,
): Shaper {
	const sources = new KeyMap<string, Source>();
	for (const group of [computed, simplified]) {
		for (const [name, source] of Object.entries(group ?? {})) sources.set(name, source);
	}
	const columns = unique(names);
	return (record) => {
		if (!isRecord(record)) return shapeRaw(record);
		const view = new RecordView(record as IDataObject, context);
		const output: Record<string, unknown> = {};
		for (const name of columns) {
			const source = sources.get(name);
			if (typeof source === 'function') output[name] = asSeen(source(view));
			else if (source !== undefined) output[name] = asSeen(view.valueAt(source));
			else if (Object.hasOwn(record, name)) output[name] = timeOrValue(view, name);
		}
		return output as IDataObject;
	};
}

/** @returns a text, or a list of texts, without letters that nobody sees; anything else as it is */
function asSeen(value: unknown): unknown {
	if (typeof value === 'string') return withoutHiddenLetters(value);
	return Array.isArray(value) ? value.map(asSeen) : value;
}

/** The value at a path; of a date and time its text with the offset of the account's time zone. */
function timeOrValue(view: RecordView, path: string): unknown {
	const time = view.timeAt(path);
	if (time === undefined) return view.valueAt(path);
	return time?.text ?? null;
}

/** @returns what computes {@link timeOrValue} of a path */
export function timeAt(path: string): ComputedValue {
	return (view) => timeOrValue(view, path);
}

/** Characters of a guest's message that are output: the last word may be the one that counts. */
const MOST_OF_MESSAGE = 2_000;

/** @returns what finds the message of a guest, in one line of at most 2,000 characters */
export function messageAt(path: string): ComputedValue {
	return (view) => view.textAt(path, MOST_OF_MESSAGE);
}

/** @returns what finds the first text that a person has written at one of the paths, in one line of at most 200 characters */
export function textAt(...paths: string[]): ComputedValue {
	return (view) => view.firstTextAt(...paths);
}
