import { shortHash } from './seen';

const MAX_UNTOLD = 20;

/** What a person should know and has not been told yet. Bounded by what a poll is answered with. */
export interface Notices {
	/** Stands for what the last poll found, 11 characters each. */
	known: string[];
	/** What has not been told yet; beyond 20 only how many more. */
	untold: string[];
	more: number;
}

/**
 * Tells everything once: a record that cannot be followed stays in the service's responses for a while.
 *
 * @param found what the poll found, one text each, which names the record
 * @param canTell whether the poll has nothing else to give
 * @returns what to keep, undefined for nothing; and what to tell now
 */
export function addNotices(
	before: Notices | undefined,
	found: readonly string[],
	canTell: boolean,
): { notices: Notices | undefined; tell: string[] } {
	const known = new Set(before?.known);
	const byHash = new Map(found.map((text) => [shortHash(text), text]));
	const unseen = [...byHash].filter(([hash]) => !known.has(hash)).map(([, text]) => text);
	const untold = [...(before?.untold ?? []), ...unseen];
	const more = (before?.more ?? 0) + Math.max(0, untold.length - MAX_UNTOLD);
	untold.splice(MAX_UNTOLD);
	const tell = canTell ? [...untold, ...(more > 0 ? [`${more} more`] : [])] : [];
	const kept = canTell ? { untold: [], more: 0 } : { untold, more };
	const notices = byHash.size + kept.untold.length > 0 ? { known: [...byHash.keys()], ...kept } : undefined;
	return { notices, tell };
}
