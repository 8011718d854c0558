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
	const saysWhatWasAsked = rows.length === 0 || omitted.blankFilters.size > 0;
	const note = joined([
		rows.length === 0 && 'Nothing was found',
		saysWhatWasAsked && omitted.asked !== '' && `Asked for: ${omitted.asked}`,
		dropped > 0 &&
			`This list is cut: it holds ${kept.length} of ${rows.length} results, as all of them would be too long. Ask for fewer: filter, choose a shorter period, or another 'Output'`,
		omitted.describe(secrets),
	]);
	if (note === '') return kept;
	const json: IDataObject = { note };
	const missing = dropped + omitted.records;
	if (missing > 0 && !omitted.mayHaveMore) json.missing = missing;
	return [...kept, { json, pairedItem: { item: 0 } }];
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
