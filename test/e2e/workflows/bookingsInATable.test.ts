import { tableRows } from '../../../demo/table.ts';
import { useGallery } from './support';

const TABLE = 'Hospitality Bookings';
const CANCELED = 5;

describe('workflows/bookings-in-a-table.json', () => {
	const gallery = useGallery(TABLE);

	it('keeps one row per booking: made, changed, marked when it is canceled', async () => {
		await gallery.publish('bookings-in-a-table');
		const booking = await gallery.book({ guests: 2 });
		const ofBooking = (guests: number) => (row: Record<string, unknown>) =>
			row.bookingId === booking.guid && row.guests === guests;
		const [made] = await gallery.rows(TABLE, ofBooking(2));
		await gallery.control('PATCH', `/bookings/${booking.guid}`, { guests: 7 });
		const [changed] = await gallery.rows(TABLE, ofBooking(7));
		await gallery.control('PATCH', `/bookings/${booking.guid}`, { status: CANCELED });
		const [canceled] = await gallery.rows(
			TABLE,
			(row) => row.bookingId === booking.guid && row.canceled === true,
		);
		const rows = await tableRows(gallery.client, TABLE);

		expect(made).toMatchObject({ bookingNumber: booking.globalBookingNumber, canceled: false });
		expect(changed).toMatchObject({ id: made?.id, canceled: false });
		expect(canceled).toMatchObject({ id: made?.id, guests: 7, status: 'Canceled' });
		expect(rows.filter(({ bookingId }) => bookingId === booking.guid)).toHaveLength(1);
	});
});
