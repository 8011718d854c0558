import { asText } from './asText';
import { InvalidValueError } from './invalidValue';
import { wrongKind } from './plainText';

/** A number as people write it: not `0x10`, which JavaScript reads as 16. */
const DECIMAL = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;

/** Ranges of whole numbers: 32 bits, and the integers that JavaScript represents exactly. */
export const WIDTHS = {
	int32: { least: -(2 ** 31), most: 2 ** 31 - 1, isWhole: true },
	int64: { least: Number.MIN_SAFE_INTEGER, most: Number.MAX_SAFE_INTEGER, isWhole: true },
};

export interface NumberRange {
	/** By default, any number. */
	least?: number;
	most?: number;
	isWhole?: boolean;
}

/** @returns NaN for anything but a number or the text of one */
export function toNumber(value: unknown): number {
	if (typeof value === 'number') return value;
	const isNumber = typeof value === 'string' && DECIMAL.test(value.trim());
	if (!isNumber) return NaN;
	return Number(value);
}

/**
 * Reads a number from the form or an expression; a text of digits counts as its number.
 *
 * @param label the parameter's name as displayed
 * @throws InvalidValueError that names the parameter and says what came
 */
export function readNumber(value: unknown, label: string, range: NumberRange = {}): number {
	const number = toNumber(value);
	const text = asText(value).trim();
	if (isWithin(range, number, text)) return number;
	const problem = Number.isFinite(number) ? `is ${text}` : wrongKind('a number', value);
	let hint = `Enter ${rangeInWords(range)}`;
	const hasComma = /\d,\d/.test(text);
	if (hasComma && !range.isWhole) hint += '. Write a point before decimals, e.g. 12.50';
	throw new InvalidValueError(label, problem, hint);
}

function isWithin(range: NumberRange, number: number, text: string): boolean {
	if (!Number.isFinite(number)) return false;
	if (range.least !== undefined && number < range.least) return false;
	if (range.most !== undefined && number > range.most) return false;
	if (!range.isWhole) return true;
	// A spreadsheet writes a long ID with an exponent, without its last digits.
	const hasExponent = /e/i.test(text);
	return !hasExponent && Number.isSafeInteger(number);
}

function rangeInWords(range: NumberRange): string {
	let words = range.isWhole ? 'a whole number' : 'a number';
	if (range.least !== undefined) words += ` from ${range.least}`;
	if (range.most !== undefined) words += ` to ${range.most}`;
	return words;
}
