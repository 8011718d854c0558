import { historyOf } from '../../../shared/booking/states';
import { SECOND } from '../../../shared/values/timestamp';
import { isAsMade } from '../kinds';
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
	// Only that it was seen before tells that a booking without a date of creation is not new.
	read: (facts) => readChange(facts, facts.created ? {} : { until: untilOver(facts) }),
	emits: (observed, known, times) => {
		if (!isUnseen(observed, known, times)) return false;
		return known !== undefined || (observed.madeBy !== undefined && !isAsMade(observed));
	},
};

/** Whether a version has not been seen before, by its time. */
function isUnseen(observed: Observed, known: Known | undefined, times: Times): boolean {
	const { changed: change, changedBy } = observed;
	if (!change || changedBy < times.newSince) return false;
	if (change.ms >= times.watermark) return true;
	return known !== undefined && Math.floor(change.ms / SECOND) > known.newest;
}

/** @returns the last change of a record, with what more its event reads and what more identifies it */
export function readChange(facts: Facts, { key = '', ...more }: Reading = {}): Reading | string {
	if (!facts.changed) return 'change date';
	return { at: facts.changed.ms, key: `${versionOf(facts)}|${key}`, ...more };
}

/** @returns what a version of a record is told by: two changes within one tick of the service's clock differ in status or history */
export function versionOf({ record, changed: change }: Facts): string {
	return `${change?.ms}|${String(record.status)}|${historyOf(record).length}`;
}
