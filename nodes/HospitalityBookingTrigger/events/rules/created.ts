import type { Rule } from '../rule';
import { untilNotNew } from './remembered';

/** A booking that was not known, and was made since. */
export const created: Rule = {
	needsCreation: true,
	read: (facts) => {
		const date = facts.created;
		if (date === undefined) return 'date of creation';
		return { at: date?.ms, until: untilNotNew(date) };
	},
	emits: (observed, known, times) => {
		const madeAt = observed.madeAtLatest ?? 0;
		return !known && madeAt >= times.newSince;
	},
};

/** A customer whose ID was not known. */
export const createdById: Rule = {
	read: (facts) => ({ at: facts.changed?.ms ?? null }),
	emits: (_observed, known) => !known,
	isById: true,
};
