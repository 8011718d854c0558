import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import type { Omitted } from '../operation/operation';
import { type SafeText, redacted } from '../errors/secrets';
import { KeySet } from '../values/keys';
import { joined, plainText } from '../values/plainText';

/** What a run left out, for the hint that n8n shows with its output, and for the data of a tool. */
export class OmittedData implements Omitted {
	/** Records of responses that 'Limit' left out. */
	records = 0;
	/** Whether 'Limit' was met before everything was asked for. */
	mayHaveMore = false;
	/** Columns of input items that automatic mapping did not send. */
	readonly columns = new KeySet<string>();
	/** Filters that a language model left blank, as displayed. */
	readonly blankFilters = new KeySet<string>();
	/** What a tool was asked for, in the words of the form. */
	asked = '';
	/** Fields whose text was cut, in some record. */
	readonly texts = new KeySet<string>();

	/** @returns '' where nothing was left out */
	describe(secrets: readonly string[]): SafeText {
		const limited = this.describeLimit();
		const columns = plainText([...this.columns].join(', '), MAX_COLUMNS);
		const filters = plainText([...this.blankFilters].join(', '), MAX_COLUMNS);
		const texts = [...this.texts].join(', ');
		const sentences = [
			limited && `${limited}. Raise it or switch on 'Return All'.`,
			columns && `Columns that were not sent, as no field has their name: ${columns}.`,
			filters && `Filters that were left blank, and were not used: ${filters}.`,
			texts && `A longer text ends with '…' in: ${texts}. Set 'Output' to 'Raw' for the whole.`,
		];
		return redacted(joined(sentences), secrets, MAX_HINT);
	}

	private describeLimit(): string {
		const atLeast = this.mayHaveMore ? 'at least ' : '';
		if (this.records > 0) return `Records left out by 'Limit': ${atLeast}${this.records}`;
		return this.mayHaveMore ? "'Limit' was reached, there may be more records" : '';
	}
}

/** Shows a hint with the output, '' for none. Older versions of n8n have no hints. */
export function showHint(
	context: Partial<Pick<IExecuteFunctions, 'addExecutionHints'>>,
	message: SafeText,
): void {
	if (message === '') return;
	context.addExecutionHints?.({ message, type: 'info', location: 'outputPane' });
}

/** Characters of their names. */
const MAX_COLUMNS = 500;
const MAX_HINT = 2_000;

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
