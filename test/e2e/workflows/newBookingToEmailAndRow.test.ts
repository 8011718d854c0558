import { readable, useGallery } from './support';

const TABLE = 'Hospitality New Bookings';

describe('workflows/new-booking-to-email-and-row.json', () => {
	const gallery = useGallery(TABLE);

	it('makes a new booking an email and a row', async () => {
		await gallery.publish('new-booking-to-email-and-row');
		const booking = await gallery.book({ message: 'A table by the window', guests: 4 });
		const row = await gallery.rowOf(TABLE, booking);
		const [mail] = await gallery.mails(/^New booking for 4 on /);

		expect(row).toMatchObject({
			bookingNumber: booking.globalBookingNumber,
			start: readable(booking.start),
			end: readable(booking.end),
			guests: 4,
			guestName: `${booking.contact.fname} ${booking.contact.lname}`,
			message: 'A table by the window',
		});
		expect(mail?.text).toContain(`New booking ${booking.globalBookingNumber}`);
		expect(mail?.text).toContain(readable(booking.start));
		expect(mail?.text).toContain('A table by the window');
		expect(mail?.to).toEqual([expect.objectContaining({ address: 'kitchen@example.com' })]);
	});

	it('tells by email that the service refuses to answer, and goes on when it answers again', async () => {
		await gallery.respondOnce(403);
		const [mail] = await gallery.mails(/^Please look: New booking to email and row$/);
		const booking = await gallery.book({ guests: 5 });
		const row = await gallery.rowOf(TABLE, booking);

		expect(mail?.text).toContain('403');
		expect(row).toMatchObject({ guests: 5 });
	});
});
