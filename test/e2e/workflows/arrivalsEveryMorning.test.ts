import { DateTime } from 'luxon';
import { CANCELED, useGallery } from './support';

describe('workflows/arrivals-every-morning.json', () => {
	const gallery = useGallery();
	const at = (hour: number) => {
		const start = DateTime.now().set({ hour, minute: 15, second: 0, millisecond: 0 });
		return { start: start.toUTC().toISO(), end: start.plus({ hours: 2 }).toUTC().toISO() };
	};

	it("mails the day's arrivals by time, without those that are canceled", async () => {
		const late = await gallery.book({ ...at(21), guests: 8, message: 'Nuts <b>kill</b> us & you' });
		const early = await gallery.book({ ...at(11), guests: 2 });
		const canceled = await gallery.book({ ...at(12), message: 'This one is off' });
		await gallery.change(canceled, { status: CANCELED });
		const { run } = await gallery.load('arrivals-every-morning');
		const { status } = await run();
		const [mail] = await gallery.mails(/^Arrivals /);
		const html = mail?.html ?? '';

		expect(status).toBe('success');
		expect(html).toContain('21:15 · 8 guests');
		expect(html).toContain('Nuts &lt;b>kill&lt;/b> us &amp; you');
		expect(html.indexOf(early.contact.lname)).toBeGreaterThan(0);
		expect(html.indexOf('11:15 · 2 guests')).toBeLessThan(html.indexOf('21:15 · 8 guests'));
		expect(html).toContain(late.contact.lname);
		expect(html).not.toContain('This one is off');
	});

	it('says so when nobody has booked', async () => {
		await gallery.respondOnce(200, []);
		const { run } = await gallery.load('arrivals-every-morning');
		await run();
		const mails = await gallery.mails(/^Arrivals /, { count: 2 });

		expect(mails.at(-1)?.html).toContain('Nobody has booked for today.');
	});
});
