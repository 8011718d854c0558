import { DateTime } from 'luxon';
import { useGallery } from './support';

const BOOKINGS = 'Hospitality Bookings';
const NEW_BOOKINGS = 'Hospitality New Bookings';
const ANSWERS = 'Hospitality Survey Answers';
const REMOVED = { guestName: '(removed)', email: '', phone: '', message: '' };

describe('workflows/forget-old-guests.json', () => {
	const gallery = useGallery(BOOKINGS, NEW_BOOKINGS, ANSWERS);
	const daysAgo = (days: number) => DateTime.utc().minus({ days });
	const ended = (days: number) => ({
		start: daysAgo(days).minus({ hours: 2 }).toISO(),
		end: daysAgo(days).toISO(),
	});

	it('removes guests from rows older than 90 days, and from no other', async () => {
		await gallery.publish('bookings-in-a-table');
		await gallery.publish('new-booking-to-email-and-row');
		const old = await gallery.book({ ...ended(91), message: 'One of us is allergic to nuts.' });
		const recent = await gallery.book({ ...ended(89), message: 'Two high chairs, please.' });
		const coming = await gallery.book();
		for (const table of [BOOKINGS, NEW_BOOKINGS])
			for (const booking of [old, recent, coming]) await gallery.rowOf(table, booking);
		const { run } = await gallery.load('forget-old-guests');
		const first = await run();
		const again = await run();

		expect([first.status, again.status]).toEqual(['success', 'success']);
		for (const table of [BOOKINGS, NEW_BOOKINGS]) {
			expect(await gallery.rowOf(table, old)).toMatchObject({ ...REMOVED, guests: old.guests });
			expect(await gallery.rowOf(table, recent)).toMatchObject({ message: 'Two high chairs, please.' });
			expect(await gallery.rowOf(table, coming)).toMatchObject({ email: coming.contact.email });
		}
	});
});
