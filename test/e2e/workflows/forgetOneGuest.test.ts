import { randomUUID } from 'node:crypto';
import times from 'lodash/times';
import { addRows, dropTable, tableRows } from '../../../dev/demo/table.ts';
import type { JsonObject, Workflow } from '../../../dev/n8nClient.ts';
import { formUrl, type Page, sendForm } from './form';
import { type Booking, LIST, useGallery } from './support';
import { tryAll } from './tried';

const BOOKINGS = 'Hospitality Bookings';
const HOUSES = 'Hospitality Houses';
const NEWSLETTER = 'Hospitality Newsletter';
const YES = 'Yes, delete it';

const gallery = useGallery(BOOKINGS, HOUSES, NEWSLETTER);
let url: string;

beforeAll(async () => {
	url = await formUrl(gallery, await gallery.publish('forget-one-guest'));
});

afterEach(() => gallery.respondAsUsual());

/** Enters an address in the form. */
async function look(email: string, form = url): Promise<Page> {
	const data = new FormData();
	data.append('field-0', email);
	return await sendForm(form, data);
}

/** The form of somebody who has switched on what needs a key for n8n's API. */
async function withExecutions(): Promise<string> {
	const { client } = gallery;
	const scopes = ['execution:list', 'execution:read', 'execution:delete'];
	const { rawApiKey } = (await client.request('POST', '/rest/api-keys', {
		...{ label: randomUUID(), scopes, expiresAt: null },
	})) as { rawApiKey: string };
	const api = { apiKey: rawApiKey, baseUrl: `${client.url}/api/v1` };
	const { id, name } = await client.putCredential('Gallery', 'n8nApi', api);
	const { workflow } = await gallery.load('forget-one-guest');
	const stored = (await client.request('GET', `/rest/workflows/${workflow.id}`)) as Workflow;
	const nodes = stored.nodes.map((node) =>
		node.type === 'n8n-nodes-base.n8n'
			? { ...node, disabled: false, credentials: { n8nApi: { id, name } } }
			: node,
	);
	const changed = await client.updateWorkflow(workflow.id, { ...stored, nodes });
	await client.activate(changed);
	return await formUrl(gallery, changed);
}

/** Gives a guest with an address of her own a booking, a row for each booking, house and newsletter. */
async function guest(fields: JsonObject = {}) {
	const email = `${randomUUID()}@example.com`;
	const { contact } = await gallery.book();
	const booking = await gallery.book({ contact: { ...contact, email } });
	const row = { bookingId: booking.guid, guestName: 'Anna Lind', email, ...fields };
	await addRows(gallery.client, BOOKINGS, [row]);
	return { email, booking, row };
}
const ofHouse = ({ guid }: Booking) => ({ house: 'Hill', guestName: 'Anna Lind', bookingId: guid });
const kept = async (table: string, column: string, value: unknown) =>
	(await tableRows(gallery.client, table)).filter((row) => row[column] === value);

tryAll({
	'forget-one-guest': {
		'nothing found': async () => {
			await guest();
			const { text } = await look('nobody@example.com');
			expect(text).toContain('Nothing was found');
			expect(text).toContain('Emails that were sent');
		},
		'one found': async () => {
			const { email, booking } = await guest();
			const other = await guest();
			await addRows(gallery.client, HOUSES, [ofHouse(booking), ofHouse(other.booking)]);
			await addRows(gallery.client, NEWSLETTER, [{ email, since: '2026-01-01' }]);
			const shown = await look(` ${email.toUpperCase()} `);
			for (const line of [`${BOOKINGS}: 1 row (Anna Lind)`, `${HOUSES}: 1 row`, `${NEWSLETTER}: 1 row`])
				expect(shown.text).toContain(line);
			expect((await shown.answer('No, keep it')).text).toContain('Nothing was deleted');
			expect(await kept(BOOKINGS, 'email', email)).toHaveLength(1);

			const { text } = await (await look(email)).answer(YES);
			expect(text).toContain('3 rows deleted');
			expect(text).toContain(`Booking service: ${booking.globalBookingNumber}`);
			expect(text).toContain(`take ${email} off the list`);
			for (const table of [BOOKINGS, NEWSLETTER]) expect(await kept(table, 'email', email)).toEqual([]);
			expect(await kept(HOUSES, 'bookingId', booking.guid)).toEqual([]);
			expect(await kept(BOOKINGS, 'email', other.email)).toHaveLength(1);
			expect(await kept(HOUSES, 'bookingId', other.booking.guid)).toHaveLength(1);
		},
		'many found': async () => {
			const { email, booking, row } = await guest();
			const other = await guest();
			await addRows(
				gallery.client,
				BOOKINGS,
				times(150, (index) => ({ ...row, bookingId: `older-${index}`, email: `${email}, b@example.com` })),
			);
			const executions = [];
			for (const { guid } of [booking, other.booking]) {
				await gallery.respondAsUsual();
				await gallery.respond(LIST, 200, [gallery.sample({ guid })]);
				executions.push(await gallery.run('check-my-account'));
			}
			await gallery.respondAsUsual();
			const [own, others] = executions.map(({ id }) => id);
			const shown = await look(email, await withExecutions());
			expect(shown.text).toMatch(new RegExp(`Executions of n8n:[\\d, ]* ${own}\\b`));
			const { text } = await shown.answer(YES);
			expect(text).toContain('151 rows deleted');
			expect(text).toMatch(/And \d+ executions? of n8n/);
			await expect(gallery.client.execution(String(own))).rejects.toThrow();
			expect((await gallery.client.execution(String(others))).id).toBe(others);
		},
		'another language': async () => {
			const { row } = await guest({ guestName: 'Zoë Åström' });
			await addRows(gallery.client, BOOKINGS, [{ ...row, bookingId: 'å', email: 'ZOË@EXÄMPLE.SE' }]);
			const shown = await look('zoë@exämple.se');
			expect(shown.text).toContain('1 row (Zoë Åström)');
			expect((await shown.answer(YES)).text).toContain('1 row deleted');
		},
		'a guest who wishes ill': async () => {
			const { email } = await guest({ guestName: '<img src=x onerror=alert(1)>' });
			const longer = await guest();
			const { row } = longer;
			await addRows(gallery.client, BOOKINGS, [
				{ ...row, bookingId: 'x', email: `x${email}` },
				{ ...row, bookingId: 'y', email: `${email}.au` },
				{ ...row, bookingId: '', email: '%' },
			]);
			const strangers = await fetch(url, { method: 'POST', body: new FormData() });
			const shown = await look(email);
			const text = (await shown.answer(YES)).text;

			expect(strangers.status).toBe(401);
			expect(shown.text).not.toContain('<img');
			expect(text).toContain('1 row deleted');
			expect((await look('%')).text).toContain('1 row');
		},
		'an outage': async () => {
			const { email } = await guest();
			await gallery.respond('/api/', 500);
			const { text } = await look(email);
			expect(text).toContain('Nothing was deleted');
			expect(text).toContain('The bookings cannot be read.');
			expect(await kept(BOOKINGS, 'email', email)).toHaveLength(1);
		},
		'the first day': async () => {
			for (const table of [BOOKINGS, HOUSES, NEWSLETTER]) await dropTable(gallery.client, table);
			const { email, booking } = await guest();
			await dropTable(gallery.client, BOOKINGS);
			const { text } = await look(email);
			expect(text).toContain('Nothing was found');
			expect(text).toContain(booking.globalBookingNumber);
		},
	},
});
