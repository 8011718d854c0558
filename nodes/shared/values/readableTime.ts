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
	const format = formats.open(`${zone} ${languages.join(' ')}`, () =>
		formatOf(zone, languages.map(tagOf).find(isKnownLanguage)),
	);
	// Some languages have blanks that programs for mail and tables do not know.
	return format.format(ms).replace(/\s/g, ' ');
}

function formatOf(timeZone: string, language = DEFAULT_LANGUAGE): Intl.DateTimeFormat {
	return new Intl.DateTimeFormat(language, { dateStyle: 'full', timeStyle: 'short', timeZone });
}

/** English without a country is that of Europe, as in the credential. */
function tagOf(language: string): string {
	const tag = language.trim().replaceAll('_', '-');
	return tag.toLowerCase() === 'en' ? DEFAULT_LANGUAGE : tag;
}
