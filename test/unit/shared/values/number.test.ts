// It writes a BigInt as JSON, wherever the nodes run.
import 'n8n-workflow';
import { InvalidValueError } from '../../../../nodes/shared/values/invalidValue';
import { WIDTHS, readNumber } from '../../../../nodes/shared/values/number';

const RANGE = { least: 1, most: 5, isWhole: true };

describe('a number of the form', () => {
	it.each([
		[3, RANGE, 3],
		[1, RANGE, 1],
		[5, RANGE, 5],
		[' 4 ', RANGE, 4],
		['-1.5', {}, -1.5],
		['.5', {}, 0.5],
		['1e3', {}, 1000],
		['0042', WIDTHS.int64, 42],
		['-1', WIDTHS.int64, -1],
		[Number.MAX_SAFE_INTEGER, WIDTHS.int64, Number.MAX_SAFE_INTEGER],
		[Number.MIN_SAFE_INTEGER, WIDTHS.int64, Number.MIN_SAFE_INTEGER],
		[2 ** 31 - 1, WIDTHS.int32, 2_147_483_647],
		[-(2 ** 31), WIDTHS.int32, -2_147_483_648],
	])('is taken as it stands or as a text: %p', (value, range, expected) => {
		expect(readNumber(value, 'Limit', range)).toBe(expected);
	});

	it.each([
		[0, RANGE, 'is 0', 'Enter a whole number from 1 to 5'],
		[6, RANGE, 'is 6', 'Enter a whole number from 1 to 5'],
		['1.5', RANGE, 'is 1.5', 'Enter a whole number from 1 to 5'],
		['1E+0', RANGE, 'is 1E+0', 'Enter a whole number from 1 to 5'],
		[-1, { least: 0 }, 'is -1', 'Enter a number from 0'],
		[9, { most: 8 }, 'is 9', 'Enter a number to 8'],
		['0x10', {}, "is not a number ('0x10')", 'Enter a number'],
		[
			'1 250,50',
			{},
			"is not a number ('1 250,50')",
			'Enter a number. Write a point before decimals, e.g. 12.50',
		],
		[[1], {}, 'is not a number ([1])', 'Enter a number'],
		[10n, {}, 'is not a number ("10")', 'Enter a number'],
		['x'.repeat(61), {}, `is not a number ('${'x'.repeat(59)}…')`, 'Enter a number'],
		[Number.NaN, {}, 'is not a number (NaN)', 'Enter a number'],
		[Infinity, {}, 'is not a number (Infinity)', 'Enter a number'],
		[2 ** 31, WIDTHS.int32, 'is 2147483648', 'Enter a whole number from -2147483648 to 2147483647'],
		[
			-(2 ** 31) - 1,
			WIDTHS.int32,
			'is -2147483649',
			'Enter a whole number from -2147483648 to 2147483647',
		],
		[
			'--1',
			WIDTHS.int32,
			"is not a number ('--1')",
			'Enter a whole number from -2147483648 to 2147483647',
		],
		['  ', {}, 'is empty', 'Enter a number'],
		[undefined, {}, 'is empty', 'Enter a number'],
	])('is refused with what came and what may: %p within %p', (value, range, what, hint) => {
		expect(() => readNumber(value, 'Limit', range)).toThrow(
			new InvalidValueError('Limit', what, hint),
		);
		expect(() => readNumber(value, 'Limit', range)).toThrow(
			expect.objectContaining({ description: hint }),
		);
	});
});
