import { LongNumber, toJsonText } from '../../../../nodes/shared/values/longNumber';

test.each([
	['9007199254740992', true],
	[' 9223372036854775807 ', true],
	['9007199254740991', false],
	['9223372036854775808', false],
	['09007199254740992', false],
	['-9007199254740992', false],
	[9007199254740992, false],
])('%p is a number that only text holds: %p', (value, isLong) => {
	expect(LongNumber.from(value) !== undefined).toBe(isLong);
});

test('a body has each of its digits, and no text is taken for it', () => {
	const id = LongNumber.from('9223372036854775807');

	expect(toJsonText({ id, text: '9223372036854775807' })).toBe(
		'{"id":9223372036854775807,"text":"9223372036854775807"}',
	);
});
