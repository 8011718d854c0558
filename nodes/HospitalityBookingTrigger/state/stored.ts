import attempt from 'lodash/attempt';

import { ExplainedError } from '../../shared/errors/help';
import { isEmptyFilter } from '../../shared/operation/formValues';
import { isRecord } from '../../shared/values/record';
import type { TriggerEvent } from '../events';
import type { ChangeState } from '../follow/changes';
import type { DueState } from '../follow/due';
import type { LastBatch } from '../follow/step';
import { readTimestamp, toWall } from '../timestamps';
import { isPacked, packSeen, unpackSeen } from './seen';

/** Of the state that this version of the package writes; before 0.1.0 it bore none. */
const VERSION = 2;

/** Where a poll begins: what the one before has left, or the first one's beginning. */
export type Position = ChangeState | DueState;

/** What a trigger keeps in n8n's static data. */
export interface StoredState {
	version: typeof VERSION;
	/** Name of the node, the event with its filters, and the account that it belongs to; null in a state without a version. */
	node: string | null;
	watching: string;
	account: string | null;
	/** Tells the newer of two states: milliseconds since 1970, always later than that of the state before. */
	savedAt: number;
	position: Position;
	/** How the last items come out again; kept for 'Re-Emit After Restart' only. */
	last?: LastBatch;
	notices?: Notices;
	emittedAgain?: EmittedAgain;
}

/** What a person should know and has not been told yet. Bounded by what a poll is answered with. */
export interface Notices {
	/** Stands for what the last poll found, 11 characters each. */
	known: string[];
	/** What has not been told yet; beyond 20 only how many more. */
	untold: string[];
	more: number;
}

/** How far 'Emit Again Since' has got. */
export interface EmittedAgain {
	/** The value that was entered, in milliseconds since 1970. */
	since: number;
	count: number;
	/** Where the next poll goes on, and where the trigger was when this began; undefined once it is done. */
	position?: Position;
	reference?: Position;
}

/** The state that n8n has stored is none that this version can go on from. */
export class StateError extends ExplainedError {
	override name = 'StateError';

	/** @param problem what is wrong with it, e.g. 'was written by a later version of this package' */
	constructor(problem: string, hint: string) {
		super(`The trigger's stored state ${problem}`, `Nothing was changed. ${hint}.`, 'trigger');
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
	const state = withWholePosition(version === 1 ? fromFirstVersion(value as Stored) : value);
	if (isState(state)) return state;
	if (isSpare) return undefined;
	throw new StateError('cannot be read', `Restore the workflow's static data, or ${RENAME}`);
}

const NOTHING_DUE = { begunAt: 0, lookedAt: 0, forgotten: 0, zone: 'UTC', like: null, seen: '', held: '' };
const NOTHING_CHANGED = { since: 0, seen: '' };

/** 0.1.0 stored of a beginning only from when on events count. */
function withWholePosition(state: unknown): unknown {
	if (!isRecord(state) || !isRecord(state.position)) return state;
	const { position } = state;
	const begun = 'dueFrom' in position ? NOTHING_DUE : 'startAt' in position ? NOTHING_CHANGED : {};
	return { ...state, position: { ...begun, ...position } };
}

/** @returns the filters without those that are empty, which change nothing, in an order of their own */
export function watchingOf(
	event: unknown,
	system: unknown,
	filters: ReadonlyArray<[string, unknown]>,
): string {
	const set = filters.filter(([, value]) => !isEmptyFilter(value));
	return JSON.stringify([event, system, set.sort(([one], [other]) => one.localeCompare(other))]);
}

type Stored = Record<string, unknown>;

type Check = (value: unknown) => boolean;

const isText: Check = (value) => typeof value === 'string';
const isTexts: Check = (value) => Array.isArray(value) && value.every(isText);
const isMoment: Check = (value) => readTimestamp(value, 'UTC') !== undefined;
const isOrigin: Check = (value) => isTime(value) || isMoment(value);
const or =
	(alternative: unknown, check: Check): Check =>
	(value) =>
		value === alternative || check(value);
const has =
	(shape: Record<string, Check>): Check =>
	(value) =>
		isRecord(value) && Object.entries(shape).every(([name, check]) => check(value[name]));

const isDifferences: Check = (value) =>
	Array.isArray(value) && value.every(has({ id: isText, key: isText, changes: or(null, isRecord) }));

const isDue = has({
	begunAt: isTime,
	dueFrom: or(undefined, isTime),
	lookedAt: isTime,
	forgotten: isTime,
	zone: isText,
	like: or(null, isMoment),
	seen: isPacked,
	passedOver: or(undefined, isPacked),
	held: isPacked,
});

const isChange = has({
	from: isMoment,
	since: isTime,
	seen: isPacked,
	startAt: or(undefined, or(null, isTime)),
	known: or(undefined, (value) => isRecord(value) && Object.values(value).every(Array.isArray)),
});

const isStored = has({
	node: or(null, isText),
	watching: isText,
	account: or(null, isText),
	savedAt: isTime,
	last: or(
		undefined,
		has({ origin: isOrigin, keys: isPacked, emittedAt: isTime, differences: or(undefined, isDifferences) }),
	),
	notices: or(undefined, has({ known: isTexts, untold: isTexts, more: isTime })),
});

function isState(state: unknown): state is StoredState {
	if (!isRecord(state) || state.version !== VERSION || !isStored(state)) return false;
	const watching = String(state.watching);
	const isForDue = isFor('bookingStartsSoon', watching) || isFor('bookingEnded', watching);
	const isPosition = isForDue ? isDue : isChange;
	const isOpen = or(undefined, isPosition);
	const isAgain = has({ since: isTime, count: isTime, position: isOpen, reference: isOpen });
	return isPosition(state.position) && or(undefined, isAgain)(state.emittedAgain);
}

/** @param watching see {@link watchingOf} */
function isFor(event: TriggerEvent, watching: string): boolean {
	return watching.startsWith(JSON.stringify([event]).slice(0, -1));
}

/** What a Date can hold. */
function isTime(value: unknown): value is number {
	return typeof value === 'number' && Math.abs(value) <= 8.64e15;
}

/** A state from before 0.1.0, where times of the service were instants, and what could come out again was a position. */
function fromFirstVersion({ watching, cursor, undo, skips }: Stored): unknown {
	if (!isRecord(cursor)) return undefined;
	return {
		version: VERSION,
		node: null,
		watching: withoutEmptyFilters(watching),
		account: null,
		savedAt: 0,
		position: positionOf(cursor),
		last: isRecord(undo) ? lastOf(undo) : undefined,
		notices: skips,
	};
}

function withoutEmptyFilters(watching: unknown): unknown {
	const outcome = attempt(() =>
		watchingOf(...(JSON.parse(String(watching)) as Parameters<typeof watchingOf>)),
	);
	return outcome instanceof Error ? watching : outcome;
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
	const origin = from.from ?? held.reduce((least, second) => Math.min(least, second), Infinity) * 1000;
	return { origin, keys, emittedAt };
}
