import { NodeApiError, NodeOperationError } from 'n8n-workflow';
import partition from 'lodash/partition';

type NodeError = NodeApiError | NodeOperationError;

const MAX_RANGES = 10;
const GO_ON =
	"n8n discards the items that succeeded. To keep them and go on with the others, set 'On Error' in the node's settings to 'Continue (using error output)'";

/** What has become of the items of a run, counted from 0. The error that ends the run says so: n8n discards the others. */
export class RunProgress {
	private readonly started = new Set<number>();
	private readonly done = new Set<number>();
	private readonly errors = new Map<number, unknown>();
	private readonly refused = new Map<number, unknown>();
	private doneBefore: number[] = [];

	/**
	 * @param count of the items
	 * @param what the numbers in the message are of
	 */
	constructor(
		private readonly count: number,
		private readonly what: 'calls' | 'items' = 'calls',
	) {}

	/** Whether an item has failed, so that no further one is started. */
	get hasFailed(): boolean {
		return this.errors.size > 0;
	}

	/** Executes an item and keeps in mind how it ended. */
	async follow(itemIndex: number, execute: () => Promise<void>): Promise<void> {
		this.start([itemIndex]);
		try {
			await execute();
			this.end([itemIndex]);
		} catch (error) {
			this.fail([itemIndex], error);
		}
	}

	/** Items whose call begins. */
	start(itemIndexes: Iterable<number>): void {
		for (const itemIndex of itemIndexes) this.started.add(itemIndex);
	}

	/** Items whose call succeeded. */
	end(itemIndexes: Iterable<number>): void {
		for (const itemIndex of itemIndexes) this.done.add(itemIndex);
	}

	/** Items that failed together. */
	fail(itemIndexes: Iterable<number>, error: unknown): void {
		if (!this.hasFailed) this.doneBefore = [...this.done];
		for (const itemIndex of itemIndexes) this.errors.set(itemIndex, error);
	}

	/** An item that was refused while the run goes on with the others. */
	setAside(itemIndex: number, error: unknown): void {
		this.refused.set(itemIndex, error);
	}

	/** @throws the error of the first item that failed or was set aside, with what has become of the others */
	throwFirstError(): void {
		if (!this.hasFailed) {
			this.doneBefore = [...this.done];
			for (const [itemIndex, error] of this.refused) this.errors.set(itemIndex, error);
			this.refused.clear();
		}
		if (!this.hasFailed) return;
		const first = Math.min(...this.errors.keys());
		const error = this.errors.get(first);
		const isOwn = error instanceof NodeApiError || error instanceof NodeOperationError;
		if (isOwn && this.count > 1) this.tell(error);
		throw error;
	}

	private tell(error: NodeError): void {
		const done = inOrder(this.doneBefore).filter((itemIndex) => !this.errors.has(itemIndex));
		const doneSince = inOrder(this.done).filter((itemIndex) => !done.includes(itemIndex));
		const own = error.context.itemIndex;
		const [failedWithIt, failedSince] = partition(
			inOrder(this.errors.keys()).filter((itemIndex) => itemIndex !== own),
			(itemIndex) => this.errors.get(itemIndex) === error,
		);
		const notMade = Array.from({ length: this.count }, (_, index) => index).filter(
			(itemIndex) => !this.started.has(itemIndex),
		);
		const underWay = doneSince.length + failedSince.length;
		if (done.length + underWay + notMade.length === 0) return;
		error.message += `. Of the other ${this.what} ${done.length} succeeded, ${underWay} in progress, ${notMade.length} not started`;
		error.description = [
			error.description,
			named('Failed in the same call', failedWithIt),
			named('Succeeded before', done),
			named('In progress, succeeded since', doneSince),
			named('In progress, failed since', failedSince),
			named('Not started', notMade),
			GO_ON,
		]
			.filter(Boolean)
			.join('. ');
		error.context[this.what] = { done, underWay: { done: doneSince, failed: failedSince }, notMade };
	}
}

function inOrder(itemIndexes: Iterable<number>): number[] {
	return [...itemIndexes].sort((one, other) => one - other);
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
