import { DateTime } from 'luxon';
import { useGallery } from './support';

const TABLE = 'Hospitality Bookings';

describe('workflows/watchdog.json', () => {
	const gallery = useGallery(TABLE);
	const ago = (minutes: number) => DateTime.utc().minus({ minutes }).toISO();

	it('lists exactly the bookings that the table lacks or has in an old state', async () => {
		const kept = await gallery.book({ createdDate: ago(40), changeDate: ago(40) });
		const old = await gallery.book({ createdDate: ago(40), changeDate: ago(40) });
		const { workflow } = await gallery.publish('bookings-in-a-table', {
			'A booking is made or changes': { options: { eventDetails: true, startFrom: ago(25 * 60) } },
		});
		for (const booking of [kept, old]) await gallery.rowOf(TABLE, booking);
		await gallery.client.deactivate(workflow);
		const missing = await gallery.book({ createdDate: ago(30), changeDate: ago(30) });
		await gallery.change(old, { guests: 9, changeDate: ago(20) });
		await gallery.book();
		const { run } = await gallery.load('watchdog');
		const { status } = await run();
		const [mail] = await gallery.mails(/missing or old in the table/);
		const lines = (mail?.text ?? '').trim().split('\n');

		expect(status).toBe('success');
		expect(mail?.subject).toBe('Bookings missing or old in the table: 2');
		expect(lines).toHaveLength(2);
		expect(mail?.text).toContain(`booking ID ${missing.guid}`);
		expect(mail?.text).toContain(`booking ID ${old.guid}`);
	});

	it('tells that nothing has come for too long', async () => {
		await gallery.respondOnce(200, []);
		const { run } = await gallery.load('watchdog');
		await run();
		const [mail] = await gallery.mails(/^No booking was made or changed for 6 hours$/);

		expect(mail?.text).toContain('There was none in the last 24 hours. Is online booking working?');
	});
});
