import type { StatusRoles } from '../../../shared/auth/deployment';
import {
	type BookingState,
	currentStatus,
	historyOf,
	stateOf,
} from '../../../shared/booking/states';
import { readMoment } from '../../../shared/values/timestamp';
import { type Choice, SAME_WRITE_MS } from '../recordKinds';
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
		keyOf: (observed, before) => {
			const isDated = turnsOf(observed) !== null;
			return isDated ? '' : keyOfChange(observed, before);
		},
		remember: withChangeCount,
		emits: (observed, known, times) => {
			const isCompared = known !== undefined && known.values.length > 0;
			if (!isCompared) return hasTurnedSince(observed, times);
			const [status = null, turns = null] = observed.values;
			const [lastStatus = null, lastTurns = null] = known.values;
			const areCounted = turns !== null && lastTurns !== null;
			if (areCounted && turns > lastTurns) return true;
			// Its status was not dated, and has come back: that is.
			const hasComeBack = lastTurns === null && status === lastStatus && Number(turns) > 1;
			if (hasComeBack) return hasTurnedSince(observed, times);
			if (state === undefined) return status !== lastStatus;
			const entry = entryOf(observed.record, status);
			const lastEntry = entryOf(observed.record, lastStatus);
			return meaningOf(entry) === state && meaningOf(lastEntry) !== state;
		},
	};
}

function lastTurn(facts: Facts, meaningOf: (entry: ServiceRecord) => Meaning): Turn {
	const { status } = currentStatus(facts.record);
	const entries: ServiceRecord[] = [...historyOf(facts.record)];
	const newest = entries.at(-1);
	if (newest && newest.status !== status) {
		entries.push({ status, changeDate: facts.changed?.text });
	}
	// What other statuses mean may be edited, so only turns to the same meaning are counted.
	const counts = new Map<Meaning, number>();
	let turn: Turn | undefined;
	for (const entry of entries) {
		const meaning = meaningOf(entry);
		if (turn?.meaning === meaning) continue;
		const count = (counts.get(meaning) ?? 0) + 1;
		counts.set(meaning, count);
		turn = { meaning, changeDate: entry.changeDate, count, isFirst: !turn };
	}
	if (turn) return turn;
	return {
		meaning: meaningOf({ status }),
		changeDate: undefined,
		count: 0,
		isFirst: true,
	};
}

/** A status that the history dates: it tells by itself, without what was last seen. */
function readDated(facts: Facts, turn: Turn, isWaitedFor: boolean, at: number): Reading {
	const isMadeWith = turn.isFirst && !isAfterCreation(at, facts);
	return {
		at: isWaitedFor && !isMadeWith ? at : undefined,
		key: `${String(turn.meaning)}|${turn.count}`,
		values: [statusOf(facts), turn.count],
		until: untilNotNew(facts.created),
	};
}

/** A status that no history dates: it is known as of the booking's last change. */
function readUndated(facts: Facts, turn: Turn, isWaitedFor: boolean): Reading | string {
	if (!facts.changed) return 'change date';
	return {
		at: isWaitedFor ? facts.changed.ms : undefined,
		key: String(turn.meaning),
		values: [statusOf(facts), null],
		until: untilOver(facts),
	};
}

function statusOf(facts: Facts): Value {
	return toValue(currentStatus(facts.record).status);
}

/** @returns how often a booking has turned to its status, as its history dates it; null if it does not */
function turnsOf(observed: Observed): Value {
	return observed.values[1] ?? null;
}

function isAfterCreation(at: number, facts: Facts): boolean {
	const madeAt = facts.created?.ms ?? Infinity;
	return at - madeAt > SAME_WRITE_MS;
}

/** Whether the history of a booking that was not seen before has an event since then. */
function hasTurnedSince(observed: Observed, times: Times): boolean {
	if (turnsOf(observed) === null) return false;
	const madeAt = observed.madeAtLatest ?? 0;
	if (madeAt >= times.newSince) return true;
	const at = Number(observed.at);
	if (at < times.watermark) return false;
	// A local time may occur twice.
	const latest = observed.changedAtLatest;
	const uncertainty = latest - (observed.changed?.ms ?? latest);
	return at + uncertainty >= times.newSince;
}

/** What the history of a booking says of a status: only that has names. */
function entryOf(record: unknown, status: Value): ServiceRecord {
	const entries = historyOf(fieldsOf(record));
	const found = entries.find((entry) => toValue(entry.status) === status);
	return found ?? { status };
}
