import type { Position } from '../state/stored';

/** What the service was asked for in one poll, and what it returned. */
export interface PollResponse {
	/** Where the poll started from. */
	position: Position;
	/** The service's clock. */
	now: number;
	/** The service's clock as its responses tell it, if they do, and n8n's clock. */
	clocks: { date: number | undefined; n8n: number };
	/** The records changed since the watermark. */
	changes: readonly unknown[];
	/** For an event at a booking's own time: the bookings that start, or end, before `upTo`. */
	due: { records: readonly unknown[]; upTo: number } | undefined;
	/** What was read of the baseline period, and what is left. */
	baseline: { records: readonly unknown[]; unread: Position['unread'] } | undefined;
	longestPeriodList: Position['longestPeriodList'];
	notices: Notice[];
}

/** What a person must know. */
export interface Notice {
	/** A notice is shown once, as long as polls have one of its kind. */
	kind: string;
	text: string;
}
