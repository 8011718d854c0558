import { type TestServer, startServer } from '../../engine/support/server';
import { type Booking, eventually, useGallery } from './support';

const TABLE = 'Hospitality Newsletter';

describe('workflows/newsletter-consent.json', () => {
	const gallery = useGallery(TABLE);
	const list = new Set<string>();
	const seen: string[] = [];
	let service: TestServer;

	beforeAll(async () => {
		service = await startServer(({ method, body }, response) => {
			const { email } = JSON.parse(body) as { email: string };
			seen.push(email);
			if (method === 'POST') list.add(email);
			else list.delete(email);
			response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
		});
		const url = `${service.url}/contacts`;
		await gallery.publish('newsletter-consent', {
			'Add to the list': { url },
			'Take off the list': { url },
		});
	});

	afterAll(async () => await service.close());

	const setConsent = async (booking: Booking, contact: Record<string, unknown>) =>
		await gallery.change(booking, { contact: { ...booking.contact, ...contact } });

	it('sends who agreed, takes off who no longer does, and never sends anybody else', async () => {
		const agreed = await gallery.book();
		const silent = await gallery.book();
		const hostile = await gallery.book();
		await setConsent(agreed, { newsletter: true, email: 'Agreed@Guests.example' });
		await setConsent(silent, { newsletter: false, email: 'silent@guests.example' });
		await setConsent(hostile, { newsletter: true, email: 'one@guests.example, two@guests.example' });
		await eventually('The guest on the list', async () => (list.size > 0 ? list : undefined));
		await gallery.rows(TABLE, ({ email }) => email === 'agreed@guests.example');
		await setConsent(agreed, { newsletter: false, email: 'Agreed@Guests.example' });
		await eventually('The guest off the list', async () => (list.size === 0 ? list : undefined));

		expect(new Set(seen)).toEqual(new Set(['agreed@guests.example']));
	});
});
