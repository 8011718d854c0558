import { ExplainedError } from '../../shared/errors/help';
import { isEmptyFilter } from '../../shared/operation/formValues';
import { isRecord } from '../../shared/values/record';
import { hashKey } from '../keys';
import type { Known } from './known';

/** Version of the state that this package writes. */
const VERSION = 1;

/** What counts as new before the first record has been seen, and after. */
export type Phase =
	/** Nothing of the first response does. */
	| { kind: 'baseline' }
	/** What happened from a moment on: milliseconds since 1970. */
	| { kind: 'since'; at: number }
	/** Whatever has not been dealt with. */
	| { kind: 'running' };

/** Events that have been dealt with, by their keys, with the second since 1970 after which each is forgotten. */
export type Seen = Record<string, number>;

/** Where changes and new ids are followed from. Plain JSON, bounded by the changes since `from`. Times are `local` of timestamps. */
export interface ChangePosition {
	/** What the next poll asks from, in the service's own form: the watermark − overlap. Never goes back. */
	from: string;
	/** Every event ranked lower has been dealt with. */
	since: number;
	/** What has been dealt with and is not ranked lower than `since`. */
	seen: Seen;
	phase: Phase;
	/** What was last seen of the records, where that matters. Bounded by itself. */
	known?: Known;
}

/**
 * Where events are followed that are due a while before a booking's start or after its end. Plain JSON, bounded by the
 * bookings of the window. Times are milliseconds since 1970.
 */
export interface DuePosition {
	/** When the trigger started. */
	begunAt: number;
	/** Until the first response: events due before this moment are known. */
	dueFrom?: number;
	/** When the last poll was made. */
	lookedAt: number;
	/** Emitted bookings are no longer remembered for anchors up to here. */
	forgotten: number;
	/** The time zone that local times were read in. */
	zone: string;
	/** An anchor as the service writes it; null until it has shown one. */
	like: string | null;
	/** Bookings that have been dealt with, and their anchors. */
	seen: Seen;
	/** Bookings in `seen` that were not emitted, as they were due before the start; valid for anchors before this one. */
	passedOver: Seen;
	/** Bookings that are due and wait for a poll with room for them. */
	held: Seen;
}

export type Position = ChangePosition | DuePosition;

/** The last batch, for 'Re-Emit After Restart'. */
export interface LastBatch {
	/** The times that the service was asked for. */
	asked: string[];
	/** The events by their keys, each with a short hash of its record. */
	events: Record<string, string>;
	/** How often it has been emitted again. */
	times: number;
}

/** What a trigger stores in n8n's static data. */
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
	/** Hashes of the last poll's notices, all of which have been shown. */
	told: string[];
	/** Hash of all the rest, to prove that it is what was written. */
	seal: string;
}

/** This version cannot continue from the state that n8n has stored. */
export class StateError extends ExplainedError {
	override name = 'StateError';

	/** @param problem what is wrong with it, e.g. 'was written by a later version of this package' */
	constructor(problem: string, hint: string) {
		super(`The trigger's stored state ${problem}`, `Nothing was changed. ${hint}.`);
	}
}

const RENAME =
	"rename the node and publish again: it then starts over, from 'Start From' if set, otherwise from now on";

/**
 * Reads what n8n has stored.
 *
 * @param node the node's name: with durable cursors a renamed node finds its earlier state
 * @returns undefined if nothing is stored, or only under another name
 * @throws StateError for everything else
 */
export function readState(value: unknown, node: string): StoredState | undefined {
	const { version, node: name = node } = isRecord(value) ? value : {};
	if (value === undefined || name !== node) return undefined;
	if (typeof version === 'number' && version > VERSION) {
		const hint = `Install the version of the package that the workflow ran with last, or ${RENAME}`;
		throw new StateError('was written by a later version of this package', hint);
	}
	const state = value as StoredState;
	if (version === VERSION && state.seal === sealOf(state)) return state;
	throw new StateError('cannot be read', `Restore the workflow's static data, or ${RENAME}`);
}

/** @returns the state as it is stored */
export function sealed(state: Omit<StoredState, 'version' | 'seal'>): StoredState {
	const stored = { ...state, version: VERSION } as const;
	return { ...stored, seal: sealOf(stored) };
}

/** The same hash for any order in which a database returns the names. */
function sealOf(state: object): string {
	const content = { ...state, seal: undefined };
	const inOrder = (_name: string, value: unknown) =>
		isRecord(value)
			? Object.fromEntries(
					Object.keys(value)
						.sort()
						.map((key) => [key, value[key]]),
				)
			: value;
	return hashKey(JSON.stringify(content, inOrder));
}

/** @returns the filters in a fixed order, without empty ones, which have no effect */
export function watchingOf(
	event: unknown,
	system: unknown,
	filters: ReadonlyArray<[string, unknown]>,
): string {
	const set = filters.filter(([, value]) => !isEmptyFilter(value));
	return JSON.stringify([event, system, set.sort(([one], [other]) => one.localeCompare(other))]);
}
