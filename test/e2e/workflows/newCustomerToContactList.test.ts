import { eventually, useGallery } from './support';

const TABLE = 'Hospitality Contact List';

interface Connection {
	customerId: number;
	contactId: number;
}

describe('workflows/new-customer-to-contact-list.json', () => {
	const gallery = useGallery(TABLE);

	it('adds a new customer to the list and connects it to the guests who booked for it', async () => {
		await gallery.publish('new-customer-to-contact-list');
		const email = 'anna@nordic-travel.example';
		const customer = { id: 990_001, name: 'Nordic Travel' };
		const byCustomer = await gallery.book({ customer });
		const again = await gallery.book({ customer, contact: byCustomer.contact });
		const byEmail = await gallery.book({ customer: null });
		await gallery.change(byEmail, { contact: { ...byEmail.contact, email } });
		await gallery.control('POST', '/customers', { ...customer, email });
		const [row] = await gallery.rows(TABLE, ({ customerId }) => customerId === 990_001);
		const contacts = [...new Set([byCustomer.contact.id, byEmail.contact.id])];
		const connections = await eventually('The connections', async () => {
			const all = await gallery.control<Connection[]>('GET', '/state/connections');
			const found = all.filter(({ customerId }) => customerId === 990_001);
			return found.length >= contacts.length ? found : undefined;
		});

		expect(again.contact.id).toBe(byCustomer.contact.id);
		expect(row).toMatchObject({ name: 'Nordic Travel', email });
		expect(connections.map(({ contactId }) => contactId).sort()).toEqual(contacts.sort());
	});
});
