import { type TestServer, startServer } from '../../engine/support/server';
import { CANCELED, eventually, useGallery } from './support';

describe('workflows/canceled-booking-offer-table.json', () => {
	const gallery = useGallery();
	const posted: Array<{ text: string }> = [];
	let answers = 200;
	let server: TestServer;

	beforeAll(async () => {
		server = await startServer(({ body }, response) => {
			if (answers === 200) posted.push(JSON.parse(body) as { text: string });
			response.writeHead(answers).end('ok');
		});
		await gallery.publish('canceled-booking-offer-table', {
			'Post it in the channel': { url: `${server.url}/channel` },
		});
	});

	afterAll(async () => await server.close());

	it('posts which table is free again, and nothing for a booking that is over', async () => {
		const over = await gallery.book({ start: '2026-01-01T18:00:00Z', end: '2026-01-01T20:00:00Z' });
		const coming = await gallery.book({ guests: 6 });
		await gallery.change(over, { status: CANCELED });
		await gallery.change(coming, { status: CANCELED });
		const message = await eventually('The message', async () => posted[0]);
		const [table] = coming.articles as Array<{ tableName: string }>;

		expect(message.text).toMatch(new RegExp(`^Free again: ${table?.tableName}.* for 6 guests, \\w+day `));
		expect(posted).toHaveLength(1);
	});

	it('tells by email which message the channel refused, after three tries', async () => {
		answers = 500;
		const booking = await gallery.book();
		await gallery.change(booking, { status: CANCELED });
		const [mail] = await gallery.mails(/^Please look: Canceled booking/);

		expect(mail?.text).toContain(`Booking ${booking.globalBookingNumber}: `);
	});
});
