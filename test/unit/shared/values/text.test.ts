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

	it('never has more than 200 characters', () => {
		for (const length of [199, 200, 201, 5_000])
			for (const unit of ['x', 'é', FAMILY, 'e\u0301'])
				expect(oneLine(unit.repeat(length)).length).toBeLessThanOrEqual(200);
	});
});
