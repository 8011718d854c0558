import max from 'lodash/max';

import type { StatusRoles } from '../../../shared/auth/deployment';
import {
	type BookingState,
	currentStatus,
	historyOf,
	stateOf,
} from '../../../shared/booking/states';
import { toNumber } from '../../../shared/values/number';
import { DAY, SECOND, readMoment, readTimestamp } from '../../../shared/values/timestamp';
import {
	type Facts,
	type Known,
	type Observed,
	type Reading,
	type Rule,
	type ServiceRecord,
	type Times,
	type Value,
	fieldsOf,
	hashKey,
} from '../rule';
import { type Choice, SAME_WRITE_MS, isAsMade, isCalledOff } from '../kinds';

/** A booking that the service held back is new when it is shown so long after it was made. */
export const HELD_MS = 6 * DAY;
/** A booking that is over is remembered for so many days. */
export const DAYS_REMEMBERED = 30;
/** Later bookings are remembered once they change. */
const DAYS_AHEAD = 730;
/** How late a due event is still told. */
export const LATEST_MS = 31 * DAY;

/** A booking that was not known, and was made since. */
export const isMade: Rule = {
	read: ({ created }) =>
		created === undefined ? 'date of creation' : { at: created?.ms, until: untilNoNews(created) },
	tells: ({ madeBy = 0 }, known, { since }) => !known && madeBy >= since,
};

/** A customer whose ID was not known. */
export const isNewId: Rule = {
	read: ({ changed }) => ({ at: changed?.ms ?? null }),
	tells: (_one, known) => !known,
	isById: true,
};

/** Each change of a record. */
export const isChanged: Rule = {
	hasVersions: true,
	read: (facts) => changeOf(facts),
	tells: isFresh,
};

/** The same, except that a booking was made. */
export const isUpdated: Rule = {
	...isChanged,
	tells: (one, known, times) =>
		isFresh(one, known, times) && (known !== undefined || !isAsMade(one)),
};

/** The bookings that are not over, or not for long. */
const learns = (now: number) => ({ from: now - DAYS_REMEMBERED * DAY, to: now + DAYS_AHEAD * DAY });

/** 'Add What Changed': what a person asks for is kept, and nothing that a guest wrote. */
export function withWhatChanged(rule: Rule, { zone }: Choice): Rule {
	const compares = ['start', 'end', 'guests', 'status'];
	const valuesOf = ({ record }: Facts) => [
		...timesOf(record, zone),
		valueOf(record.guests),
		valueOf(currentStatus(record).status),
	];
	const read = (facts: Facts) =>
		changeOf(facts, { values: valuesOf(facts), until: untilOver(facts) });
	return { ...rule, learns, compares, shows: compares, read };
}

const AMOUNTS = ['chargeAuthorizedAmount', 'chargePayedAmount', 'chargeRefundedAmount'];

/** An amount of a booking that differs, or its payment events. */
export const isPaid: Rule = {
	...differs([...AMOUNTS, 'paymentEvents'], ({ record }) => [
		...AMOUNTS.map((name) => Number(record[name]) || 0),
		paymentEventsOf(record),
	]),
	shows: AMOUNTS,
	begins: [0, 0, 0, null],
};

export function isMoved({ zone }: Choice): Rule {
	return differs(['start', 'end'], ({ record }) => timesOf(record, zone));
}

function differs(compares: readonly string[], valuesOf: (facts: Facts) => Value[]): Rule {
	return {
		...{ hasVersions: true, learns, compares, shows: compares },
		// Several polls may find one change: what identifies it includes the values.
		read: (facts) => {
			const values = valuesOf(facts);
			return changeOf(facts, { values, until: untilOver(facts), key: JSON.stringify(values) });
		},
		tells: ({ values }, known) =>
			known !== undefined &&
			known.values.length > 0 &&
			values.some((value, index) => value !== known.values[index]),
	};
}

/**
 * A change of a booking's status, or of its meaning. The `history` tells it, and when; where that does not date the last change, or
 * where there is none, what was last seen does. The status that a booking is made with is not a change.
 *
 * @param becomes the only state that is waited for; undefined: any status
 */
export function hasStatus(
	{ zone, filters: { statusRoles = {} } }: Choice,
	becomes?: keyof StatusRoles,
): Rule {
	const meaningOf = (entry: ServiceRecord): Value | BookingState =>
		becomes === undefined ? valueOf(entry.status) : stateOf(asBooking(entry), statusRoles);
	const isOther = (record: unknown, was: Value, now: Value): boolean => {
		if (becomes === undefined) return was !== now;
		const meanings = [was, now].map((status) => meaningOf(entryOf(record, status)));
		return meanings[0] !== becomes && meanings[1] === becomes;
	};
	return {
		...{ hasVersions: true, learns, compares: ['status', 'turns'], becomes },
		...(becomes === undefined ? {} : { begins: [null, null] }),
		read: (facts) => {
			const { record, changed, created } = facts;
			const entries = [...historyOf(record)];
			const { status } = currentStatus(record);
			// The history may lag behind.
			if (entries.length > 0 && entries.at(-1)?.status !== status)
				entries.push({ status, changeDate: changed?.text });
			const meanings = entries.map(meaningOf);
			const starts = [...meanings.keys()].filter(
				(index) => index === 0 || meanings[index] !== meanings[index - 1],
			);
			const last = starts.at(-1) ?? 0;
			const meaning = entries.length > 0 ? meanings[last] : meaningOf({ status });
			const isWaitedFor = becomes === undefined || meaning === becomes;
			const at = readMoment(entries[last]?.changeDate, zone)?.ms;
			if (at === undefined) {
				const more = {
					values: [valueOf(status), null],
					until: untilOver(facts),
					key: String(meaning),
				};
				return changeOf(facts, isWaitedFor ? more : { ...more, at: undefined });
			}
			// What other statuses mean may be edited, so their changes are not counted.
			const turns = starts.filter((index) => meanings[index] === meaning).length;
			const isFirst = last === 0 && !(created && at - created.ms > SAME_WRITE_MS);
			return {
				at: isWaitedFor && !isFirst ? at : undefined,
				key: `${String(meaning)}|${turns}`,
				values: [valueOf(status), turns],
				// A dated history tells by itself.
				until: untilNoNews(created),
			};
		},
		tells: (one, known, { from, since }) => {
			const { record, at, changed, changedBy, madeBy = 0 } = one;
			const [status = null, turns = null] = one.values;
			const [was = null, wereTurns = null] = known?.values ?? [];
			if (!known || known.values.length === 0) {
				// A local time may occur twice.
				const by = Number(at) + changedBy - (changed?.ms ?? changedBy);
				return turns !== null && ((Number(at) >= from && by >= since) || madeBy >= since);
			}
			return (
				isOther(record, was, status) || (turns !== null && wereTurns !== null && turns > wereTurns)
			);
		},
	};
}

/** A booking whose start is near, or whose end has passed: once for each start or end. */
export function isDue(edge: 'start' | 'end', choice: Choice): Rule {
	const { zone, distanceMs } = choice;
	const isEnd = edge === 'end';
	const offsetMs = isEnd ? distanceMs : -distanceMs;
	const timeOf = ({ at }: Observed) => Number(at) - offsetMs;
	const secondOf = (one: Observed) => Math.floor(timeOf(one) / SECOND);
	const isNow = ({ at }: Observed, now: number) =>
		Number(at) <= now && Number(at) > now - LATEST_MS;
	return {
		read: ({ record }) => {
			const time = readTimestamp(record[edge], zone);
			if (!time) return edge;
			return isCalledOff(record, choice) ? {} : { at: time.ms + offsetMs, key: `${time.ms}` };
		},
		tells: (one, known, { now, polled, since, unreadTo }) => {
			if (!isNow(one, now) || known?.values.includes(secondOf(one))) return false;
			const time = timeOf(one);
			const isMadeTooLate = one.created && one.created.ms >= time;
			// What had started by the last poll was told then; a booking that is made after its start does not start soon.
			if (!isEnd && time <= now && (time <= polled || isMadeTooLate)) return false;
			return time >= unreadTo || (one.madeBy ?? 0) >= since;
		},
		offsetMs,
		learns: (now) =>
			isEnd
				? { from: now - offsetMs - LATEST_MS, to: now - offsetMs }
				: { from: now, to: now - offsetMs },
		keeps: (one, known, { now }) => {
			const values = new Set(known?.values);
			if (one.wanted && isNow(one, now)) values.add(secondOf(one));
			const latest = Number(max([...values])) * SECOND;
			// A booking that has started is remembered for two days, whatever happens to a clock.
			const lasts = isEnd ? offsetMs + LATEST_MS + DAY : 2 * DAY;
			return { values: [...values], until: values.size > 0 ? dayOf(latest + lasts) : undefined };
		},
	};
}

/** Whether a version has not been seen before, in time. */
function isFresh(
	{ changed, changedBy }: Observed,
	known: Known | undefined,
	{ from, since }: Times,
): boolean {
	if (!changed || changedBy < since) return false;
	return changed.ms >= from || Math.floor(changed.ms / SECOND) > (known?.newest ?? Infinity);
}

/** @returns a change of a record, and what more its event reads; what identifies it besides */
function changeOf(facts: Facts, { key = '', ...more }: Reading = {}): Reading | string {
	return facts.changed
		? { at: facts.changed.ms, key: `${versionOf(facts)}|${key}`, ...more }
		: 'change date';
}

/** @returns the day until which a booking is remembered that may still differ */
function untilOver({ record, created, changed }: Facts): number {
	const end = readTimestamp(record.end ?? record.start, 'UTC') ?? changed;
	return Math.max(dayOf(end?.ms ?? 0) + DAYS_REMEMBERED, untilNoNews(created) ?? 0);
}

/** @returns the day until which a booking can still count as new */
function untilNoNews(created: Facts['created']): number | undefined {
	return created ? dayOf(created.ms + HELD_MS + DAY) : undefined;
}

/** Status and history distinguish two changes within one tick of the service's clock. */
export function versionOf({ record, changed }: Facts): string {
	return `${changed?.ms}|${String(record.status)}|${historyOf(record).length}`;
}

function timesOf({ start, end }: ServiceRecord, zone: string): Value[] {
	return [start, end].map((time) => {
		const read = readTimestamp(time, zone);
		return read ? Math.floor(read.ms / SECOND) : null;
	});
}

function valueOf(value: unknown): Value {
	const number = toNumber(value);
	return Number.isFinite(number) ? number : null;
}

/** The order of the payment events has no meaning; of them only a hash is kept. */
function paymentEventsOf({ paymentEvents }: ServiceRecord): Value {
	if (!Array.isArray(paymentEvents) || paymentEvents.length === 0) return null;
	const events = paymentEvents.map((event) => JSON.stringify(event)).sort();
	return Buffer.from(hashKey(JSON.stringify(events), 8), 'base64').readUIntBE(0, 6);
}

/** What the history of a booking says of a status: only that has names. */
function entryOf(record: unknown, status: Value): ServiceRecord {
	return (
		historyOf(fieldsOf(record)).find((entry) => valueOf(entry.status) === status) ?? { status }
	);
}

function asBooking(entry: ServiceRecord): ServiceRecord {
	return { status: entry.status, history: [entry] };
}

function dayOf(ms: number): number {
	return Math.floor(ms / DAY);
}
