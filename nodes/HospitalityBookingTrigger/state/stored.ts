import sortBy from 'lodash/sortBy';

import { ExplainedError } from '../../shared/errors/explainedError';
import { isBlankValue } from '../../shared/operation/formValues';
import { isRecord } from '../../shared/values/record';
import { hashKey } from '../feeds/hashes';
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
	template: string | null;
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

/** What a trigger remembers between polls. */
export interface State {
	/** Which publication of the node it belongs to, counted from 1. */
	publication: number;
	/** The node by its workflow and name, the event with its filters, and the account that it belongs to. */
	node: string;
	watching: string;
	account: string;
	position: Position;
	last?: LastBatch;
	/** Hashes of the last poll's notices, all of which have been shown. */
	told: string[];
}

/** A state in n8n's static data: what only the trigger reads is one text, which no database reorders and n8n does not walk through. */
export interface StoredState extends Pick<State, 'publication' | 'node'> {
	version: typeof VERSION;
	/** The rest of the state as JSON. */
	content: string;
	/** Hash of the state, to prove that it is what was written. */
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
 * @param node by its workflow and name: with durable cursors a renamed node finds its earlier state
 * @returns the state with its seal; undefined if nothing is stored, or only for another node
 * @throws StateError for everything else
 */
export function readState(value: unknown, node: string): (State & Pick<StoredState, 'seal'>) | undefined {
	const stored = (isRecord(value) ? value : {}) as Partial<StoredState>;
	const { version, publication = 0, node: name = node, content = '', seal } = stored;
	if (value === undefined || name !== node) return undefined;
	if (typeof version === 'number' && version > VERSION) {
		const hint = `Install the version of the package that the workflow ran with last, or ${RENAME}`;
		throw new StateError('was written by a later version of this package', hint);
	}
	if (version === VERSION && seal === sealOf(publication, node, content))
		return { ...(JSON.parse(content) as Omit<State, 'publication' | 'node'>), publication, node, seal };
	throw new StateError('cannot be read', `Restore the workflow's static data, or ${RENAME}`);
}

/** @returns the state as it is stored */
export function sealed({ publication, node, ...rest }: State): StoredState {
	const content = JSON.stringify(rest);
	return { version: VERSION, publication, node, content, seal: sealOf(publication, node, content) };
}

function sealOf(...parts: [publication: number, node: string, content: string]): string {
	return hashKey(JSON.stringify(parts));
}

/** @returns the filters in a fixed order, without empty ones, which have no effect */
export function watchingOf(
	event: unknown,
	system: unknown,
	filters: ReadonlyArray<[string, unknown]>,
): string {
	const set = filters.filter(([, value]) => !isBlankValue(value));
	return JSON.stringify([event, system, sortBy(set, ([name]) => name)]);
}
