import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import type { Omitted } from '../operation/operation';
import { joined, plainText } from '../values/plainText';

/** What a run left out, for the hint that n8n shows with its output, and for the data of a tool. */
export class OmittedData implements Omitted {
	/** Records of responses that 'Limit' left out. */
	records = 0;
	/** Whether 'Limit' was met before everything was asked for. */
	mayHaveMore = false;
	/** Columns of input items that automatic mapping did not send. */
	readonly columns = new Set<string>();

	/** @returns '' where nothing was left out */
	describe(): string {
		const columns = plainText([...this.columns].join(', '), MAX_COLUMNS);
		const limited =
			this.records > 0
				? `Records left out by 'Limit': ${this.mayHaveMore ? 'at least ' : ''}${this.records}`
				: this.mayHaveMore && "'Limit' was reached, there may be more records";
		return joined([
			limited && `${limited}. Raise it or switch on 'Return All'.`,
			columns && `Columns that were not sent, as no field has their name: ${columns}.`,
		]);
	}

	/** Older versions of n8n have no hints. */
	show(context: Partial<Pick<IExecuteFunctions, 'addExecutionHints'>>): void {
		const message = this.describe();
		if (message !== '')
			context.addExecutionHints?.({ message, type: 'info', location: 'outputPane' });
	}
}

/** Characters of their names. */
const MAX_COLUMNS = 500;

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
): INodeExecutionData[] {
	let left = MOST_CHARACTERS;
	const tooMuch = rows.findIndex(({ json }) => (left -= JSON.stringify(json).length + 1) < 0);
	const kept = tooMuch < 0 ? [...rows] : rows.slice(0, tooMuch);
	const dropped = rows.length - kept.length;
	const note = joined([
		dropped > 0 &&
			`This list is cut: it holds ${kept.length} of ${rows.length} results, as all of them would be too long. Ask for fewer: filter, choose a shorter period, or another 'Output'`,
		omitted.describe(),
	]);
	if (note === '') return kept;
	const missing = omitted.mayHaveMore ? 0 : dropped + omitted.records;
	return [
		...kept,
		{ json: { note, ...(missing > 0 ? { missing } : {}) }, pairedItem: { item: 0 } },
	];
}
