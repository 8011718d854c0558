import { filledIn, toBoolean } from '../../../../nodes/shared/operation/formValues';

test.each([
	[true, true],
	[false, false],
	['true', true],
	[' False ', false],
])('a switch of %p is %p', (value, wanted) => {
	expect(toBoolean(value, 'Hidden')).toBe(wanted);
});

test.each([1, 0, 'yes', '', null, undefined, {}])('a switch of %p is refused by name', (value) => {
	expect(() => toBoolean(value, 'Hidden')).toThrow("'Hidden' is neither true nor false");
});

test.each([
	[{ __rl: true, mode: 'list', value: ' ' }, undefined],
	[{ __rl: true, mode: 'id', value: 7 }, 7],
	[' ', undefined],
	[0, 0],
])('of %j is filled in %p', (value, filled) => {
	expect(filledIn(value)).toBe(filled);
});
