import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DateTime } from 'luxon';
import { workflowsFolder } from '../../../demo/workflows.ts';
import type { JsonObject } from '../../../harness/n8nClient.ts';
import { type Booking, CANCELED, eventually, useGallery } from './support';

const TABLE = 'Hospitality Guest Answers';
const NAME = 'one-tap-answers';

describe(`workflows/${NAME}.json`, () => {
	const gallery = useGallery(TABLE);

	beforeAll(async () => {
		const { nodes } = JSON.parse(readFileSync(join(workflowsFolder(), `${NAME}.json`), 'utf8')) as {
			nodes: Array<{ name: string; parameters: JsonObject }>;
		};
		const words = nodes.find(({ name }) => name === 'Words of your house')?.parameters.jsonOutput as string;
		const house = { ...(JSON.parse(words) as JsonObject), venue: 'Hamn & <Krog>', phone: '+46 8 12 34 56' };
		await gallery.publish(NAME, {
			'Words of your house': { jsonOutput: JSON.stringify(house) },
			'Sign it': { secret: 'known to nobody' },
		});
	});

	/** Books for tomorrow, waits for the reminder, and reads its two links. */
	async function remind(language: string, cancelBeforeStart: { hours: number }) {
		const start = DateTime.utc().plus({ hours: 20 }).startOf('minute');
		const booking = await gallery.book({
			start: start.toISO(),
			end: start.plus({ hours: 2 }).toISO(),
			language,
			cancelAllowedBeforeUtc: start.minus(cancelBeforeStart).toISO(),
		});
		const mail = await eventually('The reminder', async () =>
			(await gallery.inbox.mails()).find(({ to }) =>
				to.some(({ address }) => address === booking.contact.email),
			),
		);
		const links = [...(mail.html ?? '').matchAll(/href="([^"]*[^"]*do=[^"]*)"/g)].map(([, link]) =>
			String(link).replaceAll('&amp;', '&'),
		);
		const linkOf = (act: string) => links.find((link) => link.includes(`do=${act}`)) ?? '';
		return { booking, mail, come: linkOf('come'), cancel: linkOf('cancel') };
	}

	const open = async (link: string) => await (await fetch(link)).text();
	const press = async (link: string) => {
		const { origin, pathname, searchParams } = new URL(link);
		return await (await fetch(origin + pathname, { method: 'POST', body: searchParams })).text();
	};
	const statusOf = async (booking: Booking) => (await gallery.stored(booking)).web.status;

	it("asks once more in the guest's language, and cancels only when the button is pressed", async () => {
		const { booking, mail, cancel } = await remind('sv-SE', { hours: 2 });
		const asked = await open(cancel);
		expect(mail.subject).toBe('Ert bord hos Hamn & <Krog>');
		expect(asked).toContain('Vill ni avboka?');
		expect(asked).toContain('Hamn &amp; &lt;Krog>');
		expect(asked).toContain('<form method="post"');
		expect(await statusOf(booking)).not.toBe(CANCELED);

		expect(await press(cancel)).toContain('Bokningen är avbokad.');
		expect(await statusOf(booking)).toBe(CANCELED);
		expect(await press(cancel)).toContain('Bokningen är avbokad eller flyttad.');
	});

	it('changes nothing for a link that is forged, and nothing when it is too late to cancel', async () => {
		const { booking, come, cancel } = await remind('en', { hours: 24 });
		const key = new URL(cancel).searchParams.get('key') ?? '';
		const forged = [
			cancel.replace(key, `${key.startsWith('a') ? 'b' : 'a'}${key.slice(1)}`),
			cancel.replace(key, ''),
			come.replace('do=come', 'do=cancel'),
			cancel.replace(booking.guid, '00000000-0000-4000-8000-000000000000'),
		];
		for (const link of forged) expect(await press(link)).toContain('This link is not valid');
		const late = await press(cancel);

		expect(late).toContain('too late to cancel');
		expect(late).toContain('href="tel:+468123456"');
		expect(await statusOf(booking)).not.toBe(CANCELED);
	});

	it('notes who is coming, in the booking and in the table, as often as it is pressed', async () => {
		const { booking, come } = await remind('fr', { hours: 2 });
		expect(await open(come)).toContain('Are you coming?');
		for (const _ of [1, 2]) expect(await press(come)).toContain('We have noted that you are coming.');
		const { web } = await gallery.stored(booking);

		expect(web.markings).toEqual([expect.objectContaining({ text: 'Confirmed by the guest' })]);
		expect(await gallery.rows(TABLE, ({ bookingId }) => bookingId === booking.guid)).toHaveLength(1);
	});
});
