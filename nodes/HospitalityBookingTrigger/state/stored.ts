import { ExplainedError } from '../../shared/errors/help';
import { isEmptyFilter } from '../../shared/operation/formValues';
import { isRecord } from '../../shared/values/record';
import { readTimestamp } from '../timestamps';
import type { Known } from './known';
import { isPacked } from './seen';

/** Of the state that this version of the package writes. */
const VERSION = 1;

/** What counts as new while the first record has not been seen, and after that. */
export type Phase =
	/** Nothing of the first response does. */
	| { kind: 'baseline' }
	/** What happened from a moment on: milliseconds since 1970. */
	| { kind: 'since'; at: number }
	/** Whatever has not been dealt with. */
	| { kind: 'running' };

/** Where changes and new ids are followed from. Plain JSON, bounded by the changes since `from`. Times are `local` of timestamps. */
export interface ChangePosition {
	/** What the next poll asks from, in the service's own form: the watermark − overlap. Never goes back. */
	from: string;
	/** Every event ranked lower has been dealt with. */
	since: number;
	/** What has been dealt with and is not ranked lower than `since` (see `seen.ts`). */
	seen: string;
	phase: Phase;
	/** What was last seen of the records, where that matters. Bounded by itself. */
	known?: Known;
}

/**
 * Where events are followed that are due a while before a booking's start or after its end. Plain JSON, bounded by the
 * bookings of the window. Times are milliseconds since 1970.
 */
export interface DuePosition {
	/** When the trigger began. */
	begunAt: number;
	/** Until the first response: what is due before this moment is known. */
	dueFrom?: number;
	/** When the last poll was made. */
	lookedAt: number;
	/** What has come out is no longer remembered for anchors up to here. */
	forgotten: number;
	/** The time zone that local times were read in. */
	zone: string;
	/** An anchor as the service writes it; null until it has shown one. */
	like: string | null;
	/** Bookings that have been dealt with, and their anchors (see `seen.ts`). */
	seen: string;
	/** What of `seen` did not come out, because it was due before the beginning: so long as its anchor is before this one. */
	passedOver: string;
	/** Bookings that are due and wait for a poll with room for them. */
	held: string;
}

export type Position = ChangePosition | DuePosition;

/** What went out last, for 'Re-Emit After Restart'. */
export interface LastBatch {
	/** The times that the service was asked for. */
	asked: string[];
	/** The events, each with a hash of its record (see `seen.ts`). */
	keys: string;
	/** How often it has come out again. */
	times: number;
}

/** What a trigger keeps in n8n's static data. */
export interface StoredState {
	version: typeof VERSION;
	/** Which publication of the node it belongs to, counted from 1. */
	publication: number;
	/** Name of the node, the event with its filters, and the account that it belongs to. */
	node: string;
	watching: string;
	account: string;
	position: Position;
	last?: LastBatch;
	/** Hashes of what the last poll found for a person to know: all of it has been told. */
	told: string[];
}

/** The state that n8n has stored is none that this version can go on from. */
export class StateError extends ExplainedError {
	override name = 'StateError';

	/** @param problem what is wrong with it, e.g. 'was written by a later version of this package' */
	constructor(problem: string, hint: string) {
		super(`The trigger's stored state ${problem}`, `Nothing was changed. ${hint}.`);
	}
}

const RENAME =
	"rename the node and publish again: it then starts over, from 'Start From' if you set that, else with what comes from now on";

/**
 * Reads what n8n has stored.
 *
 * @param node the node's name: with durable cursors a renamed node finds its earlier state
 * @returns undefined where nothing has been stored, or under another name
 * @throws StateError for everything else
 */
export function readState(value: unknown, node: string): StoredState | undefined {
	const { version, node: name = node } = isRecord(value) ? value : {};
	if (value === undefined || name !== node) return undefined;
	if (typeof version === 'number' && version > VERSION) {
		const hint = `Install the version of the package that the workflow ran with last, or ${RENAME}`;
		throw new StateError('was written by a later version of this package', hint);
	}
	if (isState(value)) return value as StoredState;
	throw new StateError('cannot be read', `Restore the workflow's static data, or ${RENAME}`);
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

type Check = (value: unknown) => boolean;

const isText: Check = (value) => typeof value === 'string';
const isNumber: Check = Number.isSafeInteger;
const isMoment: Check = (value) => readTimestamp(value, 'UTC') !== undefined;
const isScalar: Check = (value) => value === null || ['string', 'number', 'boolean'].includes(typeof value);
/** What a Date can hold. */
const isTime: Check = (value) => typeof value === 'number' && Math.abs(value) <= 8.64e15;

function or(alternative: unknown, check: Check): Check {
	return (value) => value === alternative || check(value);
}

function listOf(check: Check): Check {
	return (value) => Array.isArray(value) && value.every(check);
}

function has(shape: Record<string, Check>): Check {
	return (value) => isRecord(value) && Object.entries(shape).every(([name, check]) => check(value[name]));
}

const isEntry: Check = (value) => {
	const [lastDay, hashes, ...values]: unknown[] = Array.isArray(value) ? value : [];
	return isNumber(lastDay) && isText(hashes) && values.every(isScalar);
};

const isPhase: Check = (value) =>
	isRecord(value) &&
	(value.kind === 'since' ? isTime(value.at) : /^(baseline|running)$/.test(String(value.kind)));

const isKnown = has({
	hashed: listOf(isText),
	records: (value) => isRecord(value) && Object.values(value).every(isEntry),
	unread: or(undefined, has({ from: isTime, to: isTime })),
});

const isChange = has({
	from: isMoment,
	since: isTime,
	seen: isPacked,
	phase: isPhase,
	known: or(undefined, isKnown),
});

const isDue = has({
	begunAt: isTime,
	dueFrom: or(undefined, isTime),
	lookedAt: isTime,
	forgotten: isTime,
	zone: isText,
	like: or(null, isMoment),
	seen: isPacked,
	passedOver: isPacked,
	held: isPacked,
});

const isStored = has({
	version: (value) => value === VERSION,
	publication: isNumber,
	node: isText,
	watching: isText,
	account: isText,
	last: or(undefined, has({ asked: listOf(isMoment), keys: isPacked, times: isNumber })),
	told: listOf(isText),
});

function isState(state: unknown): boolean {
	if (!isStored(state)) return false;
	const { watching, position } = state as StoredState;
	return /^\["booking(StartsSoon|Ended)"/.test(watching) ? isDue(position) : isChange(position);
}
