import { comparable } from '../values/text';

const SEPARATORS = /[,;|]|(?<=\d) ?(?=\+)/;
const LABEL = /^\p{L}+ ?[.:]? ?(?=[+\d(])/u;
/** What stands before the code of a country. */
const PLUS = /^\(?\+|^00/;
const NUMBER = /^[\d ().\-/]+$/;

/**
 * Reads what a person has typed as a telephone number, e.g. `Mob: +46 (0)70-123 45 67`.
 *
 * @returns the digits to call, with a plus before a country's; undefined if the text holds no number, or none that is certain
 */
export function callableNumber(typed: string): string | undefined {
	const lines = typed.trim().replaceAll('\n', ';');
	for (const part of comparable(lines).split(SEPARATORS)) {
		const number = numberOf(part.trim().replace(LABEL, ''));
		if (number !== undefined) return number;
	}
	return undefined;
}

function numberOf(text: string): string | undefined {
	const written = text.replace(PLUS, '');
	if (!NUMBER.test(written)) return undefined;
	if (written === text) return digitsOf(text);
	const digits = digitsOf(written.replace('(0)', ''));
	return digits && `+${digits}`;
}

function digitsOf(text: string) {
	const digits = firstOf(text).replace(/\D/g, '');
	const isTooShort = digits.length < 6;
	const isTooLong = digits.length > 15;
	const isPlaceholder = /^(\d)\1*$/.test(digits);
	if (isTooShort || isTooLong || isPlaceholder) return undefined;
	return digits;
}

/** A slash stands behind an area code (030/123456) or between two numbers, the first of which is then longer. */
function firstOf(text: string) {
	const [first = ''] = text.split('/');
	const isWhole = first.replace(/\D/g, '').length >= 6;
	if (isWhole) return first;
	return text;
}
