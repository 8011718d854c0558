import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { type Booking, useGallery } from './support';

const CANCELED = 5;

describe('workflows/booking-tools-for-ai-agents.json', () => {
	const gallery = useGallery();
	let agent: Client;

	beforeAll(async () => {
		await gallery.publish('booking-tools-for-ai-agents');
		agent = new Client({ name: 'test-agent', version: '1.0.0' });
		const address = new URL(`${gallery.client.url}/mcp/hospitality-bookings`);
		await agent.connect(new StreamableHTTPClientTransport(address));
	});

	afterAll(() => agent?.close());

	async function call(name: string, given: Record<string, unknown>): Promise<string> {
		const { content } = await agent.callTool({ name, arguments: given });
		return (content as Array<{ text?: string }>).map(({ text }) => text ?? '').join('');
	}

	const statusOf = async ({ guid }: Booking) => {
		const all = await gallery.control<Array<{ web: Booking }>>('GET', '/state/bookings');
		return all.find(({ web }) => web.guid === guid)?.web.status;
	};

	it('offers to list, to find and to cancel, and says that canceling needs a yes', async () => {
		const { tools } = await agent.listTools();
		const byName = new Map(tools.map((tool) => [tool.name, tool]));

		expect([...byName.keys()].sort()).toEqual(['Cancel_booking', 'Find_booking', 'List_bookings']);
		expect(byName.get('Cancel_booking')?.description).toContain('only after they have said yes');
		expect(Object.keys(byName.get('Find_booking')?.inputSchema.properties ?? {})).toEqual(['words']);
	});

	it('lists the bookings of a period and finds one by a part of the name', async () => {
		const contact = { fname: 'Zebedee', lname: 'Quill', email: 'zebedee@example.com' };
		const other = await gallery.book();
		const booking = await gallery.book({ contact: { ...other.contact, ...contact } });
		const listed = await call('List_bookings', {
			from: booking.start,
			until: new Date(Date.parse(booking.end)).toISOString(),
		});
		const found = await call('Find_booking', { words: 'zebedee q' });

		expect(listed).toContain(booking.guid);
		expect(found).toContain(booking.guid);
		expect(found).toContain(booking.globalBookingNumber);
		expect(found).not.toContain(other.guid);
	});

	it('cancels only what a person has confirmed', async () => {
		const booking = await gallery.book();
		const refused = await call('Cancel_booking', { confirmed: false, guid: booking.guid });
		const before = await statusOf(booking);
		const done = await call('Cancel_booking', { confirmed: true, guid: booking.guid });

		expect(refused).toContain('not confirmed by the person');
		expect(before).not.toBe(CANCELED);
		expect(done).toContain(booking.guid);
		expect(await statusOf(booking)).toBe(CANCELED);
	});
});
