import type { INodeParameters } from 'n8n-workflow';
import type { ExecuteOptions } from '../support/engine';
import { useOperation } from '../support/operation';

const here = useOperation('checkoutBooking.checkOut');

const checkOut = async (parameters: INodeParameters = {}, options: Partial<ExecuteOptions> = {}) =>
	await here.run({ bookingRootId: String(here.records.rootId), ...parameters }, options);

test('gives the booking flattened, with warnings in the output', async () => {
	const checkedOut = await checkOut();

	expect(checkedOut.error).toBeUndefined();
	expect(checkedOut.json()[0]).toMatchObject({
		bookingRootId: here.records.rootId,
		mustBeInvoiced: true,
		warnings: ['The guests were not checked in'],
		errors: [],
	});
});

test('fails the item when a 2xx response holds an error, with the data filled into its text', async () => {
	await checkOut();
	const { status, error } = await checkOut();

	expect(status).toBe('error');
	expect(error?.message).toMatch(
		/^The service rejected the booking: Booking B\d+ is already marked for invoicing – Check out booking \[item 0\]$/,
	);
});

test('names property and message of each property error once', async () => {
	const { error } = await checkOut({ additionalFields: { tableArticleIds: '998, 999' } });

	expect(error?.message).toBe(
		"The service rejected the booking: 'tableArticleIds': The booking has no table 998; 'tableArticleIds': The booking has no table 999 – Check out booking [item 0]",
	);
	expect(error?.description).toContain("'Validation Errors'");
});

test('sends errors to the error output with the fields they name', async () => {
	const refused = await checkOut(
		{ additionalFields: { tableArticleIds: 999 } },
		{ onError: 'continueErrorOutput' },
	);

	expect(refused.output(0)).toEqual([]);
	expect(refused.json(1)[0]?.details).toMatchObject({
		fields: [{ field: 'tableArticleIds', message: 'The booking has no table 999' }],
	});
});

test("'Return in Output' keeps errors and warnings in the output", async () => {
	const checkedOut = await checkOut({
		additionalFields: { tableArticleIds: '999' },
		options: { validationErrors: 'return' },
	});

	expect(checkedOut.json()[0]).toMatchObject({
		errors: ["'tableArticleIds': The booking has no table 999"],
	});
});

test.each([{}, { validationResult: { generalErrors: [] }, validationResults: {} }])(
	'takes a response without errors (%j) as a success',
	async (body) => {
		await here.service.answer(body);
		const checkedOut = await checkOut({ output: 'raw' });

		expect(checkedOut.error).toBeUndefined();
		expect(checkedOut.json()).toEqual([body]);
	},
);

test('reports success for a response without content in every output mode', async () => {
	await here.service.inject({ fault: { kind: 'empty', status: 204 } });

	expect((await checkOut()).json()).toEqual([{ success: true }]);
	expect((await checkOut({ output: 'selected', outputFields: ['result'] })).json()).toEqual([
		{ success: true },
	]);
});

test('finds errors that only stand in validationResults', async () => {
	await here.service.answer({
		result: {},
		validationResult: null,
		validationResults: {
			payment: { generalErrors: [{ message: 'No {kind}', messageData: { kind: 'card' } }] },
		},
	});

	expect((await checkOut()).error?.message).toContain('The service rejected the booking: No card');
});
