import { randomUUID } from 'node:crypto';
import times from 'lodash/times';
import { tableRows } from '../../../dev/demo/table.ts';
import type { JsonObject } from '../../../dev/n8nClient.ts';
import { type TestServer, startServer } from '../../engine/support/server';
import { eventually } from '../../support/progress';
import { type Booking, POLLS_OFTEN, useGallery } from './support';
import { tryAllAtOnce } from './tried';

const TABLE = 'Hospitality Newsletter';
const NAME = 'newsletter-consent';

const gallery = useGallery(TABLE);
/** The list of the mail service, and each call that it got. */
const list = new Map<string, JsonObject>();
const calls: string[] = [];
let isDown = false;
let service: TestServer;

beforeAll(async () => {
	service = await startServer(({ method, body }, response) => {
		const contact = JSON.parse(body) as { email: string };
		calls.push(`${method} ${contact.email}`);
		if (isDown) return response.writeHead(500).end();
		if (method === 'POST') list.set(contact.email, contact);
		else list.delete(contact.email);
		return response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
	});
	await agree('before');
	const url = `${service.url}/contacts`;
	const services = { 'Add to the list': { url }, 'Take off the list': { url } };
	await gallery.publish(NAME, { ...services, 'A booking is new or changed': POLLS_OFTEN });
});

afterAll(async () => await service.close());

const addressOf = (name: string) => `${name}@guests.example`;
const setContact = async (booking: Booking, contact: JsonObject) =>
	await gallery.change(booking, { contact: { ...booking.contact, ...contact } });

let guests = 1_000_000;

/** A guest of their own books and agrees, unless `fields` say otherwise. */
async function agree(name: string, fields: JsonObject = {}): Promise<Booking> {
	const booked = await gallery.book();
	const booking = { ...booked, contact: { ...booked.contact, id: ++guests } };
	await setContact(booking, { newsletter: true, email: addressOf(name), ...fields });
	return booking;
}
const isListed = async (name: string, expected = true) =>
	await eventually(
		`${name} ${expected ? 'on' : 'off'} the list`,
		() => list.has(addressOf(name)) === expected,
	);
/** Waits until whatever came before has been dealt with. @returns what the mail service was asked about a guest */
async function asked(...names: string[]): Promise<string[]> {
	const last = `last-${randomUUID()}`;
	await agree(last);
	await isListed(last);
	return calls.filter((call) => names.some((name) => call.includes(name)));
}

tryAllAtOnce({
	[NAME]: {
		'nothing found': async () => {
			await agree('silent', { newsletter: false });
			await agree('empty', { newsletter: null });
			await agree('mute', { newsletter: true, email: '' });
			expect(await asked('silent', 'empty', 'mute', 'POST @')).toEqual([]);
		},
		'one found': async () => {
			const booking = await agree('to-and-fro', { email: 'To-And-Fro@Guests.example' });
			await isListed('to-and-fro');
			await gallery.rows(TABLE, ({ email }) => email === addressOf('to-and-fro'));
			for (const newsletter of [false, true, false]) {
				await setContact(booking, { newsletter, email: addressOf('to-and-fro') });
				await isListed('to-and-fro', newsletter);
			}
			await eventually('no row', async () => {
				const rows = await tableRows(gallery.client, TABLE);
				return rows.every(({ email }) => email !== addressOf('to-and-fro'));
			});
			const moved = await agree('earlier');
			const silent = await agree('reachable');
			await isListed('earlier');
			await isListed('reachable');
			await setContact(moved, { newsletter: true, email: addressOf('later') });
			await setContact(silent, { newsletter: false, email: '' });
			await isListed('later');
			await isListed('earlier', false);
			await isListed('reachable', false);
		},
		'many found': async () => {
			const names = times(12, (index) => `many-${index}`);
			const bookings = [];
			for (const name of names) bookings.push(await agree(name));
			for (const name of names) await isListed(name);
			for (const name of names) await gallery.rows(TABLE, ({ email }) => email === addressOf(name));
			// Who has left the list at the mail service is not put on it again by the next change.
			list.delete(addressOf('many-0'));
			for (const booking of bookings) await gallery.change(booking, { guests: booking.guests + 1 });
			expect(await asked('many-')).toHaveLength(names.length);
		},
		'another language': async () => {
			await agree('åsa', { fname: ' Åsa\n', lname: 'Öberg-Żółć' });
			await isListed('åsa');
			expect(list.get(addressOf('åsa'))).toMatchObject({ firstName: 'Åsa', lastName: 'Öberg-Żółć' });
		},
		'a guest who wishes ill': async () => {
			await agree('two', { email: 'two@guests.example, other@guests.example' });
			await agree('quoted', { email: '"quoted"@guests.example' });
			await agree('text', { newsletter: 'true' });
			await agree('formula', { fname: '","email":"other@guests.example' });
			await isListed('formula');
			expect(await asked('two', 'other', 'quoted', 'text')).toEqual([]);
		},
		'an outage': async () => {
			isDown = true;
			const booking = await agree('patient');
			await gallery.mails(/^Please look: Newsletter/, { text: addressOf('patient') });
			isDown = false;
			await gallery.change(booking, { guests: booking.guests + 1 });
			await isListed('patient');
			expect((await tableRows(gallery.client, TABLE)).map(({ email }) => email)).toContain(
				addressOf('patient'),
			);
		},
		'the first day': async () => {
			expect(await asked('before')).toEqual([]);
		},
	},
});
