import { type Agent, connectAgent } from '../support/agent';
import { CANCELED, useGallery } from './support';

describe('workflows/booking-tools-for-ai-agents.json', () => {
	const gallery = useGallery();
	let agent: Agent;

	beforeAll(async () => {
		await gallery.publish('booking-tools-for-ai-agents');
		agent = await connectAgent('hospitality-bookings');
	});

	afterAll(() => agent?.close());

	it('offers to list, to find and to cancel, and says that canceling needs a yes', async () => {
		const byName = await agent.tools();

		expect([...byName.keys()].sort()).toEqual(['Cancel_booking', 'Find_booking', 'List_bookings']);
		expect(byName.get('Cancel_booking')?.description).toContain('only after they have said yes');
		expect(Object.keys(byName.get('Find_booking')?.inputSchema.properties ?? {})).toEqual(['words']);
	});

	it('lists the bookings of a period and finds one by a part of the name', async () => {
		const contact = { fname: 'Zebedee', lname: 'Quill', email: 'zebedee@example.com' };
		const other = await gallery.book();
		const booking = await gallery.book({ contact: { ...other.contact, ...contact } });
		const listed = await agent.call('List_bookings', {
			from: booking.start,
			until: new Date(Date.parse(booking.end)).toISOString(),
		});
		const found = await agent.call('Find_booking', { words: 'zebedee q' });

		expect(listed).toContain(booking.guid);
		expect(found).toContain(booking.guid);
		expect(found).toContain(booking.globalBookingNumber);
		expect(found).not.toContain(other.guid);
	});

	it('cancels only what a person has confirmed', async () => {
		const booking = await gallery.book();
		const refused = await agent.call('Cancel_booking', { confirmed: false, guid: booking.guid });
		const before = (await gallery.stored(booking)).web.status;
		const done = await agent.call('Cancel_booking', { confirmed: true, guid: booking.guid });

		expect(refused).toContain('not confirmed by the person');
		expect(before).not.toBe(CANCELED);
		expect(done).toContain(booking.guid);
		expect((await gallery.stored(booking)).web.status).toBe(CANCELED);
	});
});
