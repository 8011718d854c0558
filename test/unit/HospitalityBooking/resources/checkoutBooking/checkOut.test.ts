import type { Form } from '../../../../support/sampleForm';
import { executeOne, serviceThatAnswers } from '../../../support/execution';

jest.mock('../../../../../nodes/shared/auth/account');
jest.mock('../../../../../nodes/shared/auth/sameForAll');

const ID = 'checkoutBooking.checkOut';
const FORM: Form = { bookingRootId: 7, output: 'simplified', options: {} };
const ERRORS = {
	generalErrors: [{ message: 'Booking {number} is closed', messageData: { number: 'B7' } }],
	propertyErrors: [{ propertyName: 'tableArticleIds', message: 'No table 9' }],
};
const WARNINGS = { generalWarnings: [{ message: 'Nobody was checked in' }] };

describe.each([
	{ place: 'validationResult', body: { validationResult: ERRORS } },
	{
		place: 'validationResults',
		body: { result: {}, validationResult: null, validationResults: { payment: ERRORS } },
	},
])('a 2xx response with errors in $place', ({ body }) => {
	test('fails, with the data in their texts', async () => {
		serviceThatAnswers(body);

		await expect(executeOne(ID, FORM)).rejects.toMatchObject({
			message:
				"The service rejected the booking: Booking B7 is closed; 'tableArticleIds': No table 9 – Check out booking and mark for invoicing [item 0]",
			description: expect.stringContaining("'Validation Errors'") as string,
		});
	});

	test('has each error in the error output', async () => {
		serviceThatAnswers(body);

		const { output } = await executeOne(ID, FORM, { onError: 'continueErrorOutput' });

		const fields = [
			{ message: 'Booking B7 is closed' },
			{ field: 'tableArticleIds', message: 'No table 9' },
		];
		expect(output).toMatchObject([{ details: { fields } }]);
	});
});

test.each(['constructor', 'toString', '__proto__', 'hasOwnProperty'])(
	'takes no data from what every object has: {%s} stays as the service wrote it',
	async (name) => {
		const general = { message: `Booking {${name}} is closed`, messageData: {} };
		serviceThatAnswers({ validationResult: { generalErrors: [general] } });

		await expect(executeOne(ID, FORM)).rejects.toThrow(`Booking {${name}} is closed`);
	},
);

test("keeps errors and warnings in the output with 'Return in Output'", async () => {
	serviceThatAnswers({
		result: { bookingRootId: 7 },
		validationResult: { ...ERRORS, ...WARNINGS },
	});
	const form = { ...FORM, options: { validationErrors: 'return' } };

	const { output } = await executeOne(ID, form);

	expect(output).toMatchObject([
		{
			errors: ['Booking B7 is closed', "'tableArticleIds': No table 9"],
			warnings: ['Nobody was checked in'],
		},
	]);
});

test('keeps warnings in the output of a success', async () => {
	serviceThatAnswers({ validationResult: WARNINGS });

	const { output } = await executeOne(ID, FORM);

	expect(output).toMatchObject([{ errors: [], warnings: ['Nobody was checked in'] }]);
});

test.each([{}, { validationResult: { generalErrors: [] }, validationResults: {} }])(
	'takes a response without errors as a success: %j',
	async (body) => {
		serviceThatAnswers(body);

		const { output } = await executeOne(ID, { ...FORM, output: 'raw' });

		expect(output).toEqual([body]);
	},
);

test.each([
	{ output: 'simplified' },
	{ output: 'raw' },
	{ output: 'selected', outputFields: ['result'] },
])('without content is a success: $output', async (mode) => {
	serviceThatAnswers(null);

	const { output } = await executeOne(ID, { ...FORM, ...mode });

	expect(output).toEqual([{ success: true }]);
});
