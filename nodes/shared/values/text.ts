import { InvalidValueError } from './invalidValue';

/** @returns whether a text is free of half surrogate pairs, which UTF-8 cannot carry. */
export function isWellFormed(text: string): boolean {
	return !/\p{Surrogate}/u.test(text);
}

/** @throws InvalidValueError that names the parameter, for a text with half a surrogate pair */
export function checkWellFormed(text: string, label: string): void {
	if (isWellFormed(text)) return;
	throw new InvalidValueError(
		label,
		'holds half of a character (a lone surrogate)',
		'Check where the text was cut, e.g. in the middle of an emoji',
	);
}
