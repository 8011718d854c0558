import { ExplainedError } from '../../shared/errors/explainedError';
import { toNumber } from '../../shared/values/number';
import { isRecord } from '../../shared/values/record';
import type { Period } from '../../shared/booking/slices';

/** Version of the state that this package writes. */
export const VERSION = 1;

/** Where the records of a feed are followed from. Plain JSON. Times are milliseconds since 1970, by the service's clock. */
export interface Position {
	/** Whether the next response decides what is known: nothing in that response is emitted. */
	isBaseline: boolean;
	/**
	 * The next poll asks for what has changed after this: the newest timestamp, less the overlap until that has passed without
	 * news.
	 */
	watermark: number;
	/** A record that was made before this is not new. */
	newSince: number;
	/** The newest timestamp that a record has had, and the time of the poll that first listed it; 0 until there is one. */
	newestSeen: { at: number; seen: number };
	/** For an event at a booking's own time: the time of the last poll that emitted everything due by then. */
	dueReportedUpTo: number;
	/** For such an event: bookings that start, or end, before this have been asked for. */
	dueUpTo: number;
	/** A change date as the service wrote it last: a sample of its notation. */
	timestampFormat: string | undefined;
	/** The same of a booking's start or end. */
	bookingTimeFormat: string | undefined;
	/** The length of the longest list of a period that the service has returned lately, and when it did. */
	longestPeriodList: { length: number; at: number };
	/** The part of the baseline period that has not been read, and in how many polls that has failed. */
	unread: (Period & { failures: number }) | null;
	/** The latest `Date` of the service's responses, and when it was first seen, by n8n's clock; undefined: none. */
	latestDate: { ms: number; at: number } | undefined;
	/** At how many polls in a row a record was emitted, by its ID. */
	pollsInARow: Readonly<Record<string, number>>;
	/** What was last seen of records: `Memory`. */
	memory: string;
}

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
	/** The kinds of notices that have been shown, each once, as long as it lasts. */
	reported: string[];
}

/**
 * Reads what n8n has stored.
 *
 * @returns undefined if nothing is stored
 * @throws ExplainedError for anything but a state of this version
 */
export function readState(value: unknown): State | undefined {
	if (value === undefined) return undefined;
	if (isState(value)) return value;
	const isLater = isRecord(value) && toNumber(value.version) > VERSION;
	const reason = isLater ? 'was written by a later version of this package' : 'cannot be read';
	throw new ExplainedError(
		`The trigger's stored state ${reason}`,
		"Nothing was changed. Install the version that the workflow ran with last, or replace the node by a copy of it and publish again: it then starts over, from 'Start From' if set, otherwise from now on.",
	);
}

function isState(value: unknown): value is State {
	if (!isRecord(value) || value.version !== VERSION) return false;
	const texts = [value.node, value.watching, value.account];
	return (
		texts.every((text) => typeof text === 'string') &&
		Number.isFinite(value.polls) &&
		Array.isArray(value.reported) &&
		isPosition(value.position)
	);
}

function isPosition(value: unknown): value is Position {
	if (!isRecord(value)) return false;
	const formats = [value.timestampFormat, value.bookingTimeFormat];
	const { latestDate, unread } = value;
	const isDateValid = latestDate === undefined || hasNumbers(latestDate, 'ms', 'at');
	const isUnreadValid = unread === null || hasNumbers(unread, 'from', 'to', 'failures');
	return (
		typeof value.isBaseline === 'boolean' &&
		typeof value.memory === 'string' &&
		hasNumbers(value, 'watermark', 'newSince', 'dueReportedUpTo', 'dueUpTo') &&
		hasNumbers(value.newestSeen, 'at', 'seen') &&
		hasNumbers(value.longestPeriodList, 'length', 'at') &&
		isRecord(value.pollsInARow) &&
		formats.every((format) => format === undefined || typeof format === 'string') &&
		isDateValid &&
		isUnreadValid
	);
}

function hasNumbers(value: unknown, ...names: string[]): boolean {
	if (!isRecord(value)) return false;
	return names.every((name) => Number.isFinite(value[name]));
}
