import times from 'lodash/times';
import type { Execution, JsonObject } from '../../../dev/n8nClient.ts';
import { AS_TEXT, AVBOKAD, entered, guest, LIST, NO_ROLES, PATTERNS, useGallery, visitIn } from './support';
import { tryAll } from './tried';

const TABLE = 'Hospitality Houses';
const NAME = 'several-restaurants';

const gallery = useGallery(TABLE);

afterEach(async () => {
	await gallery.respondAsUsual();
	await gallery.putAccount();
});

/** A booking of today, by the restaurant's clock. */
const today = (hour: number, minute: number, fields: JsonObject = {}) =>
	gallery.sample({ ...visitIn(0, hour, minute), status: 2, history: [], guests: 2, ...fields });

/** The morning mail, and how the run ended. */
async function morning(houses: string) {
	const { run } = await gallery.load(NAME, { 'Enter your houses': entered({ houses }) });
	let ended: Execution | undefined;
	const [mail] = await gallery.mailsOf(/^Today/, async () => (ended = await run()));
	return { status: ended?.status, error: ended?.error, subject: mail?.subject, html: mail?.html ?? '' };
}
const one = async (bookings: JsonObject[], name = 'Hill') => {
	await gallery.respond(LIST, 200, bookings);
	return await morning(`${gallery.sandbox.system} = ${name}`);
};

tryAll({
	[NAME]: {
		'nothing found': async () => {
			const { subject, html } = await one([]);
			expect(subject).toBe('Today in 1 house: 0 bookings');
			expect(html).toContain('0 bookings, 0 guests');
		},
		'one found': async () => {
			const booking = today(19, 30, { guests: 1, ...guest('Anna', 'Lind') });
			const { html } = await one([booking]);
			expect(html).toContain('1 booking, 1 guest<');
			expect(html).toContain('19:30 · 1 guest · Anna Lind');
			const [row] = await gallery.rows(TABLE, ({ bookingId }) => bookingId === booking.guid);
			expect(row).toMatchObject({ house: 'Hill', guests: 1, guestName: 'Anna Lind' });
		},
		'many found': async () => {
			const { system, secondSystem } = gallery.sandbox;
			await gallery.respond(
				LIST,
				200,
				times(40, (index) => today(12 + (index % 8), 0)),
			);
			const { subject, html } = await morning(`${system} = Harbour, ${secondSystem} = Hill\n`);
			expect(subject).toBe('Today in 2 houses: 80 bookings');
			expect(html.match(/40 bookings, 80 guests/g)).toHaveLength(2);
		},
		'another language': async () => {
			const { subject, html } = await one(
				[
					today(0, 15, guest('Åsa')),
					today(23, 45, guest('Øyvind')),
					today(24, 0, guest('Tomorrow')),
					today(18, 0, {
						...guest('Off'),
						...AVBOKAD,
					}),
				],
				'Räksmörgåsen',
			);
			expect(subject).toBe('Today in 1 house: 2 bookings');
			for (const part of ['Räksmörgåsen', '00:15', 'Åsa', '23:45', 'Øyvind']) expect(html).toContain(part);
		},
		'a guest who wishes ill': async () => {
			const { html } = await one([today(18, 0, guest('<script>1</script>', PATTERNS))], 'Harbour <b>House');
			expect(html).toContain('Harbour &lt;b>House');
			expect(html).toContain(`&lt;script>1&lt;/script> ${AS_TEXT}`);
		},
		'an outage': async () => {
			const booking = await gallery.book({ ...today(20, 0), guid: undefined, guests: 7 });
			const { status, subject, html } = await morning(
				`${gallery.sandbox.system} = Harbour\nnowhere = Nowhere`,
			);
			expect(status).toBe('success');
			expect(subject).toMatch(/^Today in 2 houses: \d+ bookings?, 1 failed$/);
			expect(html).toContain(booking.contact.lname);
			expect(html).toMatch(/Nowhere.*\(400\)/s);
			expect(await gallery.rowOf(TABLE, booking)).toMatchObject({ house: 'Harbour', guests: 7 });
		},
		'the first day': async () => {
			const { status, error } = await morning(' \n');
			expect([status, error?.message]).toEqual(['error', expect.stringContaining('Enter your houses')]);
			await gallery.putAccount(NO_ROLES);
			const { subject, html } = await one([today(12, 0)]);
			expect(subject).toBe('Today in 1 house: 0 bookings, 1 failed');
			expect(html).toContain('Canceled Statuses');
		},
	},
});
