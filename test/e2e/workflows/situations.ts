import { DateTime } from 'luxon';
import type { JsonObject } from '../../../dev/n8nClient.ts';
import { eventually } from '../../../dev/eventually.ts';
import type { Mail } from '../../../dev/demo/inbox.ts';
import { CONFIRMED, type Gallery, visitIn } from './support';

/** Longer than the time from one poll to the next. */
export const POLLED_MS = 6_000;

interface Evening {
	hour: number;
	minute?: number;
	/** From today. */
	days?: number;
	/** When a day ends for the file, by its own setting: 5, or 0 for the calendar's days. */
	dayEndsAt?: number;
}

/** A booking for two, as the service that lists would list it. */
export function evening(
	{ hour, minute = 15, days = 0, dayEndsAt }: Evening,
	fields: JsonObject = {},
): JsonObject {
	const usual = { guests: 2, guestsChildren: 0, message: null };
	return Object.assign({}, visitIn(days, hour, minute, dayEndsAt), CONFIRMED, usual, fields);
}

/** What the service that lists has for a file from now on. */
export function listFor(gallery: Gallery, name: string, bookings: JsonObject[]): void {
	gallery.listed(name).bookings = bookings.map((booking) => gallery.sample(booking));
}

/** The service that lists fails for a file while an act runs. */
export async function withFailing<T>(
	gallery: Gallery,
	name: string,
	act: () => Promise<T>,
	status = 500,
): Promise<T> {
	gallery.listed(name).status = status;
	try {
		return await act();
	} finally {
		gallery.listed(name).status = 200;
	}
}

/** A file has a credential with other values while an act runs. */
export async function withAccount<T>(
	gallery: Gallery,
	name: string,
	fields: JsonObject,
	act: () => Promise<T>,
): Promise<T> {
	await gallery.putListed(name, fields);
	try {
		return await act();
	} finally {
		await gallery.putListed(name);
	}
}

/** What a person reads in a mail, one blank in the place of several. */
export function wordsOf({ subject, html, text }: Mail): string {
	return `${subject}\n${html ?? text}`.replace(/\s+/g, ' ');
}

/** The mails whose text holds these words, as soon as there is one. */
export async function mailsWith(gallery: Gallery, words: string, to = ''): Promise<Mail[]> {
	return await eventually(`a mail "${words}" to ${to}`, async () => {
		const found = await mailsSoFar(gallery, words, to);
		return found.length > 0 && found;
	});
}

/** The mails whose text holds these words, now. */
export async function mailsSoFar(gallery: Gallery, words: string, to = ''): Promise<Mail[]> {
	const all = await gallery.allMails();
	return all.filter(
		(mail) => wordsOf(mail).includes(words) && mail.to.some(({ address }) => address.includes(to)),
	);
}

/** A time from which a booking may no longer be canceled. */
export const cancelableFor = (hours: number) => ({
	cancelAllowedBeforeUtc: DateTime.utc().plus({ hours }).toISO(),
});
