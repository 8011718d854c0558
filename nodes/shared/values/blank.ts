/** Blanks of every kind, including no-break and invisible ones. */
const BLANKS = /^[\s\p{Cf}\u115f\u1160\u2800\u3164\uffa0]*$/u;

/** @returns whether a value is undefined, null, or blank text */
export function isBlank(value: unknown): boolean {
	return value === undefined || value === null || (typeof value === 'string' && BLANKS.test(value));
}
