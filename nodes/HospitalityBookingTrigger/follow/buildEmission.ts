import pick from 'lodash/pick';
import zipObject from 'lodash/zipObject';

import { isUnchangedSinceCreation } from '../events/recordKinds';
import { KEY_LENGTH } from '../events/observe';
import { type Known, type Observed, type Rule, type Value, hashKey } from '../events/rule';

/** What is different from what was last seen. */
export interface WhatChanged {
	fields: string[];
	/** The earlier values, changed or not. */
	before: Record<string, Value>;
	/** The same values as they are now. */
	now: Record<string, Value>;
	/** What a person is told of it in a test. */
	note?: string;
}

/** A record to emit, and its event. */
export interface Emission {
	record: unknown;
	/** Stands for the event. */
	key: string;
	/** When the event happened, in milliseconds since 1970; null if unknown. */
	time: number | null;
	/** What has changed, if emitted with the record; null if nothing was seen before. */
	changes?: WhatChanged | null;
	/** Whether it is that the record was made; undefined if nobody can know. */
	isCreation?: boolean | undefined;
}

/** @param before what was remembered of the record */
export function emissionOf(observed: Observed, before: Known | undefined, rule: Rule): Emission {
	const emission: Emission = {
		record: observed.record,
		key: keyOf(observed, before, rule),
		time: observed.at ?? null,
	};
	if (rule.changesShown) emission.changes = whatChanged(observed, before, rule);
	return emission;
}

function keyOf(observed: Observed, before: Known | undefined, rule: Rule): string {
	const change = rule.keyOf?.(observed, before) ?? '';
	if (change === '') return observed.key;
	return hashKey(`${observed.key}|${change}`, KEY_LENGTH);
}

function whatChanged(
	{ values }: Observed,
	before: Known | undefined,
	{ comparedFields = [], changesShown = [] }: Rule,
): WhatChanged | null {
	if (!before || before.values.length === 0) return null;
	const earlier = before.values;
	const fields = comparedFields.filter((_name, index) => values[index] !== earlier[index]);
	const allBefore = zipObject(comparedFields, earlier);
	const allNow = zipObject(comparedFields, values);
	return {
		fields,
		before: pick(allBefore, changesShown),
		now: pick(allNow, changesShown),
	};
}

/**
 * @param watermark what was made before was seen then, in milliseconds since 1970
 * @returns whether a record that was not known has just been made; undefined if nobody can know
 */
export function isCreation(observed: Observed, watermark: number): boolean | undefined {
	const { madeAtLatest } = observed;
	if (madeAtLatest === undefined) return undefined;
	return madeAtLatest >= watermark || isUnchangedSinceCreation(observed);
}
