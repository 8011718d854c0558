import { DEFAULT_LANGUAGE, isKnownLanguage } from './language';
import { RecentMap } from './recentMap';

/** Making one takes longer than to write a thousand times with it. */
const formats = new RecentMap<Intl.DateTimeFormat>(100);

/**
 * Writes an instant for people to read, with its weekday: `Saturday 28 November 2026 at 18:30`.
 *
 * @param ms since 1970 UTC
 * @param zone IANA name
 * @param languages tags (BCP 47), the best first: the first that is known counts, else English
 */
export function readableTime(ms: number, zone: string, ...languages: string[]): string {
	const key = `${zone} ${languages.join(' ')}`;
	const format = formats.open(key, () => makeFormat(zone, languages));
	const text = format.format(ms);
	// Some languages have blanks that programs for mail and tables do not know.
	return text.replace(/\s/g, ' ');
}

function makeFormat(timeZone: string, languages: readonly string[]): Intl.DateTimeFormat {
	const tags = languages.map(tagOf);
	const language = tags.find(isKnownLanguage) ?? DEFAULT_LANGUAGE;
	return new Intl.DateTimeFormat(language, { dateStyle: 'full', timeStyle: 'short', timeZone });
}

/** English without a country is that of Europe, as in the credential. */
function tagOf(language: string): string {
	const tag = language.trim().replaceAll('_', '-');
	const isPlainEnglish = tag.toLowerCase() === 'en';
	return isPlainEnglish ? DEFAULT_LANGUAGE : tag;
}
