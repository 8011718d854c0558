import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import range from 'lodash/range';

import type { NodeError } from '../errors/nodeErrors';
import type { FailedPart, ItemResult } from '../operation/operation';
import { joined } from '../values/plainText';
import { isRecord } from '../values/record';
import { OmittedData } from './omitted';

const MAX_RANGES = 10;

/** The outcomes of the items of a run. */
export class ItemResults {
	readonly omitted = new OmittedData();
	private readonly rows: INodeExecutionData[][] = [];
	/** The first failure of each item; a later success of another part does not replace it. */
	private readonly failures = new Map<number, FailedPart>();
	private readonly goesOn: boolean;
	private readonly hasErrorOutput: boolean;

	/** @param count of the input items */
	constructor(
		context: Pick<IExecuteFunctions, 'continueOnFail' | 'getNode'>,
		private readonly count: number,
	) {
		this.goesOn = context.continueOnFail();
		this.hasErrorOutput = context.getNode().onError === 'continueErrorOutput';
	}

	/** @returns whether it ends the run: nothing more may be sent */
	add(outcome: ItemResult): boolean {
		const { itemIndex } = outcome;
		const pairedItem = { item: itemIndex };
		const isFailure = 'error' in outcome;
		const made = isFailure
			? [failedRow(outcome, itemIndex, this.hasErrorOutput)]
			: outcome.records.map((json) => ({ json, pairedItem }));
		const rows = (this.rows[itemIndex] ??= []);
		for (const row of made) rows.push(row);
		if (isFailure && !this.failures.has(itemIndex)) this.failures.set(itemIndex, outcome);
		return isFailure && !this.goesOn && !outcome.isSetAside;
	}

	/**
	 * @returns the output, in the order of the items
	 * @throws the error that the run ends with
	 */
	result(): INodeExecutionData[] {
		const failures = [...this.failures].sort(([one], [other]) => one - other);
		const ending = failures.filter(([, { isSetAside }]) => !isSetAside);
		const [, failure] =
			ending.find(([, { isConsequence }]) => !isConsequence) ?? ending[0] ?? failures[0] ?? [];
		if (!failure || this.goesOn) return this.rows.flat();
		this.describeRun(failure.error);
		throw failure.error;
	}

	/** n8n discards all items: the error says what happened to the others, and how to continue without repeating them. */
	private describeRun(error: NodeError): void {
		const left = range(this.count).filter((item) => !this.rows[item] || this.failures.has(item));
		const succeeded = this.count - left.length;
		const failed = this.failures.size;
		if (failed === this.count) return;
		error.message += `. Of the other items, ${succeeded} succeeded, ${failed - 1} failed and ${left.length - failed} had not started`;
		error.description = joined([
			succeeded > 0 &&
				`Do not use n8n's 'Retry': it repeats what succeeded. To continue, run the workflow with ${itemsOf(left)} only, e.g. behind a Filter node on {{ $itemIndex }}`,
			error.description,
			"With 'On Error' in the node's settings set to 'Continue (using error output)', a run continues with the other items and keeps their results",
		]);
	}
}

/** @returns ascending numbers as text: `items 0–11, 14` */
function itemsOf(numbers: readonly number[]): string {
	const ranges: Array<{ first: number; last: number }> = [];
	for (const number of numbers) {
		const open = ranges.at(-1);
		if (open?.last === number - 1) open.last = number;
		else ranges.push({ first: number, last: number });
	}
	const texts = ranges.map(({ first, last }) =>
		first === last ? String(first) : `${first}–${last}`,
	);
	const shown = [...texts.slice(0, MAX_RANGES), ...(texts.length > MAX_RANGES ? ['…'] : [])].join(
		', ',
	);
	return `${numbers.length === 1 ? 'item' : 'items'} ${shown}`;
}

/**
 * The row of a failure. n8n recognizes it by `error` in its data, but versions differ in the other fields they expect
 * there; every version recognizes `error` on the row itself. n8n then replaces the data with the message, unless it has
 * copied the row before, which only copies enumerable fields.
 */
function failedRow(
	{ error, details }: FailedPart,
	item: number,
	hasErrorOutput: boolean,
): INodeExecutionData {
	const description = error.description ?? '';
	const said = isRecord(error.context.service) ? (error.context.service as IDataObject) : {};
	const json = { error: error.message, details: { ...details, description, ...said } };
	const row = { json, pairedItem: { item } };
	return hasErrorOutput ? Object.defineProperty(row, 'error', { value: error }) : row;
}
