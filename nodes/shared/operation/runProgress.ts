import * as n8nWorkflow from 'n8n-workflow';
import type { IDataObject, IExecuteFunctions, INodeExecutionData, IPairedItemData } from 'n8n-workflow';
import partition from 'lodash/partition';

import type { CallQueue } from '../http/concurrency/callQueue';
import { withoutHelp } from '../errors/help';
import type { NodeError } from '../errors/nodeErrors';
import { isRecord } from '../values/record';

/** What became of an item, counted from 0, or of a part of it. */
export type ItemOutcome = { itemIndex: number } & ({ records: IDataObject[] } | { error: NodeError });

interface End {
	itemIndex: number;
	error?: NodeError;
	/** Whether the error ends the run. */
	isStop: boolean;
	/** Whether the run was over by then. */
	isLate: boolean;
}

const MAX_RANGES = 10;
const GO_ON =
	"n8n discards the items that succeeded. To keep them and go on with the others, set 'On Error' in the node's settings to 'Continue (using error output)'";

/** What has become of the items of a run. The error that ends the run says so: n8n discards the others. */
export class RunProgress {
	private readonly output: INodeExecutionData[][] = [];
	private readonly ends = new Map<number, End>();
	/** Whether an item has ended the run: no further one is started. */
	isOver = false;

	/**
	 * @param what the numbers in the message are of
	 * @param goesOn whether failed items come out and the run goes on
	 */
	constructor(
		private readonly itemIndexes: readonly number[],
		private readonly what: 'calls' | 'items',
		private readonly goesOn: boolean,
	) {}

	/**
	 * How a call ended for each of its items.
	 *
	 * @param stop the error that ends the run, unless that goes on; without one, failed items are set aside until its end
	 */
	end(outcomes: readonly ItemOutcome[], stop?: NodeError): void {
		const isLate = this.isOver;
		for (const outcome of outcomes) {
			const { itemIndex } = outcome;
			const pairedItem = { item: itemIndex };
			const error = 'error' in outcome ? outcome.error : undefined;
			const items =
				'error' in outcome
					? [failedItem(outcome.error, pairedItem)]
					: outcome.records.map((json) => ({ json, pairedItem }));
			this.output[itemIndex] = (this.output[itemIndex] ?? []).concat(items);
			if (this.ends.get(itemIndex)?.error) continue;
			this.ends.set(itemIndex, {
				itemIndex,
				error: error && (stop ?? error),
				isStop: stop !== undefined,
				isLate,
			});
		}
		this.isOver ||= stop !== undefined && !this.goesOn;
	}

	/**
	 * @returns what comes out, in the order of the items
	 * @throws the error of the first item that ended the run or was set aside, with what has become of the others
	 */
	result(): INodeExecutionData[] {
		const ends = [...this.ends.values()].sort((one, other) => one.itemIndex - other.itemIndex);
		const first = ends.find(({ error, isStop }) => error && isStop) ?? ends.find(({ error }) => error);
		if (!first?.error || this.goesOn) return this.output.flat();
		if (this.itemIndexes.length > 1) this.tell(first.error, first.isStop, ends);
		throw first.error;
	}

	private tell(error: NodeError, isStop: boolean, ends: readonly End[]): void {
		const [succeeded, failed] = partition(ends, (end) => !end.error);
		const [late, early] = partition(succeeded, 'isLate');
		const others = failed.filter((end) => end.isStop === isStop && end.itemIndex !== error.context.itemIndex);
		const [withIt, since] = partition(others, (end) => end.error === error);
		const notMade = this.itemIndexes.filter((itemIndex) => !this.ends.has(itemIndex));
		const underWay = late.length + since.length;
		if (early.length + underWay + notMade.length === 0) return;
		error.message += `. Of the other ${this.what} ${early.length} succeeded, ${underWay} in progress, ${notMade.length} not started`;
		error.description = [
			error.description,
			named('Failed in the same call', indexesOf(withIt)),
			named('Succeeded before', indexesOf(early)),
			named('In progress, succeeded since', indexesOf(late)),
			named('In progress, failed since', indexesOf(since)),
			named('Not started', notMade),
			GO_ON,
		]
			.filter(Boolean)
			.join('. ');
		error.context[this.what] = {
			done: indexesOf(early),
			underWay: { done: indexesOf(late), failed: indexesOf(since) },
			notMade,
		};
	}
}

function indexesOf(ends: readonly End[]): number[] {
	return ends.map(({ itemIndex }) => itemIndex);
}

function named(what: string, itemIndexes: readonly number[]): string {
	if (itemIndexes.length === 0) return '';
	return `${what}: ${itemIndexes.length === 1 ? 'item' : 'items'} ${rangesOf(itemIndexes)}`;
}

/** @returns ascending numbers as text: `0–11, 14` */
function rangesOf(numbers: readonly number[]): string {
	const ranges: Array<{ first: number; last: number }> = [];
	for (const number of numbers) {
		const open = ranges.at(-1);
		if (open?.last === number - 1) open.last = number;
		else ranges.push({ first: number, last: number });
	}
	const texts = ranges.map(({ first, last }) => (first === last ? String(first) : `${first}–${last}`));
	return [...texts.slice(0, MAX_RANGES), ...(texts.length > MAX_RANGES ? ['…'] : [])].join(', ');
}

/** An export of n8n-workflow since 2.41. */
const SINCE_DETAILS = 'checkNodesApiVersion';

/**
 * The error item. n8n knows it by its fields: `error` and `details`; before 2.41 not everywhere by `details`, but by
 * `error` and `message`. (`error` on the item itself would make n8n drop all others.)
 *
 * @param host what n8n-workflow exports, which tells the two apart
 */
export function failedItem(
	error: NodeError,
	pairedItem: IPairedItemData,
	host: object = n8nWorkflow,
): INodeExecutionData {
	const description = withoutHelp(error.description ?? '');
	const own = isRecord(error.context.service) ? error.context.service : {};
	const details = { details: { description, ...own } as IDataObject };
	const message = description === '' ? {} : { message: description };
	return { json: { error: error.message, ...(SINCE_DETAILS in host ? details : message) }, pairedItem };
}

/** A run with fewer calls in flight says nothing of concurrency. */
const WORTH_TELLING = 10;

/** What a run came to, for the hints that n8n shows with the output. The load is that of the account. */
export class RunHints {
	private readonly before: CallQueue['load'];
	private mostInFlight = 0;
	private leftOut = 0;

	constructor(private readonly queue: CallQueue) {
		this.before = queue.load;
	}

	/** Notes that a call has ended, and how many records of its response 'Limit' left out. */
	note(leftOut = 0): void {
		this.mostInFlight = Math.max(this.mostInFlight, this.queue.load.inFlight + 1);
		this.leftOut += leftOut;
	}

	/** Older versions of n8n have no hints. */
	show(context: Partial<Pick<IExecuteFunctions, 'addExecutionHints'>>): void {
		const throttled = this.queue.load.throttled - this.before.throttled;
		const seconds = Math.round((this.queue.load.pausedMs - this.before.pausedMs) / 1000);
		const messages = [
			throttled > 0 &&
				`The service rate-limited calls ${throttled} times and asked for ${seconds} seconds of pauses.`,
			this.mostInFlight >= WORTH_TELLING && `Up to ${this.mostInFlight} calls were in flight.`,
			this.leftOut > 0 && `'Limit' left out ${this.leftOut} records: raise it or switch on 'Return All'.`,
		].filter(Boolean);
		if (messages.length > 0)
			context.addExecutionHints?.({ message: messages.join(' '), type: 'info', location: 'outputPane' });
	}
}
