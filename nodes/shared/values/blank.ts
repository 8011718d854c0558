/** Blanks of every kind, including no-break and invisible ones, and control characters. */
const BLANKS = /^[\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]*$/u;

/** @returns whether a value is undefined, null, or blank text */
export function isBlank(value: unknown): boolean {
	return value === undefined || value === null || (typeof value === 'string' && BLANKS.test(value));
}
