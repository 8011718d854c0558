import { testOperation } from '../support/operation';

testOperation('checkoutBooking.checkIn', {
	path: ({ rootId }) => ({ bookingRootId: rootId }),
	smallest: ({ rootId }) => ({ parameters: { bookingRootId: String(rootId) } }),
	fullest: ({ rootId }) => ({
		parameters: { bookingRootId: rootId, additionalFields: { cashierName: 'Åsa & Co' } },
		query: { cashierName: 'Åsa & Co' },
	}),
});
