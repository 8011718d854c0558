import { isEmptyValue } from '../../shared/operation/formValues';
import { isRecord } from '../../shared/values/record';
import type { TriggerEvent } from '../feeds/feed';
import type { Position } from '../follow/follower';
import { readTimestamp, toWall } from '../timestamps';
import type { Notices } from './notices';
import { isPacked, packSeen, unpackSeen } from './seen';

/** Of the state that this version of the package writes; 0.1.0 wrote none. */
const VERSION = 2;

/** What a trigger keeps in n8n's static data. */
export interface StoredState {
	version: typeof VERSION;
	/** Name of the node, the event with its filters, and the account that it belongs to; null in a state of 0.1.0. */
	node: string | null;
	watching: string;
	account: string | null;
	/** Tells the newer of two states: milliseconds since 1970, always later than that of the state before. */
	savedAt: number;
	position: Position;
	/** How the last items come out again; kept for 'Re-Emit After Restart' only. */
	last?: LastBatch;
	notices?: Notices;
}

/** The last items that went out, and those shortly before them. */
export interface LastBatch {
	/** What the service has to be asked from for them to be in its response. */
	origin: string | number;
	/** Their events (see `seen.ts`). */
	keys: string;
	/** When they went out, in milliseconds since 1970. */
	emittedAt: number;
}

/** The state that n8n has stored is none that this version can go on from. */
export class StateError extends Error {
	override name = 'StateError';

	constructor(
		/** What is wrong with it, e.g. 'was written by a later version of this package'. */
		message: string,
		readonly hint: string,
	) {
		super(message);
	}
}

const RENAME = 'rename the node and publish again: it then begins anew and emits what comes from now on';

/**
 * Reads what n8n has stored, as this version or an earlier one wrote it.
 *
 * @param isSpare whether the state is also stored elsewhere: then an unreadable one is as none
 * @returns undefined where nothing has been stored
 * @throws StateError for everything else
 */
export function readState(value: unknown, isSpare = false): StoredState | undefined {
	if (value === undefined) return undefined;
	const version = isRecord(value) ? (value.version ?? 1) : undefined;
	if (typeof version === 'number' && version > VERSION && !isSpare) {
		const hint = `Install the version of the package that the workflow ran with last, or ${RENAME}`;
		throw new StateError('was written by a later version of this package', hint);
	}
	const state = version === 1 ? fromFirstVersion(value as Stored) : value;
	if (isState(state)) return state;
	if (isSpare) return undefined;
	throw new StateError('cannot be read', `Restore the workflow's static data, or ${RENAME}`);
}

/** @returns the filters without those that are empty, which change nothing, in an order of their own */
export function watchingOf(
	event: unknown,
	system: unknown,
	filters: ReadonlyArray<[string, unknown]>,
): string {
	const set = filters.filter(([, value]) => !isEmptyValue(value) && !(Array.isArray(value) && !value.length));
	return JSON.stringify([event, system, set.sort(([one], [other]) => one.localeCompare(other))]);
}

type Stored = Record<string, unknown>;

function isState(state: unknown): state is StoredState {
	if (!isRecord(state) || state.version !== VERSION || !isRecord(state.position)) return false;
	const { position, last, notices } = state;
	return (
		[state.node, state.account].every((text) => text === null || typeof text === 'string') &&
		typeof state.watching === 'string' &&
		isTime(state.savedAt) &&
		(isFor('bookingStartsSoon', state.watching) || isFor('bookingEnded', state.watching)
			? isDue(position)
			: isChange(position)) &&
		(last === undefined || isLast(last)) &&
		(notices === undefined || isNotices(notices))
	);
}

/** @param watching see {@link watchingOf} */
function isFor(event: TriggerEvent, watching: string): boolean {
	return watching.startsWith(JSON.stringify([event]).slice(0, -1));
}

function isChange({ from, since, seen, startAt }: Stored): boolean {
	if (!readTimestamp(from, 'UTC')) return false;
	return startAt === undefined ? isTime(since) && isPacked(seen) : startAt === null || isTime(startAt);
}

function isDue(position: Stored): boolean {
	if ('dueFrom' in position) return isTime(position.dueFrom);
	const { begunAt, lookedAt, forgotten, zone, like, seen, held } = position;
	return (
		[begunAt, lookedAt, forgotten].every(isTime) &&
		typeof zone === 'string' &&
		(like === null || readTimestamp(like, 'UTC') !== undefined) &&
		isPacked(seen) &&
		isPacked(held)
	);
}

function isLast(last: unknown): boolean {
	if (!isRecord(last) || !isPacked(last.keys) || !isTime(last.emittedAt)) return false;
	return isTime(last.origin) || readTimestamp(last.origin, 'UTC') !== undefined;
}

function isNotices(notices: unknown): boolean {
	if (!isRecord(notices) || !isTime(notices.more)) return false;
	return [notices.known, notices.untold].every(
		(texts) => Array.isArray(texts) && texts.every((text) => typeof text === 'string'),
	);
}

/** What a Date can hold. */
function isTime(value: unknown): value is number {
	return typeof value === 'number' && Math.abs(value) <= 8.64e15;
}

/** The state of 0.1.0, where times of the service were instants, and what could come out again was a position. */
function fromFirstVersion({ watching, cursor, undo, skips }: Stored): unknown {
	if (!isRecord(cursor)) return undefined;
	const position = positionOf(cursor);
	return {
		version: VERSION,
		node: null,
		watching: withoutEmptyFilters(watching),
		account: null,
		savedAt: 0,
		position,
		...(isRecord(undo) ? { last: lastOf(undo) } : {}),
		...(skips === undefined ? {} : { notices: skips }),
	};
}

function withoutEmptyFilters(watching: unknown): unknown {
	try {
		const [event, system, filters] = JSON.parse(String(watching)) as [
			unknown,
			unknown,
			Array<[string, unknown]>,
		];
		return watchingOf(event, system, filters);
	} catch {
		return watching;
	}
}

function positionOf(cursor: Stored): Stored {
	const { from, since, zone, seen, floor, startAt, dueFrom } = cursor;
	if (dueFrom !== undefined) return { dueFrom };
	if (floor !== undefined)
		return { ...cursor, floor: undefined, begunAt: 0, lookedAt: floor, forgotten: floor };
	if (startAt !== undefined) return { from, startAt };
	if (!isPacked(seen) || !isTime(since) || typeof zone !== 'string') return { from };
	const isLocal = readTimestamp(from, zone)?.isLocal === true;
	if (!isLocal) return { from, since, seen };
	const entries = [...unpackSeen(seen)].map(([key, second]): [string, number] => [
		key,
		toWall(second * 1000, zone) / 1000,
	]);
	// An id, where it is not a time.
	const isId = since < Date.UTC(1990, 0);
	return { from, since: isId ? since : toWall(since, zone), seen: packSeen(new Map(entries)) };
}

function lastOf({ from, keys, emittedAt }: Stored): unknown {
	if (!isRecord(from)) return undefined;
	const held = isPacked(from.held) ? [...unpackSeen(from.held).values()] : [];
	const origin = from.from ?? Math.min(...held) * 1000;
	return { origin, keys, emittedAt };
}
