import type { Emission } from './cursor';
import type { Follower, Position } from './follow';
import { packSeen, unpackSeen } from './seen';

/** How long n8n may take to store what a poll has emitted. After that it counts as dropped. */
export const STORING_MS = 30_000;

/** The last items, and those that went out shortly before them. */
export interface Undo {
	/** From here they come out again. */
	from: Position;
	/** Their events (see `seen.ts`). */
	keys: string;
	/** When they went out, in milliseconds since 1970. */
	emittedAt: number;
}

/**
 * n8n may not have stored the batch before either, where it went out shortly before this one.
 *
 * @param before what was kept so far
 * @param last the position before the batch that goes out at `now`, and the batch; an empty one changes nothing
 * @returns what to keep, so that the last items can come out again
 */
export function undoOf(
	before: Undo | undefined,
	{ from, emit, now }: { from: Position; emit: Array<Emission<unknown>>; now: number },
	follower: Follower,
): Undo | undefined {
	if (emit.length === 0) return before;
	const last = before && Math.abs(now - before.emittedAt) < STORING_MS ? before : undefined;
	const keys = new Map(last ? unpackSeen(last.keys) : []);
	for (const { key } of emit) keys.set(key, 0);
	return { from: last ? follower.join(last.from, from) : from, keys: packSeen(keys), emittedAt: now };
}

/** @returns what was emitted last, as far as the service's list still has it */
export function lastBatch(
	follower: Follower,
	undo: Undo,
	page: readonly unknown[],
	now: number,
): Array<Emission<unknown>> {
	const keys = unpackSeen(undo.keys);
	return follower.advance(undo.from, page, now, Infinity).emit.filter(({ key }) => keys.has(key));
}
