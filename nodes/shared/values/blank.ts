/** Blanks of every kind, no-break and invisible ones too. */
const BLANKS = /^[\s\p{Cf}\u115f\u1160\u2800\u3164\uffa0]*$/u;

/** @returns whether nothing was given: undefined, null, or a text of nothing but blanks */
export function isBlank(value: unknown): boolean {
	return value === undefined || value === null || (typeof value === 'string' && BLANKS.test(value));
}
