import { testOperation } from '../support/operation';

const here = testOperation('checkoutBooking.cancelToBeInvoiced', {
	smallest: ({ alias }) => ({ parameters: { alias }, query: { alias } }),
	fullest: ({ alias }) => ({
		parameters: { alias, options: { validationErrors: 'return' } },
		query: { alias },
	}),
});

test('finds errors that only stand in validationResults', async () => {
	await here.service.answer({
		result: {},
		validationResult: null,
		validationResults: {
			payment: { generalErrors: [{ message: 'No {kind}', messageData: { kind: 'card' } }] },
		},
	});
	const { error } = await here.run({ alias: here.records.alias });

	expect(error?.message).toContain('The service rejected the booking: No card');
});
