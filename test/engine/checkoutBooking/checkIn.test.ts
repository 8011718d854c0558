import { testOperation } from '../support/operation';

testOperation('checkoutBooking.checkIn', {
	path: ({ rootId }) => ({ bookingRootId: rootId }),
	smallest: ({ rootId }) => ({ parameters: { bookingRootId: String(rootId) } }),
	fullest: ({ rootId }) => ({
		parameters: { bookingRootId: rootId, additionalFields: { cashierName: 'Åsa & Co' } },
		query: { cashierName: 'Åsa & Co' },
	}),
	refuses: [
		['an ID beyond 32 bits', { bookingRootId: '2147483648' }, "'Booking Root ID' is 2147483648"],
		['a path for an ID', { bookingRootId: '../1' }, "'Booking Root ID' is not a number ('../1')"],
	],
});
