import { oneLine } from '../../../../nodes/shared/values/text';

const FAMILY = '👨‍👩‍👧‍👦';

describe("a guest's text", () => {
	it.each([
		['as it is', 'Two high chairs, please.', 'Two high chairs, please.'],
		['in one line', '  by the\n\twindow \r\n please ', 'by the window please'],
		['without control and direction characters', 'Li\u202end\u0007 Öberg', 'Lind Öberg'],
		['from what follows blanks', `${'\n'.repeat(5_000)}x`, 'x'],
		['from no more than is read, with a sign of it', `a${' '.repeat(2_000)}b`, 'a…'],
		['of 200 characters, whole', 'x'.repeat(200), 'x'.repeat(200)],
		['of more, cut with a sign of it', 'x'.repeat(201), `${'x'.repeat(199)}…`],
		[
			'with an emoji of a family whole or left out',
			'x'.repeat(195) + FAMILY,
			`${'x'.repeat(195)}…`,
		],
	])('comes %s', (_, text, line) => {
		expect(oneLine(text)).toBe(line);
	});

	it.each([
		{ what: 'tags', hidden: '\u{e0069}\u{e0067}\u{e006e}\u{e006f}\u{e0072}\u{e0065}' },
		{ what: 'Hangul fillers', hidden: '\u3164\u115f\uffa0' },
		{ what: 'variation selectors in a row', hidden: '\u{e0101}\u{e0155}' },
		{ what: 'invisible operators', hidden: '\u2062\u2063\u2064\u00ad' },
		{ what: 'marks of annotations', hidden: '\ufff9\ufffa\ufffb' },
		{ what: 'controls of hieroglyphs', hidden: '\u{13430}\u{1343f}' },
	])('carries no second text in hidden letters: $what', ({ hidden }) => {
		expect(oneLine(`No${hidden} nuts${hidden}`)).toBe('No nuts');
	});

	it('keeps a flag, an emoji of several, a heart in color and a word that joins its letters otherwise', () => {
		const text = '🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f} 👩‍🍳 ❤️ می‌خواهم';

		expect(oneLine(text)).toBe(text);
	});

	it('keeps one variation selector behind an emoji, and none behind a letter', () => {
		expect(oneLine('❤\ufe0f\ufe0e\ufe0f N\ufe0fo\ufe0e')).toBe('❤\ufe0f No');
	});

	it('takes more tags behind a flag than a flag has for a hidden text', () => {
		expect(oneLine(`🏴${'\u{e0069}'.repeat(9)}\u{e007f} No nuts`)).toBe('🏴 No nuts');
	});

	it('never has more than 200 characters', () => {
		for (const length of [199, 200, 201, 5_000]) {
			for (const unit of ['x', 'é', FAMILY, 'e\u0301']) {
				expect(oneLine(unit.repeat(length)).length).toBeLessThanOrEqual(200);
			}
		}
	});
});
