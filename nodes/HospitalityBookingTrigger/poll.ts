import type { Emission, Step } from './cursor';
import type { Query } from './feeds/feed';
import { type FollowSettings, type Follower, type Position, followerOf } from './follow';
import { type StoredState, isBeingStored, lastState, mayReEmit, rememberPoll } from './pollState';
import { lastBatch, undoOf } from './reEmit';
import { noteSkipped } from './skips';

export interface PollSettings extends FollowSettings {
	/** Event and filters as a text: when it changes, the kept state no longer applies. */
	watching: string;
	maxItems: number;
	/** Milliseconds since 1970; null: emit only what comes. */
	startAt: number | null;
	/** Whether to leave out what happened since the last poll and begin anew. */
	anew: boolean;
	/** Whether to emit the last batch again when n8n has started anew. */
	reEmit: boolean;
}

/** A record that goes out. */
export interface Outgoing extends Emission<unknown> {
	/** Whether it has gone out before n8n was restarted. */
	again: boolean;
}

/** What a poll needs of the world. */
export interface PollWorld<T> {
	/** Stands for the node within this process. */
	id: string;
	/** Whether n8n may have read the state before it had stored that of the poll before, as with durable cursors. */
	readEarly: boolean;
	/** Whether it depends on this poll that the workflow can be published. */
	publishing: boolean;
	/** The state that the last poll left, or undefined. */
	load: () => StoredState | undefined;
	save: (state: StoredState) => void;
	/** How long n8n waits for the poll, in milliseconds. */
	budgetMs: number;
	/** Makes the call and returns its parsed body. Always ends by the deadline, in milliseconds since 1970. */
	fetch: (path: string, query: Query, deadline: number) => Promise<unknown>;
	/** Turns the records that go out into the node's output. */
	present: (records: Outgoing[]) => T;
	warn: (message: string) => void;
	/** Milliseconds since 1970. */
	now: () => number;
	/** Resolves after some milliseconds; sooner, in whichever way, when the signal says that nobody waits any more. */
	wait: (ms: number, signal: AbortSignal) => Promise<unknown>;
}

/** The service answered with something that is not a list. */
export class NoListError extends Error {
	override name = 'NoListError';
}

/** Another poll of the node has been under way for a while. */
export class BusyError extends Error {
	override name = 'BusyError';
	readonly failure = { cause: 'temporarily-unavailable' } as const;
}

/** Records were left out, and nobody has been told yet. */
export class SkippedError extends Error {
	override name = 'SkippedError';

	constructor(readonly reasons: readonly string[]) {
		super(reasons.join('; '));
	}
}

/** The first poll of a trigger did not succeed, so there is nothing to go on from; `cause` is why. */
export class FirstPollError extends Error {
	override name = 'FirstPollError';
}

/** The polls under way, by node. */
const running = new Map<string, Promise<unknown>>();

/** How long a poll waits for another one. */
const BUSY_MS = 10_000;

const PUBLISHING_BUDGET_MS = 30_000;

/**
 * One poll from call to state. The state is replaced once, last: a poll that fails, wherever, changes nothing.
 *
 * The first poll of a publication does not fail for what passes by itself, such as a 429, where there is a state to go on
 * from: the next poll takes what it would have taken.
 *
 * @returns the output, or null when nothing is new, or the poll before is still being stored
 * @throws BusyError when another poll of the node does not end; FirstPollError; SkippedError when nothing is new and records were
 * left out, once the state is saved; NoListError; what `fetch` and `present` throw
 */
export async function poll<T>(world: PollWorld<T>, settings: PollSettings): Promise<T | null> {
	return await pollOnce(world, settings).catch((reason: unknown) => letPublish(world, settings, reason));
}

async function pollOnce<T>(world: PollWorld<T>, settings: PollSettings): Promise<T | null> {
	const other = running.get(world.id);
	if (other) return await leaveTo(other, world);
	// It begins once it is known to run.
	const own = Promise.resolve().then(() => pollAlone(world, settings));
	running.set(world.id, own);
	try {
		return await own;
	} finally {
		running.delete(world.id);
	}
}

/**
 * An n8n that was held up makes two polls at once: the service need not be asked twice.
 *
 * @throws BusyError when the other poll does not end; else what it throws, but for what is said once
 */
async function leaveTo<T>(other: Promise<unknown>, world: PollWorld<T>): Promise<null> {
	const waiting = new AbortController();
	const patience = world.wait(BUSY_MS, waiting.signal).catch(() => undefined);
	const outcome = other.catch((reason: unknown) => {
		if (!(reason instanceof SkippedError)) throw reason;
	});
	try {
		const ended = await Promise.race([outcome.then(() => true), patience.then(() => false)]);
		if (!ended) throw new BusyError('Another poll is under way');
		return null;
	} finally {
		waiting.abort();
	}
}

/** @throws the reason, unless publishing can go on without the poll */
function letPublish<T>(world: PollWorld<T>, settings: PollSettings, reason: unknown): null {
	if (!world.publishing || !willPass(reason)) throw reason;
	if (!usable(lastState(world.id, world.load()).last, settings))
		throw new FirstPollError('Not begun', { cause: reason });
	world.warn(`The first poll did not succeed, the next one goes on: ${(reason as Error).message}`);
	return null;
}

async function pollAlone<T>(world: PollWorld<T>, settings: PollSettings): Promise<T | null> {
	const { last, madeFrom, begunFrom } = lastState(world.id, world.load());
	const now = world.now();
	if (world.readEarly && isBeingStored(world.id, begunFrom, now)) return null;
	const follower = followerOf(settings);
	const before = usable(last, settings);
	const position = before?.cursor ?? follower.begin(last ? null : settings.startAt, now);
	const undo = settings.reEmit && mayReEmit(world.id, begunFrom) ? before?.undo : undefined;
	const deadline = now + budgetOf(world, before !== undefined);
	const page = await world.fetch(settings.feed.path, follower.query(position, now, undo?.from), deadline);
	const save = (state: StoredState, output: T | null, isAgain = false) => {
		rememberPoll(world.id, { madeFrom, begunFrom, state, hasEmitted: output !== null, isAgain, now });
		world.save(state);
		return output;
	};
	if (page === undefined || page === null) {
		// No body says nothing: were it taken for an empty list, everything in the next one would be new.
		if (before) return null;
		const from = last ? now : (settings.startAt ?? now);
		return save({ watching: settings.watching, cursor: follower.begin(from, now) }, null);
	}
	if (!Array.isArray(page)) throw new NoListError();
	const again = undo ? lastBatch(follower, undo, page as unknown[], now) : [];
	if (before && again.length > 0) {
		const repeats = (before.repeats ?? 0) + 1;
		return save({ ...before, repeats }, world.present(again.map((one) => ({ ...one, again: true }))), true);
	}
	const step = follower.advance(position, page as unknown[], now, settings.maxItems);
	return finish(world, { settings, follower, before }, step, save);
}

interface Following {
	settings: PollSettings;
	follower: Follower;
	/** The state that the poll went on from. */
	before: StoredState | undefined;
}

/** Presents what goes out, and saves the state; then says what was left out, if nothing else goes out. */
function finish<T>(
	world: PollWorld<T>,
	{ settings, follower, before }: Following,
	{ state: cursor, undo: from, emit, skipped }: Step<unknown, Position>,
	save: (state: StoredState, output: T | null) => T | null,
): T | null {
	const output = emit.length > 0 ? world.present(emit.map((one) => ({ ...one, again: false }))) : null;
	const { skips, tell } = noteSkipped(before?.skips, skipped, output === null && !world.publishing);
	const last = { from, emit, now: world.now() };
	const undo = settings.reEmit ? undoOf(before?.undo, last, follower) : undefined;
	const kept = undo ? { undo } : {};
	save({ watching: settings.watching, cursor, ...kept, ...(skips ? { skips } : {}) }, output);
	if (tell.length > 0) throw new SkippedError(tell);
	return output;
}

/** While publishing, the wait for the service is shorter if there is a state to go on from. */
function budgetOf<T>({ budgetMs, publishing }: PollWorld<T>, canGoOn: boolean): number {
	return publishing && canGoOn ? Math.min(budgetMs, PUBLISHING_BUDGET_MS) : budgetMs;
}

/** Unless the trigger is to begin anew, or waits for something else now. */
function usable(state: StoredState | undefined, settings: PollSettings): StoredState | undefined {
	return state && !settings.anew && state.watching === settings.watching ? state : undefined;
}

/** Whether what went wrong passes by itself, as the error says in n8n's own terms. */
function willPass(error: unknown): boolean {
	const { failure } = error as { failure?: { cause?: string } };
	return failure?.cause === 'rate-limited' || failure?.cause === 'temporarily-unavailable';
}
