import { InvalidValueError } from './invalidValue';
import { notA } from './plainText';

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
	return typeof value === 'string' && DECIMAL.test(value.trim()) ? Number(value) : Number.NaN;
}

/**
 * Reads a number from the form or an expression; a text of digits counts as its number.
 *
 * @param label the parameter's name as displayed
 * @throws InvalidValueError that names the parameter and says what came
 */
export function readNumber(
	value: unknown,
	label: string,
	{ least, most, isWhole = false }: NumberRange = {},
): number {
	const number = toNumber(value);
	const isInRange = number >= (least ?? -Number.MAX_VALUE) && number <= (most ?? Number.MAX_VALUE);
	// A spreadsheet writes a long ID with an exponent, without its last digits.
	const isExact = Number.isSafeInteger(number) && !/e/i.test(String(value));
	if (isInRange && (!isWhole || isExact)) return number;
	const kind = isWhole ? 'a whole number' : 'a number';
	const from = least === undefined ? '' : ` from ${least}`;
	const to = most === undefined ? '' : ` to ${most}`;
	const point =
		!isWhole && /\d,\d/.test(String(value)) ? '. Write a point before decimals, e.g. 12.50' : '';
	const problem = Number.isFinite(number) ? `is ${String(value).trim()}` : notA('a number', value);
	throw new InvalidValueError(label, problem, `Enter ${kind}${from}${to}${point}`);
}
