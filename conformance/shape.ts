import type { Ajv2020 } from 'ajv/dist/2020.js';
import type { ContractDocument, Schema } from '../contract/model.ts';
import { contractSchema, createAjv, resolveSchema } from '../contract/model.ts';

/** One way in which the values at one place of a response differ from the contract. */
export interface Difference {
	/** Path of the field, `[]` for each entry of a list: `[].contact.email`. */
	path: string;
	kind: 'missing' | 'unknown' | 'null' | 'type' | 'value';
	/** What is different, for people. */
	what: string;
	/** In how many of the values at that place. */
	count: number;
	of: number;
	/** Up to three of the values, as JSON. */
	examples: string[];
}

/** How the date-times of one field are written. */
export interface DateTimes {
	path: string;
	withOffset: number;
	withoutOffset: number;
	/** Most digits of a second seen. */
	fractionDigits: number;
}

const MAX_EXAMPLES = 3;
const MAX_EXAMPLE_LENGTH = 80;
const MAX_UNKNOWN = 50;
/** One record without an optional field proves nothing. */
const FEW_RECORDS = 5;

/** Holds what a service sends against the schemas of the contract. */
export class ShapeCheck {
	private readonly ajv: Ajv2020;
	private readonly contract: ContractDocument;

	constructor(contract: ContractDocument) {
		this.contract = contract;
		this.ajv = createAjv(contract);
	}

	/**
	 * @param values responses to the same call, or the one response in a list
	 * @param fewest of how many records a documented field has to be absent before it counts as missing
	 * @returns each difference once for all values at its place
	 */
	compare(schema: Schema, values: unknown[], fewest = FEW_RECORDS, path = ''): Difference[] {
		const resolved = resolveSchema(this.contract, schema);
		const present = values.filter((value) => value !== undefined);
		const filled = present.filter((value) => value !== null);
		const nulls = present.length - filled.length;
		const differences: Difference[] = [];
		if (nulls > 0 && !allowsNull(resolved)) {
			differences.push({
				path,
				kind: 'null',
				what: 'is null',
				count: nulls,
				of: present.length,
				examples: [],
			});
		}
		if (resolved.properties || resolved.additionalProperties !== undefined)
			differences.push(...this.compareRecords(resolved, filled, fewest, path));
		else if (resolved.items) differences.push(...this.compareLists(resolved, filled, fewest, path));
		else differences.push(...this.compareScalars(resolved, filled, path));
		return differences;
	}

	/** @returns for each field that the contract calls a date-time how it is written */
	dateTimes(schema: Schema, values: unknown[], path = ''): DateTimes[] {
		const { properties, items, format } = resolveSchema(this.contract, schema);
		if (items) return this.dateTimes(items, values.filter(Array.isArray).flat(), `${path}[]`);
		if (properties) {
			const records = values.filter(isRecord);
			return records.length === 0
				? []
				: Object.entries(properties).flatMap(([name, property]) =>
						this.dateTimes(
							property,
							records.map((record) => record[name]),
							join(path, name),
						),
					);
		}
		const texts = values.filter((value): value is string => typeof value === 'string' && value !== '');
		if (format !== 'date-time' || texts.length === 0) return [];
		const withOffset = texts.filter((text) => /(?:Z|[+-]\d\d:?\d\d)$/i.test(text)).length;
		const digits = texts.map((text) => /\.(\d+)/.exec(text)?.[1]?.length ?? 0);
		return [
			{
				path,
				withOffset,
				withoutOffset: texts.length - withOffset,
				fractionDigits: digits.reduce((most, count) => Math.max(most, count), 0),
			},
		];
	}

	private compareRecords(schema: Schema, values: unknown[], fewest: number, path: string): Difference[] {
		const { properties = {}, additionalProperties } = schema;
		const records = values.filter(isRecord);
		const differences = wrongTypes(path, values, isRecord, 'an object');
		if (records.length === 0) return differences;
		for (const [name, property] of Object.entries(properties)) {
			const here = join(path, name);
			const present = records.filter((record) => name in record).map((record) => record[name]);
			if (present.length > 0) {
				differences.push(...this.compare(property, present, fewest, here));
			} else if (records.length >= fewest) {
				const [count, of] = [records.length, records.length];
				differences.push({ path: here, kind: 'missing', what: 'never comes', count, of, examples: [] });
			}
		}
		if (additionalProperties !== undefined && additionalProperties !== false) return differences;
		const unknown = new Set(
			records.flatMap((record) => Object.keys(record)).filter((name) => !(name in properties)),
		);
		for (const name of [...unknown].slice(0, MAX_UNKNOWN)) {
			const found = records.filter((record) => name in record).map((record) => record[name]);
			differences.push({
				path: join(path, name),
				kind: 'unknown',
				what: 'is not documented',
				count: found.length,
				of: records.length,
				examples: examplesOf(found),
			});
		}
		return differences;
	}

	private compareLists(
		{ items = {} }: Schema,
		values: unknown[],
		fewest: number,
		path: string,
	): Difference[] {
		const entries = values.filter(Array.isArray).flat() as unknown[];
		return [
			...wrongTypes(path, values, Array.isArray, 'a list'),
			...(entries.length > 0 ? this.compare(items, entries, fewest, `${path}[]`) : []),
		];
	}

	private compareScalars(schema: Schema, values: unknown[], path: string): Difference[] {
		const validate = this.ajv.compile(contractSchema(schema));
		const wrong = new Map<string, unknown[]>();
		for (const value of values) {
			if (validate(value)) continue;
			const [error] = validate.errors ?? [];
			const keyword = error?.keyword ?? 'type';
			wrong.set(keyword, [...(wrong.get(keyword) ?? []), value]);
		}
		return [...wrong].map(([keyword, found]) => ({
			path,
			kind: keyword === 'type' ? ('type' as const) : ('value' as const),
			what: describeScalar(keyword, schema, found),
			count: found.length,
			of: values.length,
			examples: examplesOf(found),
		}));
	}
}

function wrongTypes(
	path: string,
	values: unknown[],
	isRight: (value: unknown) => boolean,
	wanted: string,
): Difference[] {
	const wrong = values.filter((value) => !isRight(value));
	if (wrong.length === 0) return [];
	const what = `is ${typesOf(wrong)} where the contract has ${wanted}`;
	return [{ path, kind: 'type', what, count: wrong.length, of: values.length, examples: examplesOf(wrong) }];
}

function describeScalar(keyword: string, { type, format }: Schema, found: unknown[]): string {
	if (keyword === 'enum') return 'has a value that the API documentation does not list';
	if (keyword === 'format') return `is not written as a ${format}`;
	if (keyword === 'minLength') return 'is empty';
	const wanted = [type].flat().filter((one) => one !== 'null');
	return `is ${typesOf(found)} where the contract has ${wanted.join(' or ')}`;
}

function typesOf(values: unknown[]): string {
	const names = values.map((value) =>
		Array.isArray(value) ? 'a list' : typeof value === 'object' ? 'an object' : `a ${typeof value}`,
	);
	return [...new Set(names)].join(' or ');
}

function examplesOf(values: unknown[]): string[] {
	const texts = values.slice(0, 100).map((value) => JSON.stringify(value) ?? 'undefined');
	return [...new Set(texts.map((text) => text.slice(0, MAX_EXAMPLE_LENGTH)))].slice(0, MAX_EXAMPLES);
}

function allowsNull({ type, enum: allowed }: Schema): boolean {
	if (type === undefined && allowed === undefined) return true;
	return [type].flat().includes('null');
}

function join(path: string, name: string): string {
	return path === '' ? name : `${path}.${name}`;
}

export function isRecord(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}
