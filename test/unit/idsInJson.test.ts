import set from 'lodash/set';

import { sourceOfId } from '../../nodes/shared/booking/idSources';
import { type Row, fullBody, fullForm, prepare, rows } from '../support/sampleForm';

/** Every ID that a form asks for within a body, and where JSON has it. */
const ids = rows.flatMap((row) =>
	row.fields
		.filter((field) => field.in === 'body' && field.property.type !== 'resourceMapper')
		.flatMap((field) => {
			const own = { place: field.path, name: field.property.displayName };
			const inEntries = (field.entries ?? []).map((entry) => ({
				place: `${field.path}[0].${entry.path}`,
				name: entry.property.displayName,
			}));
			return [own].concat(inEntries);
		})
		.map(({ place, name }) => ({ id: row.id, row, place, name, source: sourceOfId(name) ?? '' }))
		.filter(({ source }) => source !== ''),
);

test('there are IDs at every depth', () => {
	const places = ids.map(({ place }) => place);

	expect(places).toEqual(expect.arrayContaining(['contactId', 'contact.id', 'times[0].ruleId']));
});

test('it is said of each entry of a list', async () => {
	const row = rows.find(({ id }) => id === 'webBooking.update') as Row;
	const times = [{ ruleId: 1 }, { ruleId: true }];
	const jsonBody = set(fullBody(row), 'times', times);
	const form = { ...fullForm(row), bodyMode: 'json', options: {}, jsonBody };

	await expect(prepare(row, form)).rejects.toMatchObject({
		message: expect.stringContaining("'JSON: times[1].ruleId'") as string,
		description: expect.stringContaining(String(sourceOfId('Rule ID'))) as string,
	});
});

test.each(ids)(
	'a wrong one is refused in JSON with where it is found: $id $place',
	async ({ row, place, source }) => {
		const form = { ...fullForm(row), bodyMode: 'json', options: {} };
		const jsonBody = set(fullBody(row), place, true);

		await expect(prepare(row, { ...form, jsonBody })).rejects.toMatchObject({
			message: expect.stringContaining(`'JSON: ${place}'`) as string,
			description: expect.stringContaining(source) as string,
		});
	},
);
