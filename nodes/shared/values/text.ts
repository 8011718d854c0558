/** @returns whether a text is free of half surrogate pairs, which no encoding of the web can carry. */
export function isWellFormed(text: string): boolean {
	return !/\p{Surrogate}/u.test(text);
}
