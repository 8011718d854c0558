import { LANGUAGES } from '../../../../nodes/shared/values/language';
import { readableTime } from '../../../../nodes/shared/values/readableTime';
import { fc } from '../../../support/property';

const ZONES = ['UTC', 'Europe/Stockholm', 'America/St_Johns', 'Asia/Kathmandu', 'Pacific/Apia'];

test('a time to read is what the language itself makes of it, with plain blanks', () => {
	fc.assert(
		fc.property(
			fc.integer({ min: 0, max: Date.UTC(2100, 0) }),
			fc.constantFrom(...ZONES),
			fc.constantFrom(...LANGUAGES.map(({ value }) => value)),
			(ms, timeZone, language) => {
				const options = { dateStyle: 'full', timeStyle: 'short', timeZone } as const;
				const plain = new Date(ms).toLocaleString(language, options).replace(/\s/g, ' ');

				expect(readableTime(ms, timeZone, language)).toBe(plain);
			},
		),
	);
});

test('the first language that is known counts, else English', () => {
	const inEnglish = readableTime(0, 'UTC', 'en-GB');

	expect(readableTime(0, 'UTC', 'no language', 'sv', 'de')).toBe(readableTime(0, 'UTC', 'sv'));
	expect(readableTime(0, 'UTC', '', 'Klingon')).toBe(inEnglish);
	expect(readableTime(0, 'UTC', 'en')).toBe(inEnglish);
});
