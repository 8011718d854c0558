import type { ItemContext } from '../../../../../nodes/shared/operation/operation';
import { prepareRequest } from '../../../../../nodes/shared/run/request';
import { type Form, SETTINGS, itemOf, rows } from '../../../../support/sampleForm';

const person = { id: 7, ref: 'visit-7', customerNumber: 'C7', email: 'a@b.example' };
const RECORDS = [
	{ ...person, name: 'Åsa Öberg', phone: '070-123 45 67' },
	{ ...person, name: 'Åsa Öberg', mobilePhone: '070-123 45 67', emailAddress: 'a@b.example' },
	{ id: 8, name: 'Bo Lind', phone: '073-123 45 67', mobilePhone: '073-123 45 67' },
	'not a record',
];

/** What an operation returns of the records, and what it asked the service for. */
async function list(id: string, form: Form) {
	const row = rows.find((one) => one.id === id);
	if (!row) throw new Error(id);
	const asked: unknown[] = [];
	const call: ItemContext['call'] = ({ query }) => {
		asked.push(query);
		return Promise.resolve({ status: 200, headers: {}, body: RECORDS } as never);
	};
	const item = Object.assign(itemOf(row, form), { call });
	const request = prepareRequest(item, row.operation, SETTINGS);
	return { found: await row.operation.sendAll?.(item, request, Infinity), asked };
}

describe.each([
	['customer.getAll', [RECORDS[0]], 'C7'],
	['surveyRecipient.getAll', [RECORDS[1]], 'visit-7'],
])('%s', (id, matching, number) => {
	it.each(['oberg asa', '+46 70 123 45 67', ' A@B.example'])('finds %s', async (search) => {
		const { found, asked } = await list(id, { filters: { search } });

		expect(found).toEqual(expect.arrayContaining(matching));
		expect(found).not.toContainEqual(RECORDS[2]);
		expect(asked).toEqual([{}]);
	});

	it('finds a record by its number', async () => {
		expect((await list(id, { filters: { search: number } })).found).toEqual(RECORDS.slice(0, 2));
	});

	it('returns all that the service lists where nobody is searched for', async () => {
		expect((await list(id, {})).found).toEqual(RECORDS);
	});

	it('refuses a search that comes out empty', async () => {
		await expect(list(id, { filters: { search: ' ' } })).rejects.toThrow("'Search' is empty");
	});
});
