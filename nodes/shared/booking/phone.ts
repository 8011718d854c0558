import { comparable } from '../values/text';

const SEPARATORS = /[,;|]|(?<=\d) ?(?=\+)/;
const LABEL = /^\p{L}+ ?[.:]? ?(?=[+\d(])/u;
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
	const isInternational = /^(?:\+|\(\+|00)/.test(text);
	const written = text.replace(/^\(?\+|^00/, '');
	if (!NUMBER.test(written)) return undefined;
	const national = isInternational ? written.replace('(0)', '') : written;
	const digits = firstOf(national).replace(/\D/g, '');
	const isPlaceholder = /^(\d)\1*$/.test(digits);
	if (isPlaceholder || digits.length < 6 || digits.length > 15) return undefined;
	return isInternational ? `+${digits}` : digits;
}

/** A slash stands behind an area code (030/123456) or between two numbers, the first of which is then longer. */
function firstOf(text: string): string {
	const [first = ''] = text.split('/');
	const isWhole = first.replace(/\D/g, '').length >= 6;
	return isWhole ? first : text;
}
