import ICAL from 'ical.js';
import { DateTime } from 'luxon';
import type { Workflow } from '../../../harness/n8nClient.ts';
import { CANCELED, useGallery } from './support';

const PATH = 'the-calendar';

describe('workflows/bookings-as-a-calendar.json', () => {
	const gallery = useGallery();

	it('gives a calendar that a calendar library reads, each booking at its time, without canceled ones', async () => {
		const start = DateTime.now().plus({ days: 3 }).set({ hour: 18, minute: 30, second: 0, millisecond: 0 });
		const times = { start: start.toISO(), end: start.plus({ hours: 2 }).toUTC().toISO() };
		const { contact } = await gallery.book();
		const booking = await gallery.book({
			...times,
			guests: 1,
			contact: {
				...contact,
				fname: 'Åsa; "the, long"',
				lname: 'Öberg-Wahlström 🦀 of a very long name indeed',
			},
			message: 'Allergic to nuts, shellfish;\nand \\ backslashes',
		});
		const off = await gallery.book(times);
		await gallery.change(off, { status: CANCELED });
		await gallery.publish('bookings-as-a-calendar', { 'A calendar asks': { path: PATH } });
		const response = await fetch(`${gallery.client.url}/webhook/${PATH}`);
		const text = await response.text();
		const calendar = new ICAL.Component(ICAL.parse(text) as unknown[]);
		const events = calendar.getAllSubcomponents('vevent').map((event) => new ICAL.Event(event));
		const [event] = events.filter(({ uid }) => uid === booking.guid);

		expect(response.headers.get('content-type')).toBe('text/calendar; charset=utf-8');
		expect(event?.summary).toBe('Åsa; "the, long" Öberg-Wahlström 🦀 of a very long name indeed, 1 guest');
		expect(event?.description).toContain('Allergic to nuts, shellfish;\nand \\ backslashes');
		expect(event?.startDate.toJSDate().getTime()).toBe(Date.parse(booking.start));
		expect(event?.endDate.toJSDate().getTime()).toBe(Date.parse(booking.end));
		expect(events.map(({ uid }) => uid)).not.toContain(off.guid);
		const lines = text.split('\r\n');
		const octets = lines.map((line) => Buffer.byteLength(line));
		const folded = octets.filter((_, index) => lines[index + 1]?.startsWith(' '));
		expect(Math.max(...octets)).toBeLessThanOrEqual(75);
		// A character of up to four octets may not have fitted.
		expect(Math.min(...folded)).toBeGreaterThan(75 - 4);
		expect(text.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
	});

	it.each([
		['before the clock goes back', '2026-10-24T18:30:00', '2026-10-24T16:30:00.000Z'],
		['after the clock goes back', '2026-10-25T18:30:00', '2026-10-25T17:30:00.000Z'],
	])('reads a time without an offset in the time zone of the workflow %s', async (_, local, utc) => {
		const guid = 'ab0c1a52-6d0e-4b8f-9a44-2f6f0b8f3c01';
		await gallery.respondOnce(200, [{ guid, start: local, end: local, guests: 2, status: 1 }]);
		const path = `the-calendar-of-${local.slice(0, 10)}`;
		const { workflow } = await gallery.load('bookings-as-a-calendar', { 'A calendar asks': { path } });
		const stored = (await gallery.client.request('GET', `/rest/workflows/${workflow.id}`)) as Workflow;
		const zoned = await gallery.client.updateWorkflow(workflow.id, {
			...stored,
			settings: { executionOrder: 'v1', timezone: 'Europe/Stockholm' },
		});
		await gallery.client.activate(zoned);
		const text = await (await fetch(`${gallery.client.url}/webhook/${path}`)).text();
		const [event] = new ICAL.Component(ICAL.parse(text) as unknown[]).getAllSubcomponents('vevent');
		if (!event) throw new Error('The calendar has no event.');

		expect(new ICAL.Event(event).startDate.toJSDate().toISOString()).toBe(utc);
	});
});
