import { hashKey } from './seen';

const MAX_REASONS = 20;

/** Which records were left out, and what nobody has been told yet. Bounded by what a poll is answered with. */
export interface Skips {
	/** Stands for the records that the last poll left out, 11 characters each. */
	known: string[];
	/** What has not been told yet, one text for each record; beyond 20 only how many more. */
	untold: string[];
	more: number;
}

/**
 * Tells of each record once: it stays in the service's responses for a while.
 *
 * @param reasons why the poll left records out, one text each, which names the record
 * @param mayTell whether the poll has nothing else to give
 * @returns what to keep, undefined for nothing; and what to tell now
 */
export function noteSkipped(
	before: Skips | undefined,
	reasons: readonly string[],
	mayTell: boolean,
): { skips: Skips | undefined; tell: string[] } {
	const known = new Set(before?.known);
	const byHash = new Map(reasons.map((reason) => [shortHash(reason), reason]));
	const fresh = [...byHash].filter(([hash]) => !known.has(hash)).map(([, reason]) => reason);
	const untold = [...(before?.untold ?? []), ...fresh];
	const more = (before?.more ?? 0) + Math.max(0, untold.length - MAX_REASONS);
	untold.splice(MAX_REASONS);
	const kept = (texts: string[], count: number): Skips | undefined =>
		byHash.size + texts.length > 0 ? { known: [...byHash.keys()], untold: texts, more: count } : undefined;
	if (!mayTell || untold.length === 0) return { skips: kept(untold, more), tell: [] };
	return { skips: kept([], 0), tell: more > 0 ? [...untold, `${more} more`] : untold };
}

function shortHash(reason: string): string {
	return Buffer.from(hashKey(reason), 'latin1').toString('base64').slice(0, 11);
}
