import type { Query } from '../feeds/feed';
import type { Position } from '../follow/follower';
import type { Emission, Follower } from '../follow/step';
import type { EmittedAgain } from '../state/stored';

export interface Again {
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
 * @param before where the trigger was before this poll, and how far this had got; undefined for its first poll, which has
 * nothing to emit again
 * @param fetch returns undefined for a response without a body, which says nothing
 */
export async function emitAgain(
	follower: Follower<Position>,
	{ againSince, maxItems }: { againSince?: number | null; maxItems: number },
	before: { position: Position; emittedAgain?: EmittedAgain } | undefined,
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
