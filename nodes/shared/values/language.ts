import { InvalidValueError } from './invalidValue';
import { isBlank } from './blank';
import { quoted } from './plainText';

/** What a house may speak, as n8n's lists have it: by name, with the tag (BCP 47) that stands for it. */
export const LANGUAGES = [
	{ name: 'Arabic', value: 'ar' },
	{ name: 'Bulgarian', value: 'bg' },
	{ name: 'Catalan', value: 'ca' },
	{ name: 'Chinese', value: 'zh' },
	{ name: 'Croatian', value: 'hr' },
	{ name: 'Czech', value: 'cs' },
	{ name: 'Danish', value: 'da' },
	{ name: 'Dutch', value: 'nl' },
	{ name: 'English', value: 'en-GB' },
	{ name: 'English (US)', value: 'en-US' },
	{ name: 'Estonian', value: 'et' },
	{ name: 'Finnish', value: 'fi' },
	{ name: 'French', value: 'fr' },
	{ name: 'German', value: 'de' },
	{ name: 'Greek', value: 'el' },
	{ name: 'Hungarian', value: 'hu' },
	{ name: 'Icelandic', value: 'is' },
	{ name: 'Italian', value: 'it' },
	{ name: 'Japanese', value: 'ja' },
	{ name: 'Korean', value: 'ko' },
	{ name: 'Latvian', value: 'lv' },
	{ name: 'Lithuanian', value: 'lt' },
	{ name: 'Norwegian', value: 'nb' },
	{ name: 'Polish', value: 'pl' },
	{ name: 'Portuguese', value: 'pt-PT' },
	{ name: 'Portuguese (Brazil)', value: 'pt-BR' },
	{ name: 'Romanian', value: 'ro' },
	{ name: 'Slovak', value: 'sk' },
	{ name: 'Slovenian', value: 'sl' },
	{ name: 'Spanish', value: 'es' },
	{ name: 'Swedish', value: 'sv' },
	{ name: 'Turkish', value: 'tr' },
	{ name: 'Ukrainian', value: 'uk' },
];

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
	const tag = String(language).trim();
	if (isKnownLanguage(tag)) return tag;
	throw new InvalidValueError(
		'Language',
		`is '${quoted(tag)}', which is not a known language`,
		"Choose one from the list in the credential, or enter its tag, e.g. 'sv' or 'en-US'",
	);
}
