import { setTimeout as sleep } from 'node:timers/promises';
import { DateTime } from 'luxon';
import type { JsonObject } from '../n8nClient.ts';
import type { Mail } from './inbox.ts';
import { sheetRows } from './sheet.ts';
import type { Demo } from './stack.ts';
import { tableRows } from './table.ts';

/** From n8n being up until a new booking is an email, a row and a line. */
const SMOKE_WITHIN_MS = 120_000;
/** The second one shows that the next row goes below the first. */
const BOOKINGS = 2;
const LOOK_EVERY_MS = 1_000;

/** The data tables that the demo's workflows fill. */
export const BOOKINGS_TABLE = 'Hospitality New Bookings';
export const CUSTOMERS_TABLE = 'Hospitality Contact List';

interface Booking {
	guid: string;
	globalBookingNumber: string;
	start: string;
	end: string;
	guests: number;
	contact?: { fname?: string; lname?: string; email?: string } | null;
}

interface Customer {
	id: number;
	name: string;
	customerNumber: string;
	city: string;
}

/** One booking of the service and what became of it. */
export interface SeenBooking {
	booking: Booking;
	mail: Mail;
	/** Of the data table. */
	row: JsonObject;
	/** Of the CSV file. */
	line: Record<string, string>;
}

/** What the demo's main job came to, as seen from outside: in the inbox, in the tables and in the file. */
export interface SmokeReport {
	bookings: SeenBooking[];
	customer: Customer;
	customerRow: JsonObject;
	/** Seconds from n8n being up until everything was there. */
	seconds: number;
	/** What is not as the sandbox's own records say; empty when all is right. */
	wrong: string[];
}

function compare(what: string, expected: JsonObject, row: JsonObject): string[] {
	return Object.entries(expected)
		.filter(([column, value]) => String(row[column]) !== String(value ?? ''))
		.map(
			([column, value]) =>
				`${what}: ${column} is "${String(row[column])}", the booking service has "${String(value)}"`,
		);
}

/** A time as the workflows write it for people, in the zone of the demo's credential. */
function readable(time: string): string {
	return DateTime.fromISO(time, { zone: 'utc' }).toFormat('yyyy-MM-dd HH:mm');
}

function compareMail(mail: Mail, booking: Booking): string[] {
	const start = readable(booking.start);
	const expected = [
		booking.globalBookingNumber,
		`${booking.contact?.fname} ${booking.contact?.lname}`,
		`Guests:   ${booking.guests}`,
		start,
	];
	return [
		...expected.filter((part) => !mail.text.includes(part)).map((part) => `mail: the text lacks "${part}"`),
		...(mail.subject === `New booking for ${booking.guests} on ${start} (${booking.globalBookingNumber})`
			? []
			: [`mail: the subject is "${mail.subject}"`]),
	];
}

function repeated(what: string, ids: string[]): string[] {
	const twice = ids.filter((id, index) => ids.indexOf(id) !== index);
	return [...new Set(twice)].map((id) => `${what}: ${id} is there more than once`);
}

function bookingId(mail: Mail): string | undefined {
	return /^Booking ID: (\S+)/m.exec(mail.text)?.[1];
}

/** The mails that are about a booking; answers with a low score are mailed, too. */
async function bookingMails(demo: Demo): Promise<Mail[]> {
	return (await demo.inbox.mails()).filter((mail) => bookingId(mail) !== undefined);
}

/** The bookings that have a mail, a row and a line. */
async function findBookings(demo: Demo, noted: Map<string, Booking>): Promise<SeenBooking[]> {
	const rows = await tableRows(demo.n8n.client, BOOKINGS_TABLE);
	const lines = sheetRows(demo.bookingSheet);
	const seen: SeenBooking[] = [];
	for (const mail of await bookingMails(demo)) {
		const id = bookingId(mail);
		const row = rows.find((candidate) => candidate.bookingId === id);
		const line = lines.find((candidate) => candidate['Booking ID'] === id);
		if (id === undefined || !row || !line) continue;
		const booking = noted.get(id);
		if (!booking)
			throw new Error(`The booking service has no new booking ${id}, but there are a mail and a row.`);
		seen.push({ booking, mail, row, line });
	}
	return seen;
}

function compareBooking({ booking, mail, row, line }: SeenBooking): string[] {
	const { globalBookingNumber, start, end, guests, contact } = booking;
	const guestName = `${contact?.fname} ${contact?.lname}`;
	return [
		...compareMail(mail, booking),
		...compare(
			'row',
			{
				bookingNumber: globalBookingNumber,
				start: readable(start),
				end: readable(end),
				guests,
				guestName,
				email: contact?.email,
			},
			row,
		),
		// The file follows later changes of the booking, of which the guests are one.
		...compare(
			'line',
			{ 'Booking Number': globalBookingNumber, Start: readable(start), 'Guest Name': guestName },
			line,
		),
	];
}

/** Notes bookings as they were when they came: the sandbox goes on changing them. */
async function noteNewBookings(demo: Demo, noted: Map<string, Booking>): Promise<void> {
	const query = new URLSearchParams({ changedFrom: demo.startedAt.toISOString(), includeContact: 'true' });
	const list = (await demo.sandbox.read(
		`/api/booking/v1/WebBooking/WebBookings?${query.toString()}`,
	)) as Booking[];
	for (const booking of list) if (!noted.has(booking.guid)) noted.set(booking.guid, booking);
}

/** The last failed execution of the demo's workflows in words, to say why nothing came. */
async function lastFailure(demo: Demo): Promise<string> {
	for (const workflow of demo.workflows) {
		const failed = (await demo.n8n.client.executions(workflow.id)).find((one) => one.status === 'error');
		if (!failed) continue;
		const { error } = await demo.n8n.client.execution(failed.id);
		return ` The last failed execution of "${workflow.name}" says: ${error?.message} ${error?.description ?? ''}`;
	}
	return ' No execution of the workflows has failed.';
}

/**
 * Waits until two bookings that have arrived since are each an email, a row and a line, and a new customer is a row, then
 * compares them with the sandbox's own records. The demo must have been started with `control`.
 *
 * @throws when they are not there two minutes after n8n was up
 */
export async function smoke(demo: Demo): Promise<SmokeReport> {
	const { client } = demo.n8n;
	const created = await demo.sandbox.control<Customer | Customer[]>('POST', '/customers', {});
	const customer = Array.isArray(created) ? created[0] : created;
	if (!customer) throw new Error('The sandbox created no customer.');
	const noted = new Map<string, Booking>();
	for (;;) {
		await noteNewBookings(demo, noted);
		const bookings = await findBookings(demo, noted);
		const customerRow = (await tableRows(client, CUSTOMERS_TABLE)).find(
			(row) => row.customerId === customer.id,
		);
		if (bookings.length >= BOOKINGS && customerRow) {
			const { customerNumber, name, city } = customer;
			return {
				bookings,
				customer,
				customerRow,
				seconds: (performance.now() - demo.n8nUpAt) / 1000,
				wrong: [
					...bookings.flatMap(compareBooking),
					...compare('customer row', { customerNumber, name, city }, customerRow),
					...repeated(
						'mail',
						(await bookingMails(demo)).map((mail) => bookingId(mail) ?? ''),
					),
					...repeated(
						'row',
						(await tableRows(client, BOOKINGS_TABLE)).map((row) => String(row.bookingId)),
					),
					...repeated(
						'line',
						sheetRows(demo.bookingSheet).map((line) => line['Booking ID'] ?? ''),
					),
				],
			};
		}
		if (performance.now() - demo.n8nUpAt > SMOKE_WITHIN_MS) {
			const missing = [
				...(bookings.length >= BOOKINGS
					? []
					: [`mails, rows and lines of ${BOOKINGS} new bookings (${bookings.length} came)`]),
				...(customerRow ? [] : ['the row of a new customer']),
			];
			throw new Error(
				`${missing.join(' and ')} did not come within ${SMOKE_WITHIN_MS / 1000} s of n8n being up.${await lastFailure(demo)}`,
			);
		}
		await sleep(LOOK_EVERY_MS);
	}
}
