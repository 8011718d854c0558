import { tableRows } from '../../../demo/table.ts';
import { CANCELED, useGallery } from './support';

const TABLE = 'Hospitality Bookings';

describe('workflows/bookings-in-a-table.json', () => {
	const gallery = useGallery(TABLE);

	it('keeps one row per booking: made, changed, marked when it is canceled', async () => {
		await gallery.publish('bookings-in-a-table');
		const booking = await gallery.book({ guests: 2 });
		const made = await gallery.rowOf(TABLE, booking, { guests: 2 });
		await gallery.change(booking, { guests: 7 });
		const changed = await gallery.rowOf(TABLE, booking, { guests: 7 });
		await gallery.change(booking, { status: CANCELED });
		const canceled = await gallery.rowOf(TABLE, booking, { canceled: true });
		const rows = await tableRows(gallery.client, TABLE);

		expect(made).toMatchObject({ bookingNumber: booking.globalBookingNumber, canceled: false });
		expect(changed).toMatchObject({ id: made.id, canceled: false });
		expect(canceled).toMatchObject({ id: made.id, guests: 7, status: 'Canceled' });
		expect(rows.filter(({ bookingId }) => bookingId === booking.guid)).toHaveLength(1);
	});
});
