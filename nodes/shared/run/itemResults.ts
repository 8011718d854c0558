import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import map from 'lodash/map';
import range from 'lodash/range';
import sortBy from 'lodash/sortBy';

import {
	type ErrorContext,
	type NodeError,
	messageWithoutPlace,
	toNodeError,
} from '../errors/nodeErrors';
import type { FailedItem, ItemContext, ItemResult } from '../operation/operation';
import { groupedBy, unique } from '../values/keys';
import { OmittedData } from '../operation/omitted';
import { joined } from '../values/plainText';

const MAX_RANGES = 10;
/** Characters of the list of all failures. */
const MAX_LISTED = 4_000;

/** The outcomes of the items of a run. */
export class ItemResults {
	readonly omitted = new OmittedData();
	private readonly rows: INodeExecutionData[][] = [];
	/** In the order in which they came. A later success of another part of an item does not replace its failure. */
	private readonly failures: FailedItem[] = [];
	private readonly continuesOnFail: boolean;
	private readonly hasErrorOutput: boolean;

	/** @param count of the input items */
	constructor(
		context: Pick<IExecuteFunctions, 'continueOnFail' | 'getNode'>,
		private readonly count: number,
	) {
		this.continuesOnFail = context.continueOnFail();
		this.hasErrorOutput = context.getNode().onError === 'continueErrorOutput';
	}

	/** @returns whether it ends the run: nothing more may be sent */
	add(outcome: ItemResult): boolean {
		const { itemIndex } = outcome;
		const rows = (this.rows[itemIndex] ??= []);
		if ('error' in outcome) {
			const row = failedRow(outcome, this.hasErrorOutput);
			rows.push(row);
			this.failures.push(outcome);
			return !this.continuesOnFail && !outcome.isSetAside;
		}
		for (const json of outcome.records) {
			rows.push({ json, pairedItem: { item: itemIndex } });
		}
		return false;
	}

	/**
	 * @returns the output, in the order of the items
	 * @throws the error that the run ends with
	 */
	result(): INodeExecutionData[] {
		const isDone = this.continuesOnFail || this.failures.length === 0;
		if (isDone) return this.rows.flat();
		const failures = sortBy(this.failures, 'itemIndex');
		const [first] = sortBy(failures, rankOf) as [FailedItem];
		const { error } = first;
		const others = failures.filter((other) => {
			return other.error !== error && !other.isConsequence;
		});
		if (others.length > 0) error.message += `. Also: ${listFailures(others)}`;
		this.describeRun(error);
		throw error;
	}

	/** n8n discards all items: the error says what happened to the others, and how to continue without repeating them. */
	private describeRun(error: NodeError): void {
		const failed = new Set(map(this.failures, 'itemIndex'));
		if (failed.size === this.count) return;
		const left: number[] = [];
		for (const item of range(this.count)) {
			const hasResult = this.rows[item] !== undefined;
			if (!hasResult || failed.has(item)) left.push(item);
		}
		const succeeded = this.count - left.length;
		const otherFailed = failed.size - 1;
		const notStarted = left.length - failed.size;
		error.message += `. Of the other items, ${succeeded} succeeded, ${otherFailed} failed and ${notStarted} had not started`;
		const noRetry = `Do not use n8n's 'Retry': it repeats what succeeded. To continue, run the workflow with ${inRanges(left)} only, e.g. behind a Filter node on {{ $itemIndex }}`;
		error.description = joined([
			succeeded > 0 && noRetry,
			error.description,
			"With 'On Error' in the node's settings set to 'Continue (using error output)', a run continues with the other items and keeps their results",
		]);
	}
}

/** @returns what became of an item for which something was thrown */
export function failedItem(
	item: ErrorContext & Pick<ItemContext, 'itemIndex'>,
	reason: unknown,
): FailedItem {
	return { itemIndex: item.itemIndex, error: toNodeError(item, reason) };
}

/** A run ends with what failed by itself, not because of another one, and was not set aside. */
function rankOf({ isConsequence, isSetAside }: FailedItem): number {
	if (isSetAside) return 2;
	if (isConsequence) return 1;
	return 0;
}

/** @returns failures by their message: `items 2, 5: 'Article ID' is empty; item 7: …` */
function listFailures(failures: readonly FailedItem[]): string {
	const listed: string[] = [];
	let unlisted: number[] = [];
	let length = 0;
	const messageOf = ({ error }: FailedItem) => messageWithoutPlace(error);
	for (const same of groupedBy(failures, messageOf)) {
		const items = unique(map(same, 'itemIndex'));
		const text = `${inRanges(items)}: ${messageOf(same[0])}`;
		length += text.length;
		if (length > MAX_LISTED) unlisted = unlisted.concat(items);
		else listed.push(text);
	}
	if (unlisted.length > 0) listed.push(`others in ${inRanges(unlisted)}`);
	return listed.join('; ');
}

/** @returns ascending numbers of items as text: `items 0–11, 14` */
function inRanges(items: readonly number[]): string {
	const ranges: Array<{ first: number; last: number }> = [];
	for (const item of items) {
		const open = ranges.at(-1);
		if (open?.last === item - 1) open.last = item;
		else ranges.push({ first: item, last: item });
	}
	const shown: string[] = [];
	for (const { first, last } of ranges.slice(0, MAX_RANGES)) {
		shown.push(first === last ? `${first}` : `${first}–${last}`);
	}
	if (ranges.length > MAX_RANGES) shown.push('…');
	const noun = items.length === 1 ? 'item' : 'items';
	return `${noun} ${shown.join(', ')}`;
}

/**
 * The row of a failure. n8n recognizes it by `error` in its data, but versions differ in the other fields they expect
 * there; every version recognizes `error` on the row itself. n8n then replaces the data with the message, unless it has
 * copied the row before, which only copies enumerable fields.
 */
function failedRow(failure: FailedItem, hasErrorOutput: boolean): INodeExecutionData {
	const { error, itemIndex } = failure;
	const details: IDataObject = { ...failure.details };
	details.description = error.description ?? '';
	Object.assign(details, error.context.service);
	const row: INodeExecutionData = {
		json: { error: error.message, details },
		pairedItem: { item: itemIndex },
	};
	if (hasErrorOutput) Object.defineProperty(row, 'error', { value: error });
	return row;
}
