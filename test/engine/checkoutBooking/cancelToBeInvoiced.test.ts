import { testOperation } from '../support/operation';

const here = testOperation('checkoutBooking.cancelToBeInvoiced', {
	smallest: ({ alias }) => ({ parameters: { alias }, query: { alias } }),
	fullest: ({ alias }) => ({
		parameters: { alias, options: { validationErrors: 'return' } },
		query: { alias },
	}),
});

test('keeps the warning of a booking that was canceled before', async () => {
	const { alias } = here.records;
	await here.run({ alias });
	const again = await here.run({ alias });

	expect(again.json()[0]).toMatchObject({ warnings: [`Booking ${alias} was canceled before`] });
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
