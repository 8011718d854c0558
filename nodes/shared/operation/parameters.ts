import type { IExecuteFunctions, NodeParameterValueType } from 'n8n-workflow';
import cloneDeep from 'lodash/cloneDeep';
import set from 'lodash/set';

import { isRecord } from '../values/record';

/** An expression within a parameter. */
interface Leaf {
	/** From the parameter's name on. */
	path: string[];
	/** What stands between the brackets; undefined where the value is more than one whole expression. */
	code: string | undefined;
}

/** One pair of brackets around everything: with text around them n8n would make a text of it. */
const WHOLE_EXPRESSION = /^=\{\{((?:(?!\{\{|\}\})[^])*)\}\}$/;
/** Means the parameters beside it, which are others once it stands elsewhere. */
const KNOWS_ITS_PLACE = /\$(raw)?parameter/i;

/**
 * Reads the parameters of a run, item by item. n8n evaluates each expression by a call of its own into another
 * JavaScript engine, which costs about as much as the request; here the expressions of an item go in one call. A value
 * that does not come out of it is read n8n's way, so that what n8n says about it is said.
 *
 * @param readAlone n8n's way: a parameter of an item, '' when it is not on the form
 * @returns for an item (from 0) a function from a parameter's name to its value, '' when it is not on the form
 */
export function createParameterReader(
	context: IExecuteFunctions,
	readAlone: (name: string, itemIndex: number) => unknown,
): (itemIndex: number) => (name: string) => unknown {
	const { parameters } = context.getNode();
	const leaves = Object.entries(parameters).flatMap(([name, value]) => {
		const own = findLeaves(value, [name]);
		return own.every(({ code }) => code !== undefined) ? own : [];
	});
	const together = `{{ [${leaves.map(({ code }) => quiet(code)).join(',')}] }}`;

	return (itemIndex) => {
		if (leaves.length < 2) return (name) => readAlone(name, itemIndex);
		let values: unknown[] | undefined;
		return (name) => {
			const own = leaves.flatMap(({ path }, index) => (path[0] === name ? [{ path, index }] : []));
			if (own.length === 0) return readAlone(name, itemIndex);
			values ??= evaluate(context, together, itemIndex, leaves.length);
			const known = values;
			if (own.some(({ index }) => known[index] === undefined)) return readAlone(name, itemIndex);
			const read = { [name]: cloneDeep(parameters[name]) };
			for (const { path, index } of own) set(read, path, known[index]);
			return read[name];
		};
	};
}

function findLeaves(value: unknown, path: string[]): Leaf[] {
	if (Array.isArray(value))
		return value.flatMap((entry, index) => findLeaves(entry, [...path, String(index)]));
	if (isRecord(value))
		return Object.entries(value).flatMap(([key, entry]) => findLeaves(entry, [...path, key]));
	if (typeof value !== 'string' || !value.startsWith('=')) return [];
	const code = WHOLE_EXPRESSION.exec(value)?.[1];
	return [{ path, code: code === undefined || KNOWS_ITS_PLACE.test(code) ? undefined : code }];
}

/** On lines of its own, as it may end in a comment; what it throws is left to the reading of it alone. */
function quiet(code = ''): string {
	return `(() => { try { const own = [(\n${code}\n)]; if (own.length === 1) return own[0]; } catch (error) {} })()`;
}

/** @returns a value a leaf; undefined where there is none */
function evaluate(
	context: IExecuteFunctions,
	expression: string,
	itemIndex: number,
	count: number,
): unknown[] {
	let values: NodeParameterValueType | undefined;
	try {
		values = context.evaluateExpression(expression, itemIndex);
	} catch {
		values = undefined;
	}
	return Array.isArray(values) && values.length === count ? values.map(plain) : new Array<unknown>(count);
}

/** n8n hands dates within collections on as texts, so only what is the same either way is taken from here. */
function plain(value: unknown): unknown {
	return ['string', 'number', 'boolean'].includes(typeof value) || value === null ? value : undefined;
}
