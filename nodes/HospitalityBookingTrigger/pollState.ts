import type { Position } from './follow';
import { STORING_MS, type Undo } from './reEmit';
import { hashKey } from './seen';
import type { Skips } from './skips';

/** What a trigger keeps in n8n's static data. */
export interface StoredState {
	/** The event and filters that it belongs to. */
	watching: string;
	cursor: Position;
	/** How the last items come out again; kept for 'Re-Emit After Restart' only. */
	undo?: Undo;
	/** How often the last batch has gone out again. */
	repeats?: number;
	skips?: Skips;
}

/** Triggers of one process; beyond that the one that was quiet longest is forgotten. */
const MAX_REMEMBERED = 1000;

/**
 * State of polls that emitted nothing, by node. n8n drops such state on publishing again, and with durable cursors also
 * after the first poll, whose baseline would be lost. It counts as long as n8n's state is the one it was made from.
 */
const remembered = new Map<string, { madeFrom: string; state: StoredState }>();

/** The state that was last emitted from, by node, and when. */
const emittedFrom = new Map<string, { state: string; at: number }>();

/**
 * The nodes that have polled since n8n was started: the state that the last batch went out again from, or null. Still that
 * state means that n8n has not taken the batch, as when the workflow was published again meanwhile.
 */
const polledHere = new Map<string, string | null>();

/** Where a poll goes on from. */
export interface LastState {
	/** Undefined before the first poll. */
	last: StoredState | undefined;
	/** Stand for the state that n8n has stored, and for `last`. */
	madeFrom: string;
	begunFrom: string;
}

/** How a poll ended that has left a state. */
export interface PollEnd extends Omit<LastState, 'last'> {
	state: StoredState;
	hasEmitted: boolean;
	/** Whether what it emitted had gone out before. */
	isAgain: boolean;
	now: number;
}

/** @returns the state to go on from: what the last poll left in memory, if n8n has not stored another since */
export function lastState(id: string, stored: StoredState | undefined): LastState {
	const madeFrom = hashOf(stored);
	const memory = remembered.get(id);
	const last = memory?.madeFrom === madeFrom ? memory.state : stored;
	return { last, madeFrom, begunFrom: last === stored ? madeFrom : hashOf(last) };
}

/** What was emitted is left to n8n: when it drops that too, the state before it counts. */
export function rememberPoll(
	id: string,
	{ madeFrom, begunFrom, state, hasEmitted, isAgain, now }: PollEnd,
): void {
	if (hasEmitted) remember(emittedFrom, id, { state: begunFrom, at: now });
	else remember(remembered, id, { madeFrom, state });
	remember(polledHere, id, isAgain ? begunFrom : null);
}

/** Whether the last batch may go out again: until n8n has taken what goes out again after its start. */
export function mayReEmit(id: string, begunFrom: string): boolean {
	const from = polledHere.get(id);
	return from === undefined || from === begunFrom;
}

/** Whether n8n is about to store the batch: from the same state the same would come out again. */
export function isBeingStored(id: string, begunFrom: string, now: number): boolean {
	const emission = emittedFrom.get(id);
	return emission?.state === begunFrom && Math.abs(now - emission.at) < STORING_MS;
}

function hashOf(state: StoredState | undefined): string {
	return hashKey(JSON.stringify(state ?? null));
}

function remember<T>(entries: Map<string, T>, id: string, entry: T): void {
	entries.delete(id);
	entries.set(id, entry);
	const [oldest = ''] = entries.keys();
	if (entries.size > MAX_REMEMBERED) entries.delete(oldest);
}
