import { ExplainedError } from '../../shared/errors/explainedError';
import { isRecord } from '../../shared/values/record';
import type { Period } from '../events/rule';

/** Version of the state that this package writes. */
export const VERSION = 1;

/** Where the records of a feed are followed from. Plain JSON. Times are milliseconds since 1970, by the service's clock. */
export interface Position {
	/** Whether the next response decides what is known; without that, nothing of it is new. */
	isBaseline: boolean;
	/** What the next poll asks from: the newest timestamp less the overlap. */
	from: number;
	/** What was made before is not new. */
	since: number;
	/** The newest timestamp, and when it was first seen; 0: none. */
	newest: { at: number; seen: number };
	/** When the last poll was made. */
	polled: number;
	/** For an event at a booking's own time: the start or end up to which bookings were asked for. */
	edge: number;
	/** A change date as the service writes it. */
	form: string | undefined;
	/** The length of the longest list that the service has returned. */
	longest: number;
	/** The part of the initial period that has not been read, and how often that has failed. */
	unread: (Period & { failures: number }) | null;
	/** What was last seen of records: `Table` or `IdRanges`. */
	memory: string;
}

/** What a person is told once, as long as it lasts. */
export type NoticeKind = 'unreadable' | 'ahead' | 'full' | 'cut' | 'skipped';

/** What a trigger remembers between polls, in n8n's static data. */
export interface State {
	version: typeof VERSION;
	/** How many polls have led to it: of two states, the one with more is the later. */
	polls: number;
	/** The node by its workflow and name, the form as entered with the system, and the account that it belongs to. */
	node: string;
	watching: string;
	account: string;
	position: Position;
	/** The kinds of notices that have been shown. */
	told: NoticeKind[];
}

/**
 * Reads what n8n has stored.
 *
 * @returns undefined if nothing is stored
 * @throws ExplainedError for anything but a state of this version
 */
export function readState(value: unknown): State | undefined {
	if (value === undefined) return undefined;
	const state = (isRecord(value) ? value : {}) as Partial<State>;
	if (state.version === VERSION && isRecord(state.position)) return state as State;
	const isLater = Number(state.version) > VERSION;
	throw new ExplainedError(
		`The trigger's stored state ${isLater ? 'was written by a later version of this package' : 'cannot be read'}`,
		"Nothing was changed. Install the version that the workflow ran with last, or rename the node and publish again: it then starts over, from 'Start From' if set, otherwise from now on.",
	);
}
