import difference from 'lodash/difference';

import { ExplainedError } from '../../shared/errors/help';
import { readList } from '../../shared/http/response';
import { RecentMap } from '../../shared/values/recentMap';
import type { Query } from '../feeds/feed';
import { followChanges } from '../follow/changes';
import { followDue } from '../follow/due';
import type { Emission, FollowSettings, Follower, LastBatch, Step } from '../follow/step';
import { hashKey, hexOf, packSeen, shortHash, unpackSeen } from '../state/seen';
import { type EmittedAgain, type Notices, type Position, type StoredState, readState } from '../state/stored';

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
	/** What has happened since this time is to come out once more, once for each value: milliseconds since 1970. */
	againSince?: number | null;
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
	present: (records: Emission[]) => T;
	warn: (message: string) => void;
	/** Milliseconds since 1970. */
	now: () => number;
}

/** There is something to tell, and the state is saved. */
export class NoticesError extends ExplainedError {
	override name = 'NoticesError';

	constructor(readonly notices: readonly string[]) {
		super(
			`Please check: ${notices.join('; ')}`,
			"The trigger goes on: everything else has been emitted. You won't be warned again.",
			'trigger',
		);
	}
}

/** The first poll did not succeed, so there is nothing to go on from: `cause` is why. */
export class NotBegunError extends Error {
	override name = 'NotBegunError';
}

/** What one process remembers of a trigger between its polls. n8n gives a node no other place for it. */
interface NodeMemory {
	/** The poll under way. */
	running?: Promise<unknown>;
	/** How many polls in a row took all of their time. */
	slowPolls: number;
	/** Whether the node has polled since n8n was started. */
	hasSaved: boolean;
	/** The state that the last batch was emitted from, when, and whether it had gone out before n8n was started. */
	emitted?: { from: string; at: number; isAgain: boolean };
	/** What the last poll told, and the state that it began with. */
	told?: { from: string; texts: string[] };
}

const memories = new RecentMap<NodeMemory>(1000, ({ running }) => !running);

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
 * @throws NoticesError; NotBegunError; StateError for a stored state that cannot be read; CallError for a response that is no list; what
 * `fetch` and `present` throw
 */
export async function poll<T>(host: PollHost<T>, settings: PollSettings): Promise<T | null> {
	const memory = memories.open(host.id, () => ({ slowPolls: 0, hasSaved: false }));
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
	const { feed, node, watching, account } = settings;
	const stored = host.load().map((value, place) => readState(value, place > 0));
	const newest = stored.reduce((one, other) =>
		other && (!one || other.savedAt > one.savedAt) ? other : one,
	);
	const before = newest && isUsable(newest, settings) ? newest : undefined;
	const now = host.now();
	const mark = hashKey(JSON.stringify(newest ?? null));
	const { emitted } = memory;
	// From the same state the same would come out again, until n8n has stored the batch.
	const isBeingStored = emitted?.from === mark && Math.abs(now - emitted.at) < STORING_MS;
	if (host.readEarly && isBeingStored) return null;
	const follower = followerOf(settings);
	const position = before?.position ?? follower.begin(newest ? null : settings.startAt, now);
	// Until n8n has taken what goes out again after its start, which it may not have when it publishes the workflow meanwhile.
	const canReEmit = !memory.hasSaved || (emitted?.isAgain && emitted.from === mark);
	const last = settings.reEmit && canReEmit ? before?.last : undefined;
	const query = follower.query(position, now, last?.origin);
	const missing = follower.standing?.(position, now);
	const list = async (asked: Query, deadline: number) =>
		readList(await host.fetch(feed.path, asked, deadline));
	const fetched = await fetchPage(host, memory, before !== undefined, now, async (deadline) => ({
		standing: missing && (await list(missing, deadline)),
		page: await list(query, deadline),
	}));
	if (!fetched) return null;
	const { standing, page } = fetched;

	const save = (
		kept: Pick<StoredState, 'position' | 'last' | 'notices' | 'emittedAgain'>,
		output: T | null,
		isAgain = false,
	) => {
		const savedAt = Math.max(now, (newest?.savedAt ?? -1) + 1);
		host.save({ ...kept, version: 2, node, watching, account, savedAt });
		memory.hasSaved = true;
		if (output !== null) memory.emitted = { from: mark, at: host.now(), isAgain };
		return output;
	};
	if (!page) {
		// No body says nothing: were it taken for an empty list, everything in the next one would be new.
		if (before) return null;
		return save({ position: follower.begin(newest ? now : (settings.startAt ?? now), now) }, null);
	}
	const again = last ? follower.find(page, last) : [];
	if (before && again.length > 0) return save(before, host.present(again.map(asAgain)), true);

	const step = follower.advance(position, page, now, standing);
	const later: Again = { emit: [], state: before?.emittedAgain };
	const more =
		host.publishing && before
			? later
			: await emitAgain(follower, settings, before, now, async (asked) =>
					fetchPage(host, memory, true, now, async (deadline) => list(asked, deadline)),
				).catch((error: unknown) => {
					// What is new does not wait for it.
					if (step.emit.length === 0) throw error;
					host.warn(`'Emit Again Since' did not succeed: ${(error as Error).message}`);
					return later;
				});
	if (more.notice) step.notices.push(more.notice);
	const outgoing = [...step.emit, ...more.emit.map(asAgain)];
	const output = outgoing.length > 0 ? host.present(outgoing) : null;
	if (!newest && host.wasPublished)
		step.notices.push(
			'n8n has kept nothing of this trigger: it has begun anew, and what came before is left out',
		);
	const { notices, tell } = addNotices(before?.notices, step.notices, output === null && !host.publishing);
	const kept = settings.reEmit ? lastBatch(before?.last, step, host.now()) : undefined;
	save({ position: step.position, last: kept, notices, emittedAgain: more.state }, output);
	// A poll that fails is not stored with durable cursors: the next one, from the same state, does not say it again.
	const untold = memory.told?.from === mark ? difference(tell, memory.told.texts) : tell;
	memory.told = { from: mark, texts: tell };
	if (untold.length > 0) throw new NoticesError(untold);
	return output;
}

/** @returns how to follow the feed: by change timestamps, or by the times at which bookings are due */
export function followerOf(settings: FollowSettings): Follower<Position> {
	const { feed } = settings;
	// A stored position is of the feed's own kind: its reader makes sure of it.
	return (
		feed.kind === 'due' ? followDue(feed, settings) : followChanges(feed, settings)
	) as Follower<Position>;
}

/**
 * Makes the call in the poll's time. A workflow with a state can be published while the service is unavailable for a while:
 * the next poll goes on.
 *
 * @returns undefined then
 */
async function fetchPage<P>(
	host: Pick<PollHost<unknown>, 'budgetMs' | 'now' | 'publishing' | 'warn'>,
	memory: NodeMemory,
	hasState: boolean,
	begun: number,
	fetch: (deadline: number) => Promise<P>,
): Promise<P | undefined> {
	const usualMs = host.publishing ? PUBLISHING_BUDGET_MS : USUAL_BUDGET_MS * 2 ** memory.slowPolls;
	const budgetMs = hasState ? Math.min(host.budgetMs, usualMs) : host.budgetMs;
	const page = await fetch(begun + budgetMs).catch((error: unknown): undefined => {
		if (host.now() - begun >= budgetMs) memory.slowPolls++;
		// Whether it passes by itself, in n8n's own terms.
		const cause = (error as { failure?: { cause?: string } }).failure?.cause ?? '';
		if (!host.publishing || !['rate-limited', 'temporarily-unavailable'].includes(cause)) throw error;
		if (!hasState) throw new NotBegunError('not begun', { cause: error });
		host.warn(`The first poll did not succeed, the next one goes on: ${(error as Error).message}`);
	});
	if (page !== undefined) memory.slowPolls = 0;
	return page;
}

function asAgain(emission: Emission): Emission {
	return { ...emission, again: true };
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
	const told = emit.flatMap(({ key, difference }) => (difference ? { key: hexOf(key), ...difference } : []));
	const differences = [...(joined?.differences ?? []), ...told];
	// A text is what an earlier poll asked from, which never goes back.
	const first = joined?.origin ?? origin;
	return {
		origin: typeof first === 'number' ? Math.min(first, Number(origin)) : first,
		keys: packSeen(keys),
		emittedAt: now,
		...(differences.length > 0 ? { differences } : {}),
	};
}

interface Again {
	emit: Emission[];
	/** What is kept; undefined where nothing is asked for. */
	state?: EmittedAgain;
	/** What a person should know. */
	notice?: string;
}

/**
 * A part of what has happened since the time that was entered, once for each value: from a position of its own, so that the
 * trigger's stays where it is. What the trigger has not dealt with is left to it.
 *
 * @param before undefined for the trigger's first poll, which has nothing to emit again
 * @param fetch returns undefined for a response without a body, which says nothing
 */
async function emitAgain(
	follower: Follower<Position>,
	{ againSince, maxItems }: PollSettings,
	before: StoredState | undefined,
	now: number,
	fetch: (query: Query) => Promise<unknown[] | undefined>,
): Promise<Again> {
	if (typeof againSince !== 'number') return { emit: [] };
	const begun = before?.emittedAgain?.since === againSince ? before.emittedAgain : undefined;
	if (!before || (begun && !begun.position))
		return { emit: [], state: begun ?? { since: againSince, count: 0 } };
	const position = begun?.position ?? follower.begin(againSince, now);
	const page = await fetch(follower.query(position, now));
	if (!page) return { emit: [], state: before.emittedAgain };
	const step = follower.advance(position, page, now);
	// What the trigger has emitted meanwhile, it has not emitted before.
	const reference = begun?.reference ?? before.position;
	const emit = follower.dealtWith(reference, step.emit);
	const count = (begun?.count ?? 0) + emit.length;
	if (step.emit.length === maxItems)
		return {
			emit,
			state: { since: againSince, count, position: lean(step.position), reference: lean(reference) },
		};
	const notice = `'Emit Again Since' is done: ${count} items since ${new Date(againSince).toISOString()} came out again. For another time, enter it`;
	return { emit, state: { since: againSince, count }, notice };
}

/** What was last seen is not asked for. */
function lean(position: Position): Position {
	return 'known' in position ? { ...position, known: undefined } : position;
}

const MAX_UNTOLD = 20;

/**
 * Tells everything once: a record that cannot be followed stays in the service's responses for a while.
 *
 * @param found what the poll found, one text each, which names the record
 * @param canTell whether the poll has nothing else to give
 * @returns what to keep, undefined for nothing; and what to tell now
 */
function addNotices(
	before: Notices | undefined,
	found: readonly string[],
	canTell: boolean,
): { notices: Notices | undefined; tell: string[] } {
	const known = new Set(before?.known);
	const byHash = new Map(found.map((text) => [shortHash(text), text]));
	const unseen = [...byHash].filter(([hash]) => !known.has(hash)).map(([, text]) => text);
	const untold = [...(before?.untold ?? []), ...unseen];
	const more = (before?.more ?? 0) + Math.max(0, untold.length - MAX_UNTOLD);
	untold.splice(MAX_UNTOLD);
	const tell = canTell ? [...untold, ...(more > 0 ? [`${more} more`] : [])] : [];
	const kept = canTell ? { untold: [], more: 0 } : { untold, more };
	const notices = byHash.size + kept.untold.length > 0 ? { known: [...byHash.keys()], ...kept } : undefined;
	return { notices, tell };
}
