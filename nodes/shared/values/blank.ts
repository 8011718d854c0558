/** Blanks of every kind, including no-break and invisible ones, and control characters. */
const BLANKS = /^[\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]*$/u;

/** @returns whether a value is undefined, null, or blank text */
export function isBlank(value: unknown): boolean {
	if (value === undefined || value === null) return true;
	return typeof value === 'string' && BLANKS.test(value);
}
