import { DateTime } from 'luxon';
import { eventually } from '../eventually.ts';
import type { JsonObject } from '../n8nClient.ts';
import type { Mail } from './inbox.ts';
import type { Outcome } from './outcomes.ts';
import type { Demo } from './stack.ts';
import { tableRows } from './table.ts';

/** From n8n being up until a new booking is an email and a row. */
const WITHIN_MS = 120_000;
/** From the press of a button until its mail. */
const MAIL_WITHIN_MS = 10_000;

/** The data table that the demo's first workflow fills. */
export const BOOKINGS_TABLE = 'Hospitality New Bookings';

interface Booking {
	guid: string;
	start: string;
	guests: number;
	contact?: { fname?: string; lname?: string } | null;
}

/** What the demo's main job came to, as seen from outside: in the inbox and in the table. */
export interface SmokeReport {
	mail: Mail;
	row: JsonObject;
	/** The subject of the list of the morning, sent by a press on the first page. */
	arrivals: string;
	/** What was posted in the channel when one booking was canceled so. */
	canceled: string;
	/** Seconds from n8n being up until a booking was both, and from a press on the first page until another one's mail. */
	seconds: { first: number; pressed: number };
	/** What is not as the sandbox's own records say; empty when all is right. */
	wrong: string[];
}

/** What mail and row say of a booking, by the sandbox's own record. */
function expected({ guid, start, guests, contact }: Booking, zone: string) {
	const at = DateTime.fromISO(start, { zone });
	const guestName = `${contact?.fname} ${contact?.lname}`;
	return { guid, date: at.toFormat('yyyy-MM-dd'), time: at.toFormat('HH:mm'), guests, guestName };
}

/** Where a mail or row differs from the booking. */
function differences(booking: Booking, zone: string, mail: Mail, row: JsonObject): string[] {
	const { guid, ...told } = expected(booking, zone);
	return [
		...Object.entries({ guid, ...told })
			.filter(([column, value]) => String(row[column]) !== String(value))
			.map(([column, value]) => `row: ${column} is "${String(row[column])}", not "${value}"`),
		...Object.values(told)
			.filter((value) => !`${mail.subject} ${mail.html ?? mail.text}`.includes(String(value)))
			.map((value) => `mail "${mail.subject}": it lacks "${value}"`),
	];
}

/** Calls what a button of the first page calls. */
async function press<T>({ sandbox }: Demo, path: string, what?: string): Promise<T> {
	const headers = { 'content-type': 'application/json' };
	const init = { method: 'POST', headers, body: JSON.stringify({ what }) };
	const response = await fetch(`${sandbox.info.url}/__page/${path}`, init);
	if (!response.ok) throw new Error(`The button of ${path} got ${response.status}.`);
	return (await response.json()) as T;
}

/** Cancels a booking by a press, and waits for the message in the channel. */
async function cancelOne(demo: Demo): Promise<string> {
	const since = new Date().toISOString();
	const { id } = await press<{ id: string }>(demo, 'happen', 'bookingCanceled');
	const asked = { table: 'Hospitality Bookings', column: 'bookingNumber', id, name: '', since };
	const query = String(new URLSearchParams(asked));
	const find = async () => {
		const response = await fetch(`${demo.sandbox.info.url}/__page/outcome?${query}`);
		return ((await response.json()) as Outcome).message?.text;
	};
	return await eventually(`the message that ${id} is canceled`, find);
}

/**
 * Waits until a new booking is an email and a row, compares them with the sandbox's own record, then presses _Make a booking_
 * and waits for its mail; then the list of the morning, and _Cancel one_. The demo must have been started with `control`.
 *
 * @throws when they do not come within two minutes of n8n being up
 */
export async function smoke(demo: Demo): Promise<SmokeReport> {
	const { sandbox, inbox, n8n, timeZone } = demo;
	const book = async () =>
		(await sandbox.control<Booking[]>('POST', '/bookings', { count: 1 }))[0] as Booking;
	const mailsOf = async (booking: Booking) => {
		const { date, time, guestName } = expected(booking, timeZone);
		return (await inbox.mails()).filter(({ subject }) =>
			[date, time, guestName].every((part) => subject.includes(part)),
		);
	};
	const rowsOf = async ({ guid }: Booking) =>
		(await tableRows(n8n.client, BOOKINGS_TABLE)).filter((row) => row.guid === guid);
	const booking = await book();
	const left = WITHIN_MS - (performance.now() - demo.n8nUpAt);
	const mail = await eventually('its mail', async () => (await mailsOf(booking))[0], left);
	const row = await eventually('its row', async () => (await rowsOf(booking))[0], left);
	const first = (performance.now() - demo.n8nUpAt) / 1000;
	const pressedAt = performance.now();
	const other = await book();
	await eventually('the mail of another booking', async () => (await mailsOf(other))[0]);
	const pressed = (performance.now() - pressedAt) / 1000;
	const counts = { mails: (await mailsOf(booking)).length, rows: (await rowsOf(booking)).length };
	const wrong = [
		...differences(booking, timeZone, mail, row),
		...Object.entries(counts).flatMap(([what, count]) =>
			count === 1 ? [] : [`${what}: ${count}`],
		),
		...(pressed * 1000 > MAIL_WITHIN_MS
			? [`a mail came ${pressed.toFixed(1)} s after the press`]
			: []),
	];
	const sent = await press<Outcome>(demo, 'arrivals');
	const arrivals = String(sent.mail?.subject);
	const canceled = await cancelOne(demo);
	return { mail, row, arrivals, canceled, seconds: { first, pressed }, wrong };
}
