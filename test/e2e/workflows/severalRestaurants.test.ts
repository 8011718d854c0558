import { DateTime } from 'luxon';
import { useGallery } from './support';

const TABLE = 'Hospitality Houses';

describe('workflows/several-restaurants.json', () => {
	const gallery = useGallery(TABLE);
	const at = (hour: number) => {
		const start = DateTime.utc().set({ hour, minute: 15, second: 0, millisecond: 0 });
		return { start: start.toISO(), end: start.plus({ hours: 2 }).toISO() };
	};
	const entered = (houses: string) => ({
		'Enter your houses': {
			assignments: { assignments: [{ id: 'houses', name: 'houses', value: houses, type: 'string' }] },
		},
	});

	it('mails one block for each house, also where one of them fails, and keeps a row with the house', async () => {
		const { system, secondSystem } = gallery.sandbox;
		const booking = await gallery.book({ ...at(20), guests: 7 });
		const houses = `${system} = Harbour <b>House</b>\n${secondSystem} = Hill\nnowhere = Nowhere`;
		const { run } = await gallery.load('several-restaurants', entered(houses));
		const { status } = await run();
		const [mail] = await gallery.mails(/^Today in 3 houses: .* 1 failed$/);

		expect(status).toBe('success');
		expect(mail?.html).toContain('Harbour &lt;b>House');
		expect(mail?.html).toContain(booking.contact.lname);
		expect(mail?.html).toContain('Hill');
		expect(mail?.html).toMatch(/Nowhere.*\(400\)/s);
		expect(await gallery.rowOf(TABLE, booking)).toMatchObject({ house: 'Harbour <b>House</b>', guests: 7 });
	});

	it('asks for the houses where none is entered', async () => {
		const { run } = await gallery.load('several-restaurants', entered(' \n'));
		const { status } = await run();

		expect(status).toBe('error');
	});
});
