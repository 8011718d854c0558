import { asText } from './asText';
import { InvalidValueError } from './invalidValue';
import { isBlank } from './blank';
import { quoted } from './plainText';

/** What a house may speak, by name: the tag (BCP 47) of each language. */
const TAGS = {
	Arabic: 'ar',
	Bulgarian: 'bg',
	Catalan: 'ca',
	Chinese: 'zh',
	Croatian: 'hr',
	Czech: 'cs',
	Danish: 'da',
	Dutch: 'nl',
	English: 'en-GB',
	'English (US)': 'en-US',
	Estonian: 'et',
	Finnish: 'fi',
	French: 'fr',
	German: 'de',
	Greek: 'el',
	Hungarian: 'hu',
	Icelandic: 'is',
	Italian: 'it',
	Japanese: 'ja',
	Korean: 'ko',
	Latvian: 'lv',
	Lithuanian: 'lt',
	Norwegian: 'nb',
	Polish: 'pl',
	Portuguese: 'pt-PT',
	'Portuguese (Brazil)': 'pt-BR',
	Romanian: 'ro',
	Slovak: 'sk',
	Slovenian: 'sl',
	Spanish: 'es',
	Swedish: 'sv',
	Turkish: 'tr',
	Ukrainian: 'uk',
};

/** As n8n's lists have it. */
export const LANGUAGES = Object.entries(TAGS).map(([name, value]) => ({ name, value }));

export const DEFAULT_LANGUAGE = 'en-GB';

/** @returns whether times can be written in a language: whether its tag is well formed, and known to this n8n */
export function isKnownLanguage(tag: string): boolean {
	try {
		return Intl.DateTimeFormat.supportedLocalesOf(tag).length > 0;
	} catch {
		return false;
	}
}

/**
 * @param language Language of a credential; one that was saved before there was this field has none
 * @returns its tag, e.g. `sv`; English unless set
 * @throws InvalidValueError for anything but a known language
 */
export function checkLanguage(language: unknown): string {
	if (isBlank(language)) return DEFAULT_LANGUAGE;
	const tag = asText(language).trim();
	if (isKnownLanguage(tag)) return tag;
	throw new InvalidValueError(
		'Language',
		`is '${quoted(tag)}', which is not a known language`,
		"Choose one from the list in the credential, or enter its tag, e.g. 'sv' or 'en-US'",
	);
}
