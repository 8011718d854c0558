import { type Beginning, type CursorState, advance, begin } from './cursor';
import type { Feed } from './feeds/feed';
import { hashKey } from './seen';

/** What a trigger keeps in n8n's static data. */
export interface StoredState {
	/** The event and filters that it belongs to. */
	watching: string;
	cursor: CursorState;
}

export interface PollSettings {
	feed: Feed;
	/** Event and filters in a text: when it changes, what was kept is of no use. */
	watching: string;
	/** IANA name of the credential's Time Zone. */
	zone: string;
	overlapMs: number;
	maxItems: number;
	/** Milliseconds since 1970; null: emit only what comes. */
	startAt: number | null;
	/** Whether to leave out what happened since the last poll and begin anew. */
	anew: boolean;
}

/** What a poll needs of the world. */
export interface PollWorld<T> {
	/** Stands for the node within this process. */
	id: string;
	/** Whether n8n may have read the state before it had stored that of the poll before, as with durable cursors. */
	readEarly: boolean;
	/** The state that the last poll left, or undefined. */
	load: () => StoredState | undefined;
	save: (state: StoredState) => void;
	/** Makes the call and returns its parsed body. */
	fetch: (path: string, query: ReturnType<Feed['query']>) => Promise<unknown>;
	/** Turns the records that go out into the node's output. */
	present: (records: unknown[]) => T;
	warn: (message: string) => void;
	/** Milliseconds since 1970. */
	now: () => number;
}

/** The service answered with something that is not a list. */
export class NoListError extends Error {
	override name = 'NoListError';
}

/** The node's last poll is still under way. */
export class BusyError extends Error {
	override name = 'BusyError';
}

const running = new Set<string>();

/** Triggers of one process; beyond that the one that was quiet longest is forgotten. */
const MAX_REMEMBERED = 1000;

/**
 * What polls that emitted nothing have come to, by node. n8n drops that on publishing again, and with durable cursors also
 * after the first poll, whose baseline would be lost. It counts as long as n8n's state is the one it was made from.
 */
const remembered = new Map<string, { madeFrom: string; state: StoredState }>();

/** How long n8n may take to store what a poll has emitted. After that it counts as dropped. */
const STORING_MS = 30_000;

/** The state that was last emitted from, by node, and when. */
const emittedFrom = new Map<string, { state: string; at: number }>();

/**
 * One poll from call to state. The state is replaced once, last: a poll that fails, wherever, changes nothing.
 *
 * @returns the output, or null when nothing is new, or the poll before is still being stored
 * @throws BusyError while another poll of the node runs; what `fetch` and `present` throw, and NoListError
 */
export async function poll<T>(world: PollWorld<T>, settings: PollSettings): Promise<T | null> {
	if (running.has(world.id)) throw new BusyError();
	running.add(world.id);
	try {
		return await pollAlone(world, settings);
	} finally {
		running.delete(world.id);
	}
}

async function pollAlone<T>(world: PollWorld<T>, settings: PollSettings): Promise<T | null> {
	const { feed, watching, zone, overlapMs, maxItems } = settings;
	const now = world.now();
	const stored = world.load();
	const madeFrom = hashOf(stored);
	const memory = remembered.get(world.id);
	const last = memory?.madeFrom === madeFrom ? memory.state : stored;
	const begunFrom = last === stored ? madeFrom : hashOf(last);
	if (world.readEarly && isBeingStored(world.id, begunFrom, now)) return null;
	const position = positionOf(last, settings, now);
	const page = await world.fetch(feed.path, feed.query(position.from));
	// No body says nothing: were it taken for an empty list, a baseline would make everything new in the next answer.
	if ('seen' in position && (page === undefined || page === null)) return null;
	if (!Array.isArray(page)) throw new NoListError();
	const rules = { zone, overlapMs, maxItems, ranking: feed.ranking, now, observe: feed.observe };
	const step = advance(position, page as unknown[], rules);
	const output = step.emit.length > 0 ? world.present(step.emit) : null;
	if (step.skipped.length > 0) world.warn(skippedText(step.skipped));
	const state = { watching, cursor: step.state };
	// What was emitted is left to n8n: when it drops that too, the state before it counts.
	if (output === null) remember(remembered, world.id, { madeFrom, state });
	else remember(emittedFrom, world.id, { state: begunFrom, at: now });
	world.save(state);
	return output;
}

/** From the same state the same batch would come out again, though n8n is about to store it. */
function isBeingStored(id: string, state: string, now: number): boolean {
	const emission = emittedFrom.get(id);
	return emission?.state === state && Math.abs(now - emission.at) < STORING_MS;
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

function positionOf(
	stored: StoredState | undefined,
	{ watching, startAt, anew, feed }: PollSettings,
	now: number,
): CursorState | Beginning {
	if (!stored) return begin(startAt, feed.ranking, now);
	if (anew || stored.watching !== watching) return begin(null, feed.ranking, now);
	return stored.cursor;
}

function skippedText(reasons: string[]): string {
	const [first, ...others] = [...new Set(reasons)];
	const more = others.length > 0 ? ` (and for other reasons: ${others.slice(0, 4).join('; ')})` : '';
	const records =
		reasons.length === 1 ? '1 malformed record was' : `${reasons.length} malformed records were`;
	return `${records} skipped: ${first}${more}`;
}
