import type { INodeParameters } from 'n8n-workflow';
import get from 'lodash/get';
import isEqual from 'lodash/isEqual';
import mapValues from 'lodash/mapValues';
import memoize from 'lodash/memoize';

/** Builds a parameter's value from an item's `json`; `UNCERTAIN` if n8n has to read the parameter. */
type DirectReader = (json: unknown) => unknown;

/** Reads a parameter of an item (from 0). */
type ItemReader = (itemIndex: number) => unknown;

type Read = (name: string) => unknown;

const UNCERTAIN = Symbol('uncertain');

const NAME = String.raw`[A-Za-z_]\w*`;
const INDEX = String.raw`(?:0|[1-9]\d{0,8})`;
/** Without quotes, brackets, backslashes and line breaks. */
const TEXT = String.raw`[\p{L}\p{M}\p{N} _.:,@#&/-]+`;
const STEP = String.raw`\??\.${NAME}|(?:\?\.)?\[(?:${INDEX}|'${TEXT}'|"${TEXT}")\]`;
/** A single expression: a path into the item's data. */
const PLAIN_PATH = new RegExp(String.raw`^=\{\{[ \t\r\n]*\$json((?:${STEP})+)[ \t\r\n]*\}\}$`, 'u');
const STEPS = new RegExp(
	String.raw`\??\.(${NAME})|\[(${INDEX})\]|\['(${TEXT})'\]|\["(${TEXT})"\]`,
	'gu',
);

/**
 * Reads the parameters of a run, each at most once per item.
 *
 * n8n evaluates every expression in another JavaScript engine, which costs about as much as the request. If all
 * expressions of a parameter are plain paths such as `={{ $json.guest.name }}` to a text, number or boolean of the item's
 * own data, the parameter is read directly from the item. The first item is read both ways. Direct reading is used only if n8n
 * gives the same value, because n8n versions refuse different field names. Everything else is left to n8n, one parameter at a
 * time: no expression sees what another one does to the item's data.
 *
 * @param parameters as they stand in the workflow
 * @param inputOf the data of an item
 * @param readWithN8n reads a parameter of an item as n8n does
 * @returns for an item (from 0) a function from a parameter's name, or its path in a collection such as `options.system`, to
 * its value, '' if the workflow does not contain it; it throws n8n's own errors
 */
export function createParameterReader(
	parameters: INodeParameters,
	inputOf: (itemIndex: number) => unknown,
	readWithN8n: (name: string, itemIndex: number) => unknown,
): (itemIndex: number) => Read {
	const readerOf = memoize((name: string): ItemReader => {
		const stored = get(parameters, name);
		if (stored === undefined) return () => '';
		const direct = directReader(stored);
		if (!direct) return (itemIndex) => readWithN8n(name, itemIndex);
		let isConfirmed = false;
		return (itemIndex) => {
			const value = direct(inputOf(itemIndex));
			if (isConfirmed && value !== UNCERTAIN) return value;
			const asN8n = readWithN8n(name, itemIndex);
			isConfirmed ||= isEqual(value, asN8n);
			return asN8n;
		};
	});
	return (itemIndex) => {
		return memoize((name: string) => {
			const read = readerOf(name);
			return read(itemIndex);
		});
	};
}

/**
 * Builds values as n8n's `getParameterValue` does.
 *
 * @param value as it stands in the workflow
 * @returns undefined if the value contains an expression that is not a plain path
 */
function directReader(value: unknown): DirectReader | undefined {
	if (typeof value === 'string' && value.startsWith('=')) return pathReader(value);
	if (typeof value !== 'object' || value === null) return () => value;
	const readers: Record<string, DirectReader> = {};
	for (const [name, entry] of Object.entries(value)) {
		const reader = directReader(entry);
		if (!reader) return undefined;
		readers[name] = reader;
	}
	return (json) => {
		const made = mapValues(readers, (reader) => reader(json));
		const values = Object.values(made);
		if (values.includes(UNCERTAIN)) return UNCERTAIN;
		return Array.isArray(value) ? values : made;
	};
}

function pathReader(expression: string): DirectReader | undefined {
	const [, path] = PLAIN_PATH.exec(expression) ?? [];
	if (path === undefined) return undefined;
	const steps: string[] = [];
	for (const match of path.matchAll(STEPS)) {
		const [, ...names] = match;
		const step = names.find(Boolean);
		if (step !== undefined) steps.push(step);
	}
	return (json) => {
		let value = json;
		for (const step of steps) value = ownValue(value, step);
		return isCertain(value) ? value : UNCERTAIN;
	};
}

function ownValue(target: unknown, step: string): unknown {
	if (typeof target !== 'object' || target === null) return UNCERTAIN;
	const property = Object.getOwnPropertyDescriptor(target, step);
	return property?.value as unknown;
}

/** Null characters and unpaired surrogates do not survive each of n8n's engines. */
function isCertain(value: unknown): boolean {
	switch (typeof value) {
		case 'boolean':
			return true;
		case 'number':
			return Number.isFinite(value);
		case 'string':
			return !value.includes('\0') && value.isWellFormed();
		default:
			return false;
	}
}
