import type { StatusRoles } from '../../../shared/auth/deployment';
import {
	type BookingState,
	currentStatus,
	historyOf,
	stateOf,
} from '../../../shared/booking/states';
import { readMoment } from '../../../shared/values/timestamp';
import { type Choice, SAME_WRITE_MS } from '../kinds';
import {
	type Facts,
	type Observed,
	type Reading,
	type Rule,
	type ServiceRecord,
	type Times,
	type Value,
	fieldsOf,
	toValue,
} from '../rule';
import { keyOfChange, withChangeCount } from './changeCount';
import { currentBookings, untilNotNew, untilOver } from './remembered';

/** What a status means to an event: its number or, for an event that waits for a state, that state. */
type Meaning = Value | BookingState;

/** The last time that a booking's status took another meaning. */
interface Turn {
	meaning: Meaning;
	/** As the service writes it; undefined without a history. */
	changeDate: unknown;
	/** How often the booking has turned to this meaning. */
	count: number;
	/** Whether its history begins with it. */
	isFirst: boolean;
}

/**
 * A change of a booking's status, or of what it means. The `history` tells it, and when. Where that does not date the last change, or
 * where there is none, it is told by what was last seen. The status that a booking is made with is not a change.
 *
 * @param state the only state that is waited for; undefined: any status
 */
export function statusChanged(choice: Choice, state?: keyof StatusRoles): Rule {
	const { statusRoles = {} } = choice.filters;
	const meaningOf = (entry: ServiceRecord): Meaning => {
		if (state === undefined) return toValue(entry.status);
		return stateOf({ status: entry.status, history: [entry] }, statusRoles);
	};
	return {
		hasVersions: true,
		baselinePeriod: currentBookings,
		comparedFields: ['status', 'turns'],
		state,
		initialValues: state === undefined ? undefined : [null, null],
		read: (facts) => {
			const turn = lastTurn(facts, meaningOf);
			const isWaitedFor = state === undefined || turn.meaning === state;
			const at = readMoment(turn.changeDate, choice.zone)?.ms;
			if (at === undefined) return readUndated(facts, turn, isWaitedFor);
			return readDated(facts, turn, isWaitedFor, at);
		},
		keyOf: (observed, before) => (isDated(observed) ? '' : keyOfChange(observed, before)),
		remember: withChangeCount,
		emits: (observed, known, times) => {
			if (!known || known.values.length === 0) return hasTurnedSince(observed, times);
			const [status = null, turns = null] = observed.values;
			const [lastStatus = null, lastTurns = null] = known.values;
			if (turns !== null && lastTurns !== null && turns > lastTurns) return true;
			if (state === undefined) return lastStatus !== status;
			const [before, now] = [lastStatus, status].map((value) =>
				meaningOf(entryOf(observed.record, value)),
			);
			return before !== state && now === state;
		},
	};
}

function lastTurn(facts: Facts, meaningOf: (entry: ServiceRecord) => Meaning): Turn {
	const { status } = currentStatus(facts.record);
	const entries: ServiceRecord[] = [...historyOf(facts.record)];
	// The history may lag behind.
	if (entries.length > 0 && entries.at(-1)?.status !== status)
		entries.push({ status, changeDate: facts.changed?.text });
	const turns: Turn[] = [];
	// What other statuses mean may be edited, so only turns to the same meaning are counted.
	const counts = new Map<Meaning, number>();
	for (const entry of entries) {
		const meaning = meaningOf(entry);
		if (turns.at(-1)?.meaning === meaning) continue;
		const count = (counts.get(meaning) ?? 0) + 1;
		counts.set(meaning, count);
		const { changeDate } = entry;
		turns.push({ meaning, changeDate, count, isFirst: turns.length === 0 });
	}
	const unknown = { meaning: meaningOf({ status }), changeDate: undefined };
	return turns.at(-1) ?? { ...unknown, count: 0, isFirst: true };
}

/** A status that the history dates: it tells by itself, without what was last seen. */
function readDated(facts: Facts, turn: Turn, isWaitedFor: boolean, at: number): Reading {
	const isMadeWith = turn.isFirst && !isAfterCreation(at, facts);
	return {
		at: isWaitedFor && !isMadeWith ? at : undefined,
		key: `${String(turn.meaning)}|${turn.count}`,
		values: [toValue(currentStatus(facts.record).status), turn.count],
		until: untilNotNew(facts.created),
	};
}

/** A status that no history dates: it is known as of the booking's last change. */
function readUndated(facts: Facts, { meaning }: Turn, isWaitedFor: boolean): Reading | string {
	if (!facts.changed) return 'change date';
	return {
		at: isWaitedFor ? facts.changed.ms : undefined,
		key: String(meaning),
		values: [toValue(currentStatus(facts.record).status), null],
		until: untilOver(facts),
	};
}

function isDated({ values }: Observed): boolean {
	const [, turns = null] = values;
	return turns !== null;
}

function isAfterCreation(at: number, { created }: Facts): boolean {
	return Boolean(created && at - created.ms > SAME_WRITE_MS);
}

/** Whether the history of a booking that was not seen before has an event since then. */
function hasTurnedSince(observed: Observed, { watermark, newSince }: Times): boolean {
	const { changed, changedBy, madeBy = 0 } = observed;
	const [, turns = null] = observed.values;
	if (turns === null) return false;
	const at = Number(observed.at);
	// A local time may occur twice.
	const latestAt = at + changedBy - (changed?.ms ?? changedBy);
	return (at >= watermark && latestAt >= newSince) || madeBy >= newSince;
}

/** What the history of a booking says of a status: only that has names. */
function entryOf(record: unknown, status: Value): ServiceRecord {
	const entries = historyOf(fieldsOf(record));
	return entries.find((entry) => toValue(entry.status) === status) ?? { status };
}
