import type { Rule } from '../rule';
import { untilNotNew } from './remembered';

/** A booking that was not known, and was made since. */
export const created: Rule = {
	needsCreation: true,
	read: (facts) => {
		if (facts.created === undefined) return 'date of creation';
		return { at: facts.created?.ms, until: untilNotNew(facts.created) };
	},
	emits: ({ madeAtLatest: madeBy = 0 }, known, { newSince }) => !known && madeBy >= newSince,
};

/** A customer whose ID was not known. */
export const createdById: Rule = {
	read: ({ changed }) => ({ at: changed?.ms ?? null }),
	emits: (_observed, known) => !known,
	isById: true,
};
