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

const running = new Set<string>();

/** Triggers of one process; beyond that the one that was quiet longest is forgotten. */
const MOST_REMEMBERED = 1000;

/**
 * What polls that emitted nothing have come to, by node. n8n drops that on publishing again, and with durable cursors also
 * after the first poll, whose baseline would be lost. It counts as long as n8n's state is the one it was made from.
 */
const remembered = new Map<string, { madeFrom: string; state: StoredState }>();

/**
 * One poll from call to state. The state is replaced once, last: a poll that fails, wherever, changes nothing.
 *
 * @returns the output, or null when nothing is new or the poll before is still running
 * @throws what `fetch` and `present` throw, and NoListError
 */
export async function poll<T>(world: PollWorld<T>, settings: PollSettings): Promise<T | null> {
	if (running.has(world.id)) return null;
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
	const madeFrom = hashKey(JSON.stringify(stored ?? null));
	const memory = remembered.get(world.id);
	const position = positionOf(memory?.madeFrom === madeFrom ? memory.state : stored, settings, now);
	const page = await world.fetch(feed.path, feed.query(position.from));
	// No body says nothing: were it taken for an empty list, a baseline would make everything new in the next answer.
	if ('seen' in position && (page === undefined || page === null)) return null;
	if (!Array.isArray(page)) throw new NoListError();
	const rules = { zone, overlapMs, maxItems, ranking: feed.ranking, now, observe: feed.observe };
	const step = advance(position, page as unknown[], rules);
	const output = step.emit.length > 0 ? world.present(step.emit) : null;
	if (step.skipped.length > 0) world.warn(skippedText(step.skipped));
	const state = { watching, cursor: step.state };
	if (output === null) remember(world.id, { madeFrom, state });
	world.save(state);
	return output;
}

/** What was emitted is left to n8n: when it drops that too, the state before it counts. */
function remember(id: string, entry: { madeFrom: string; state: StoredState }): void {
	remembered.delete(id);
	remembered.set(id, entry);
	const [oldest = ''] = remembered.keys();
	if (remembered.size > MOST_REMEMBERED) remembered.delete(oldest);
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
