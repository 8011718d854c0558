import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import type { SafeText } from '../errors/secrets';
import type { OmittedData } from '../operation/omitted';
import { joined } from '../values/plainText';

/** Shows a hint with the output, '' for none. Older versions of n8n have no hints. */
export function showHint(
	context: Partial<Pick<IExecuteFunctions, 'addExecutionHints'>>,
	message: SafeText,
): void {
	if (message === '') return;
	context.addExecutionHints?.({ message, type: 'info', location: 'outputPane' });
}

/** The context of a language model can hold 60,000 beside everything else; a note takes up to 1,000 of them. */
const MOST_CHARACTERS = 59_000;

/**
 * Cuts the output of a tool to what an agent can read. A model reads the data alone: a last row says what is missing.
 *
 * @returns the rows that fit
 */
export function outputForTool(
	rows: readonly INodeExecutionData[],
	omitted: OmittedData,
	secrets: readonly string[],
): INodeExecutionData[] {
	const kept = rowsThatFit(rows);
	const dropped = rows.length - kept.length;
	const isNothing = rows.length === 0;
	const isAskedShown = isNothing || omitted.blankFilters.size > 0;
	const sentences: string[] = [];
	if (isNothing) sentences.push('Nothing was found');
	if (isAskedShown && omitted.asked !== '') sentences.push(`Asked for: ${omitted.asked}`);
	if (dropped > 0) {
		sentences.push(
			`This list is cut: it holds ${kept.length} of ${rows.length} results, as all of them would be too long. Ask for fewer: filter, choose a shorter period, or another 'Output'`,
		);
	}
	sentences.push(omitted.describe(secrets));
	const note = joined(sentences);
	if (note === '') return kept;
	const json: IDataObject = { note };
	const missing = dropped + omitted.records;
	if (missing > 0 && !omitted.mayHaveMore) json.missing = missing;
	kept.push({ json, pairedItem: { item: 0 } });
	return kept;
}

function rowsThatFit(rows: readonly INodeExecutionData[]): INodeExecutionData[] {
	const kept: INodeExecutionData[] = [];
	let size = 0;
	for (const row of rows) {
		size += JSON.stringify(row.json).length + 1;
		if (size > MOST_CHARACTERS) break;
		kept.push(row);
	}
	return kept;
}
