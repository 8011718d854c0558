import { joined, plainText, quoted } from '../../../../nodes/shared/values/plainText';

it.each([
	['<b>bold</b>', '‹b›bold‹/b›'],
	['one\r\ntwo\tthree\u2028four', 'one  two three four'],
	['tok\u0002en', 'token'],
	['tok\u200b\u2060\u00ad\u{e0041}en', 'token'],
	['\u202egnp.exe\u2066', 'gnp.exe'],
	['a\ud83db', 'ab'],
	['x'.repeat(2_000), 'x'.repeat(2_000)],
	['x'.repeat(2_001), `${'x'.repeat(1_999)}…`],
])('a foreign text is no markup, and nothing in it is invisible: %j', (text, plain) => {
	expect(plainText(text)).toBe(plain);
});

it.each([
	[['One.', 'Two'], 'One. Two'],
	[['One', false, '', null, 'Two', 'Three'], 'One. Two. Three'],
	[['One?', 'Two'], 'One? Two'],
	[[], ''],
] as const)('sentences are joined by one mark: %j', (parts, text) => {
	expect(joined(parts)).toBe(text);
});

it.each([
	['x'.repeat(61), `${'x'.repeat(59)}…`],
	[{ a: '<' }, '{"a":"‹"}'],
	[undefined, 'undefined'],
	[null, 'null'],
	[10n, '10'],
])('%p is quoted short', (value, text) => {
	expect(quoted(value)).toBe(text);
});
