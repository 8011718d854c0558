import type { INode, INodeExecutionData } from 'n8n-workflow';

import { joined } from '../values/plainText';
import type { LeftOut } from './outcomes';

/** What the context of a language model can hold beside everything else. */
const MOST_CHARACTERS = 60_000;
const FOR_THE_NOTE = 1_000;

/** @returns whether a node runs as a tool of an AI agent: n8n makes a type of its own for that */
export function isTool({ type }: Pick<INode, 'type'>): boolean {
	return type.endsWith('Tool');
}

/**
 * Cuts the output of a tool to what an agent can read. A model reads the data alone: a last row says what is missing.
 *
 * @returns the rows that fit
 */
export function outputForTool(rows: readonly INodeExecutionData[], leftOut: LeftOut): INodeExecutionData[] {
	let left = MOST_CHARACTERS - FOR_THE_NOTE;
	const tooMuch = rows.findIndex(({ json }) => (left -= JSON.stringify(json).length + 1) < 0);
	const kept = tooMuch < 0 ? [...rows] : rows.slice(0, tooMuch);
	const missing = rows.length - kept.length;
	const note = joined([
		missing > 0 &&
			`This list is cut: it holds ${kept.length} of ${rows.length} results, as all of them would be too long. Ask for fewer: filter, choose a shorter period, or another 'Output'`,
		leftOut.describe(),
	]);
	if (note === '') return kept;
	return [...kept, { json: { note, missing: missing + leftOut.records }, pairedItem: { item: 0 } }];
}
