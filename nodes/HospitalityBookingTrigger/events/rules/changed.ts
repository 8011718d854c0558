import { historyOf } from '../../../shared/booking/states';
import { asText } from '../../../shared/values/asText';
import { SECOND } from '../../../shared/values/timestamp';
import { isUnchangedSinceCreation } from '../recordKinds';
import { untilOver } from './remembered';
import type { Facts, Known, Observed, Reading, Rule, Times } from '../rule';

/** Each change of a record. */
export const changed: Rule = {
	hasVersions: true,
	read: (facts) => readChange(facts),
	emits: isUnseen,
};

/** Each change of a booking after it was made. */
export const updated: Rule = {
	hasVersions: true,
	needsCreation: true,
	read: (facts) => {
		if (facts.created) return readChange(facts);
		// Without a date of creation, only a booking that was seen before is known not to be new.
		return readChange(facts, { until: untilOver(facts) });
	},
	emits: (observed, known, times) => {
		if (!isUnseen(observed, known, times)) return false;
		if (known) return true;
		if (observed.madeAtLatest === undefined) return false;
		return !isUnchangedSinceCreation(observed);
	},
};

/** Whether a version has not been seen before, by its time. */
function isUnseen(observed: Observed, known: Known | undefined, times: Times): boolean {
	const change = observed.changed;
	if (!change || observed.changedAtLatest < times.newSince) return false;
	if (change.ms >= times.watermark) return true;
	if (!known) return false;
	const second = Math.floor(change.ms / SECOND);
	return second > known.newest;
}

/** @returns the last change of a record, with what more its event reads */
export function readChange(facts: Facts, more: Reading = {}): Reading | string {
	if (!facts.changed) return 'change date';
	return { at: facts.changed.ms, key: `${versionOf(facts)}|`, ...more };
}

/** @returns what a version of a record is told by: two changes within one tick of the service's clock differ in status or history */
export function versionOf(facts: Facts): string {
	const { record } = facts;
	const ms = facts.changed?.ms;
	const history = historyOf(record);
	return `${ms}|${asText(record.status)}|${history.length}`;
}
