import { NodeApiError, NodeOperationError } from 'n8n-workflow';

type NodeError = NodeApiError | NodeOperationError;

const MAX_RANGES = 10;
const GO_ON =
	"To keep what goes through and go on with the other items, set 'On Error' in the node's settings to 'Continue (using error output)'";

/**
 * What has become of the items of a run. An error that ends the run tells it: what went through comes out nowhere. Items
 * are counted from 0.
 */
export class RunProgress {
	private readonly started = new Set<number>();
	private readonly done = new Set<number>();
	private readonly errors = new Map<number, unknown>();
	private doneBefore: number[] = [];

	/** @param count of the items */
	constructor(private readonly count: number) {}

	/** Whether an item has failed, so that no further one is started. */
	get hasFailed(): boolean {
		return this.errors.size > 0;
	}

	/** Executes an item and keeps in mind how it ended. */
	async follow(itemIndex: number, execute: () => Promise<void>): Promise<void> {
		this.started.add(itemIndex);
		try {
			await execute();
			this.done.add(itemIndex);
		} catch (error) {
			if (!this.hasFailed) this.doneBefore = [...this.done];
			this.errors.set(itemIndex, error);
		}
	}

	/** @throws the error of the first item that failed, with what has become of the others */
	throwFirstError(): void {
		if (!this.hasFailed) return;
		const first = Math.min(...this.errors.keys());
		const error = this.errors.get(first);
		const isOwn = error instanceof NodeApiError || error instanceof NodeOperationError;
		if (isOwn && this.count > 1) this.tell(error, first);
		throw error;
	}

	private tell(error: NodeError, first: number): void {
		const done = inOrder(this.doneBefore);
		const doneSince = inOrder(this.done).filter((itemIndex) => !done.includes(itemIndex));
		const failedSince = inOrder(this.errors.keys()).filter((itemIndex) => itemIndex !== first);
		const notMade = Array.from({ length: this.count }, (_, index) => index).filter(
			(itemIndex) => !this.started.has(itemIndex),
		);
		const underWay = doneSince.length + failedSince.length;
		error.message += `. Of the other calls ${done.length} had gone through, ${underWay} were under way, ${notMade.length} were not made`;
		error.description = [
			error.description,
			named('Went through before', done),
			named('Under way, went through since', doneSince),
			named('Under way, failed since', failedSince),
			named('Not made', notMade),
			GO_ON,
		]
			.filter(Boolean)
			.join('. ');
		error.context.calls = { done, underWay: { done: doneSince, failed: failedSince }, notMade };
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
