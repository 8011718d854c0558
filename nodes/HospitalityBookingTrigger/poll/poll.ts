import type { Query } from '../feeds/feed';
import { type Position, followerOf } from '../follow/follower';
import type { Emission, FollowSettings, Step } from '../follow/step';
import { addNotices } from '../state/notices';
import { hashKey, packSeen, unpackSeen } from '../state/seen';
import { type LastBatch, type StoredState, readState } from '../state/stored';
import { type NodeMemory, memoryOf } from './memory';

export interface PollSettings extends FollowSettings {
	/** Name of the node, the event with its filters, and the account: when one changes, the kept state no longer applies. */
	node: string;
	watching: string;
	account: string;
	/** Milliseconds since 1970; null: emit only what comes. */
	startAt: number | null;
	/** Whether to leave out what happened since the last poll and begin anew. */
	anew: boolean;
	/** Whether to emit the last batch again when n8n has started anew. */
	reEmit: boolean;
}

/** A record that goes out. */
export interface Outgoing extends Emission {
	/** Whether it has gone out before n8n was restarted. */
	again: boolean;
}

/** What a poll needs of the world. */
export interface PollHost<T> {
	/** Stands for the node within this process. */
	id: string;
	/** Whether n8n may have read the state before it had stored that of the poll before, as with durable cursors. */
	readEarly: boolean;
	/** Whether it depends on this poll that the workflow can be published. */
	publishing: boolean;
	/** Whether the workflow was published before, so that there has been a state. */
	wasPublished: boolean;
	/** What n8n has stored for the node, and in other places where the state may be; undefined for nothing. */
	load: () => unknown[];
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
}

/** Why a poll gave nothing, where the call itself did not fail. */
export class PollError extends Error {
	override name = 'PollError';

	/**
	 * @param reason the service's response was not a list; there is something to tell, and the state is saved; or the first
	 * poll did not succeed, so there is nothing to go on from: `cause` is why
	 */
	constructor(
		readonly reason: 'no list' | 'notices' | 'not begun',
		readonly notices: readonly string[] = [],
		cause?: unknown,
	) {
		super(reason, { cause });
	}
}

/** How long a poll may take while publishing where there is a state to go on from. */
const PUBLISHING_BUDGET_MS = 30_000;
/** How long a poll waits for the service; twice as long after each poll for which that was too short. */
const USUAL_BUDGET_MS = 60_000;
/** How long n8n may take to store what a poll has emitted. After that it counts as dropped. */
const STORING_MS = 30_000;

/**
 * One poll from call to state. The state is replaced once, last: a poll that fails, wherever, changes nothing.
 *
 * The first poll of a publication does not fail for what passes by itself, such as a 429, where there is a state to go on
 * from: the next poll takes what it would have taken.
 *
 * @returns the output, or null when nothing is new, another poll of the node is under way, or the one before is still being
 * stored
 * @throws PollError; StateError for a stored state that cannot be read; what `fetch` and `present` throw
 */
export async function poll<T>(host: PollHost<T>, settings: PollSettings): Promise<T | null> {
	const memory = memoryOf(host.id);
	if (memory.running) {
		if (!host.publishing) return null;
		await memory.running.catch(() => undefined);
	}
	// It begins once it is known to run.
	const running = Promise.resolve().then(async () => await pollAlone(host, settings, memory));
	memory.running = running;
	try {
		return await running;
	} finally {
		if (memory.running === running) delete memory.running;
	}
}

async function pollAlone<T>(
	host: PollHost<T>,
	settings: PollSettings,
	memory: NodeMemory,
): Promise<T | null> {
	const stored = host.load().map((value, place) => readState(value, place > 0));
	const newest = stored.reduce((one, other) =>
		other && (!one || other.savedAt > one.savedAt) ? other : one,
	);
	const before = newest && isUsable(newest, settings) ? newest : undefined;
	const begun = host.now();
	const budgetMs = budgetOf(host, before, memory);
	try {
		const output = await follow(host, settings, memory, { newest, before, now: begun, budgetMs });
		memory.slowPolls = 0;
		return output;
	} catch (error) {
		if (host.now() - begun >= budgetMs) memory.slowPolls++;
		return tolerateTransientFailure(host, before !== undefined, error);
	}
}

/**
 * Lets a workflow with a state be published while the service is unavailable for a while: the next poll goes on.
 *
 * @throws any other error
 */
function tolerateTransientFailure(
	host: Pick<PollHost<unknown>, 'publishing' | 'warn'>,
	hasState: boolean,
	error: unknown,
): null {
	if (!host.publishing || !isTransient(error)) throw error;
	if (!hasState) throw new PollError('not begun', [], error);
	host.warn(`The first poll did not succeed, the next one goes on: ${(error as Error).message}`);
	return null;
}

/** The state that n8n has stored last is `newest`, and `before` if it still applies. */
async function follow<T>(
	host: PollHost<T>,
	settings: PollSettings,
	memory: NodeMemory,
	{
		newest,
		before,
		now,
		budgetMs,
	}: { newest?: StoredState; before?: StoredState; now: number; budgetMs: number },
): Promise<T | null> {
	const { feed, node, watching, account } = settings;
	const mark = hashKey(JSON.stringify(newest ?? null));
	if (host.readEarly && isBeingStored(memory, mark, now)) return null;
	const follower = followerOf(settings);
	const position = before?.position ?? follower.begin(newest ? null : settings.startAt, now);
	// Until n8n has taken what goes out again after its start.
	const canReEmit = memory.emittedAgainFrom === undefined || memory.emittedAgainFrom === mark;
	const last = settings.reEmit && canReEmit ? before?.last : undefined;
	const page = await host.fetch(feed.path, follower.query(position, now, last?.origin), now + budgetMs);

	const save = (
		kept: Pick<StoredState, 'position' | 'last' | 'notices'>,
		output: T | null,
		isAgain = false,
	) => {
		const savedAt = Math.max(now, (newest?.savedAt ?? -1) + 1);
		host.save({ ...kept, version: 2, node, watching, account, savedAt });
		memory.emittedAgainFrom = isAgain ? mark : null;
		if (output !== null) memory.emitted = { from: mark, at: now };
		return output;
	};
	if (page === undefined || page === null) {
		// No body says nothing: were it taken for an empty list, everything in the next one would be new.
		if (before) return null;
		return save({ position: follower.begin(newest ? now : (settings.startAt ?? now), now) }, null);
	}
	if (!Array.isArray(page)) throw new PollError('no list');
	const again = last ? follower.find(page, unpackSeen(last.keys)) : [];
	if (before && again.length > 0)
		return save(before, host.present(again.map((one) => ({ ...one, again: true }))), true);

	const step = follower.advance(position, page, now);
	const output =
		step.emit.length > 0 ? host.present(step.emit.map((one) => ({ ...one, again: false }))) : null;
	if (!newest && host.wasPublished)
		step.notices.push(
			'n8n has kept nothing of this trigger: it has begun anew, and what came before is left out',
		);
	const { notices, tell } = addNotices(before?.notices, step.notices, output === null && !host.publishing);
	const kept = settings.reEmit ? lastBatch(before?.last, step, now) : undefined;
	save({ position: step.position, ...(kept && { last: kept }), ...(notices && { notices }) }, output);
	if (tell.length > 0) throw new PollError('notices', tell);
	return output;
}

/** While publishing, the wait for the service is shorter if there is a state to go on from. */
function budgetOf<T>(
	{ budgetMs, publishing }: PollHost<T>,
	before: StoredState | undefined,
	memory: NodeMemory,
) {
	if (!before) return budgetMs;
	return Math.min(budgetMs, publishing ? PUBLISHING_BUDGET_MS : USUAL_BUDGET_MS * 2 ** memory.slowPolls);
}

/** Unless the trigger is to begin anew, or waits for something else now. */
function isUsable(state: StoredState, { anew, node, watching, account }: PollSettings): boolean {
	return (
		!anew &&
		state.watching === watching &&
		(state.node ?? node) === node &&
		(state.account ?? account) === account
	);
}

/** Whether n8n is about to store the batch: from the same state the same would come out again. */
function isBeingStored({ emitted }: NodeMemory, mark: string, now: number): boolean {
	return emitted?.from === mark && Math.abs(now - emitted.at) < STORING_MS;
}

/** n8n may not have stored the batch before either, where it went out shortly before this one. */
function lastBatch(
	before: LastBatch | undefined,
	{ emit, origin }: Step<Position>,
	now: number,
): LastBatch | undefined {
	if (emit.length === 0) return before;
	const joined = before && Math.abs(now - before.emittedAt) < STORING_MS ? before : undefined;
	const keys = new Map(joined ? unpackSeen(joined.keys) : []);
	for (const { key } of emit) keys.set(key, 0);
	return { origin: earlier(joined?.origin, origin), keys: packSeen(keys), emittedAt: now };
}

/** A text is what an earlier poll asked from, which never goes back. */
function earlier(before: string | number | undefined, origin: string | number): string | number {
	return typeof before === 'number' ? Math.min(before, Number(origin)) : (before ?? origin);
}

/** Whether what ended a poll passes by itself, as the error says in n8n's own terms. */
function isTransient(error: unknown): boolean {
	const { failure } = error as { failure?: { cause?: string } };
	return failure?.cause === 'rate-limited' || failure?.cause === 'temporarily-unavailable';
}
