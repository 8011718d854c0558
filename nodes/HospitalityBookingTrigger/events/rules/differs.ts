import { currentStatus } from '../../../shared/booking/states';
import { toNumber } from '../../../shared/values/number';
import { SECOND, readTimestamp } from '../../../shared/values/timestamp';
import type { Choice } from '../recordKinds';
import { type Facts, type Rule, type ServiceRecord, type Value, hashKey, toValue } from '../rule';
import { readChange } from './changed';
import { isDifferent, keyOfChange, withChangeCount } from './changeCount';
import { currentBookings, untilOver } from './remembered';

const AMOUNTS = ['chargeAuthorizedAmount', 'chargePayedAmount', 'chargeRefundedAmount'];
const SHOWN = ['start', 'end', 'guests', 'status'];

/** An amount of a booking that differs, or its payment events. */
export const paymentChanged: Rule = {
	...differs(AMOUNTS.concat('paymentEvents'), ({ record }) => {
		const values: Value[] = AMOUNTS.map((name) => toNumber(record[name]) || 0);
		return values.concat(hashOfPaymentEvents(record));
	}),
	changesShown: AMOUNTS,
	initialValues: [0, 0, 0, null],
};

/** A start or end of a booking that differs. */
export function rescheduled({ zone }: Choice): Rule {
	return differs(['start', 'end'], ({ record }) => secondsOf(record, zone));
}

/** 'Add What Changed': what a person asks for is remembered, and nothing that a guest wrote. */
export function withWhatChanged(rule: Rule, { zone }: Choice): Rule {
	return {
		...rule,
		baselinePeriod: currentBookings,
		comparedFields: SHOWN,
		changesShown: SHOWN,
		read: (facts) => {
			const { record } = facts;
			const guests = toValue(record.guests);
			const status = toValue(currentStatus(record).status);
			const values = secondsOf(record, zone).concat(guests, status);
			return readChange(facts, { values, until: untilOver(facts) });
		},
	};
}

/** A booking whose values differ from what was last seen of it. */
function differs(comparedFields: readonly string[], valuesOf: (facts: Facts) => Value[]): Rule {
	return {
		hasVersions: true,
		baselinePeriod: currentBookings,
		comparedFields,
		changesShown: comparedFields,
		read: (facts) => {
			if (!facts.changed) return 'change date';
			return {
				at: facts.changed.ms,
				values: valuesOf(facts),
				until: untilOver(facts),
			};
		},
		emits: isDifferent,
		keyOf: keyOfChange,
		remember: withChangeCount,
	};
}

/** @returns start and end of a booking, in seconds since 1970 */
function secondsOf(record: ServiceRecord, zone: string): Value[] {
	const { start, end } = record;
	return [start, end].map((text) => {
		const time = readTimestamp(text, zone);
		if (!time) return null;
		return Math.floor(time.ms / SECOND);
	});
}

/** The order of the payment events has no meaning. Only a hash of them is remembered. */
function hashOfPaymentEvents({ paymentEvents }: ServiceRecord): Value {
	if (!Array.isArray(paymentEvents) || paymentEvents.length === 0) return null;
	const events = paymentEvents.map((event) => JSON.stringify(event));
	const sorted = JSON.stringify(events.sort());
	const hash = hashKey(sorted, 8);
	return Buffer.from(hash, 'base64').readUIntBE(0, 6);
}
