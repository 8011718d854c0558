import { executeOne, serviceThatAnswers } from '../support/execution';

jest.mock('../../../nodes/shared/auth/account');
jest.mock('../../../nodes/shared/auth/sameForAll');

test.each([
	{ options: {}, token: '***' },
	{ options: { includeToken: true }, token: 'token' },
])(
	"Authenticate outputs the response's Location, and the token as $token with the options $options",
	async ({ options, token }) => {
		serviceThatAnswers({ IsAuthenticated: true, AuthenticationToken: 'token' });

		const { output } = await executeOne('customer.authenticate', { customer: 'own', options });

		expect(output).toEqual([
			{ IsAuthenticated: true, AuthenticationToken: token, Location: '/v1/x' },
		]);
	},
);
