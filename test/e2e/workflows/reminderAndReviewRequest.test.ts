import { DateTime } from 'luxon';
import { CANCELED, useGallery } from './support';

describe('workflows/reminder-and-review-request.json', () => {
	const gallery = useGallery();

	const inHours = (start: number, end: number) => ({
		start: DateTime.utc().plus({ hours: start }).toISO(),
		end: DateTime.utc().plus({ hours: end }).toISO(),
	});

	it('reminds each guest once before the booking and asks once for a review after it', async () => {
		await gallery.publish('reminder-and-review-request');
		const { contact } = await gallery.book(inHours(500, 502));
		const guest = (fname: string) => ({
			contact: { ...contact, fname, email: `${fname.toLowerCase()}@example.com` },
		});
		const coming = await gallery.book({ ...inHours(20, 22), ...guest('Reminda') });
		const over = await gallery.book({ ...inHours(-5, -2.001), ...guest('Overton') });
		const off = await gallery.book({ ...inHours(21, 23), ...guest('Offa') });
		await gallery.change(off, { status: CANCELED });
		const silent = await gallery.book({
			...inHours(22, 24),
			contact: { ...contact, fname: 'Silent', email: '' },
		});
		const about = ({ globalBookingNumber }: { globalBookingNumber: string }) =>
			gallery.mails(/^(See you|How was it)/, { text: globalBookingNumber });
		const [reminder] = await about(coming);
		const [review] = await about(over);
		await gallery.change(coming, { guests: 3 });
		const later = await gallery.book({ ...inHours(19, 21), ...guest('Laterna') });
		await about(later);
		const all = await gallery.inbox.mails();
		const to = (email: string) => all.filter((mail) => mail.to.some(({ address }) => address === email));

		expect(reminder?.subject).toMatch(/^See you \w+day, \d\d:\d\d$/);
		expect(reminder?.text).toContain('Dear Reminda');
		expect(review?.subject).toBe('How was it?');
		expect(to('reminda@example.com')).toHaveLength(1);
		expect(to('offa@example.com')).toHaveLength(0);
		expect(all.some((mail) => mail.text.includes(silent.globalBookingNumber))).toBe(false);
	});
});
