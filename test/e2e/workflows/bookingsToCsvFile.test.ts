import { join } from 'node:path';
import { sheetRows } from '../../../demo/sheet.ts';
import { eventually, useGallery } from './support';

describe('workflows/bookings-to-csv-file.json', () => {
	const gallery = useGallery();

	it('writes the bookings of the next 30 days anew with each change', async () => {
		await gallery.publish('bookings-to-csv-file');
		const file = join(gallery.filesFolder, 'bookings.csv');
		const line = (id: string, guests: string) =>
			eventually(`The line of ${id}`, async () =>
				sheetRows(file).find((row) => row['Booking ID'] === id && row.Guests === guests),
			);
		const booking = await gallery.book({ guests: 3, message: 'Two lines,\nand a "quote"' });
		const made = await line(booking.guid, '3');
		await gallery.change(booking, { guests: 6 });
		await line(booking.guid, '6');
		const rows = sheetRows(file);

		expect(made).toMatchObject({
			'Booking Number': booking.globalBookingNumber,
			'Guest Name': `${booking.contact.fname} ${booking.contact.lname}`,
			Message: 'Two lines,\nand a "quote"',
		});
		expect(rows.filter((row) => row['Booking ID'] === booking.guid)).toHaveLength(1);
		expect(rows.length).toBeGreaterThan(5);
	});
});
