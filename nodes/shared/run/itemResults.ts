import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import groupBy from 'lodash/groupBy';
import map from 'lodash/map';
import range from 'lodash/range';
import sortBy from 'lodash/sortBy';
import uniq from 'lodash/uniq';

import { type NodeError, happenedIn } from '../errors/nodeErrors';
import type { FailedItem, ItemResult } from '../operation/operation';
import { joined } from '../values/plainText';
import { isRecord } from '../values/record';
import { OmittedData } from './omitted';

const MAX_RANGES = 10;
/** Characters of the list of all failures. */
const MAX_LISTED = 4_000;

/** The outcomes of the items of a run. */
export class ItemResults {
	readonly omitted = new OmittedData();
	private readonly rows: INodeExecutionData[][] = [];
	/** In the order in which they came. A later success of another part of an item does not replace its failure. */
	private readonly failures: FailedItem[] = [];
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
		const rows = (this.rows[itemIndex] ??= []);
		if ('records' in outcome) {
			const pairedItem = { item: itemIndex };
			for (const json of outcome.records) rows.push({ json, pairedItem });
			return false;
		}
		rows.push(failedRow(outcome, itemIndex, this.hasErrorOutput));
		this.failures.push(outcome);
		return !this.goesOn && !outcome.isSetAside;
	}

	/**
	 * @returns the output, in the order of the items
	 * @throws the error that the run ends with
	 */
	result(): INodeExecutionData[] {
		if (this.goesOn || this.failures.length === 0) return this.rows.flat();
		const failures = sortBy(this.failures, 'itemIndex');
		const [{ error }] = sortBy(failures, rankOf) as [FailedItem];
		const others = failures.filter((each) => each.error !== error && !each.isConsequence);
		if (others.length > 0) error.message += `. Also: ${listOf(others)}`;
		this.describeRun(error);
		throw error;
	}

	/** n8n discards all items: the error says what happened to the others, and how to continue without repeating them. */
	private describeRun(error: NodeError): void {
		const failed = new Set(map(this.failures, 'itemIndex'));
		const left = range(this.count).filter((item) => !this.rows[item] || failed.has(item));
		const succeeded = this.count - left.length;
		if (failed.size === this.count) return;
		error.message += `. Of the other items, ${succeeded} succeeded, ${failed.size - 1} failed and ${left.length - failed.size} had not started`;
		error.description = joined([
			succeeded > 0 &&
				`Do not use n8n's 'Retry': it repeats what succeeded. To continue, run the workflow with ${itemsOf(left)} only, e.g. behind a Filter node on {{ $itemIndex }}`,
			error.description,
			"With 'On Error' in the node's settings set to 'Continue (using error output)', a run continues with the other items and keeps their results",
		]);
	}
}

/** A run ends with what failed by itself, not because of another one, and was not set aside. */
function rankOf({ isConsequence, isSetAside }: FailedItem): number {
	if (isSetAside) return 2;
	return isConsequence ? 1 : 0;
}

/** @returns failures by their message: `items 2, 5: 'Article ID' is empty; item 7: …` */
function listOf(failures: readonly FailedItem[]): string {
	const byMessage = groupBy(failures, ({ error }) => happenedIn(error));
	const listed: string[] = [];
	let length = 0;
	let unlisted: number[] = [];
	for (const [message, same] of Object.entries(byMessage)) {
		const items = uniq(map(same, 'itemIndex'));
		const text = `${itemsOf(items)}: ${message}`;
		length += text.length;
		if (length > MAX_LISTED) unlisted = [...unlisted, ...items];
		else listed.push(text);
	}
	if (unlisted.length > 0) listed.push(`others in ${itemsOf(unlisted)}`);
	return listed.join('; ');
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
	{ error, details }: FailedItem,
	item: number,
	hasErrorOutput: boolean,
): INodeExecutionData {
	const description = error.description ?? '';
	const { service } = error.context;
	const said = isRecord(service) ? (service as IDataObject) : {};
	const json = { error: error.message, details: { ...details, description, ...said } };
	const row = { json, pairedItem: { item } };
	return hasErrorOutput ? Object.defineProperty(row, 'error', { value: error }) : row;
}
