import isMatch from 'lodash/isMatch';
import mapValues from 'lodash/mapValues';
import { type GoogleSheet, startGoogleSheet } from './googleSheet';
import { CANCELED, eventually, readable, useGallery } from './support';

/** Google's service is a stand-in on this machine; n8n's node is n8n's own. */
describe('workflows/bookings-in-google-sheets.json', () => {
	const gallery = useGallery();
	let sheet: GoogleSheet;

	beforeAll(async () => {
		sheet = await startGoogleSheet();
	});

	afterAll(() => sheet.close());

	it('keeps one line per booking: made, changed, marked when it is canceled', async () => {
		await gallery.publish('bookings-in-google-sheets', {
			'Save or update its line': { documentId: { __rl: true, mode: 'id', value: 'the-document' } },
		});
		const booking = await gallery.book({ guests: 2 });
		const line = (what: string, wanted: Record<string, string>) =>
			eventually(what, async () =>
				sheet
					.lines()
					.find((one) => isMatch(mapValues(one, String), { 'Booking ID': booking.guid, ...wanted })),
			);
		const made = await line('The new booking', { Guests: '2' });
		await gallery.change(booking, { guests: 7 });
		await line('The change', { Guests: '7' });
		await gallery.change(booking, { status: CANCELED });
		const canceled = await line('The cancellation', { Canceled: 'true' });

		const { fname, lname, email } = booking.contact;
		expect(made).toMatchObject({
			'Booking Number': booking.globalBookingNumber,
			Start: readable(booking.start),
			'Guest Name': `${fname} ${lname}`,
			Email: email,
		});
		expect(canceled).toMatchObject({ Guests: 7, Status: 'Canceled' });
		expect(sheet.lines().filter((one) => one['Booking ID'] === booking.guid)).toHaveLength(1);
	});
});
