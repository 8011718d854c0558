const shared = require('../e2e/jest.config.js');

/**
 * The promises of the operations and of the installed package, kept by the n8n that `npm run test:compat` has installed.
 * The tests are those of other folders; only the engine is replaced: by that real n8n.
 */
module.exports = {
	...shared,
	roots: ['<rootDir>/test'],
	globalSetup: '<rootDir>/test/compat/support/setUp.ts',
	testMatch: [
		'**/test/engine/(article|articleGroup|campaign|checkoutBooking|contact|contactFilter)/*.test.ts',
		'**/test/engine/(customer|department|subscription|survey|surveyRecipient|webBooking)/*.test.ts',
		'**/test/engine/shared/(http/exchange|operation/stop).test.ts',
		'**/test/e2e/(credentialTest|mcp|package|tokens).test.ts',
		'**/test/long/(demo|endurance).test.ts',
		'**/test/e2e/workflows/*.test.ts',
		'**/test/browser/import.test.ts',
	],
	moduleNameMapper: {
		'^\\./engine$': '<rootDir>/test/compat/support/realEngine.ts',
	},
	testTimeout: 120_000,
};
