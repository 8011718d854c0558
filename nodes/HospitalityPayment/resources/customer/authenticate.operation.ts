import { field, operation } from '../../../shared/operation/contractFields';
import isEmpty from 'lodash/isEmpty';

import { USING_JSON, collection } from '../../../shared/operation/body';
import { type PaymentCustomer, readCustomer } from '../../../shared/auth/paymentAuth';
import { readRunCredentials } from '../../../shared/auth/authorizedCall';
import type { ItemContext } from '../../../shared/operation/itemContext';
import type { ItemRequest } from '../../../shared/operation/operation';
import { isRecord } from '../../../shared/values/record';
import { includesToken } from './authenticate.options';

const MASKED = '***';

const customerId = field('Customer ID', 'CustomerId', { placeholder: 'e.g. 4711' });
const password = field('Password', 'Password', { typeOptions: { password: true } });

export const authenticate = operation('customer.authenticate', {
	name: 'Authenticate',
	action: 'Authenticate customer',
	description:
		"Check a customer's ID and password and get the customer's name and number. 'IsAuthenticated' tells whether they are right.",
	parameters: [
		{
			displayName: 'Customer',
			name: 'customer',
			type: 'options',
			noDataExpression: true,
			options: [
				{
					name: 'Another One',
					value: 'another',
					description: "The customer in 'Another Customer' or the JSON below",
				},
				{
					name: "Credential's Own",
					value: 'own',
					description: 'The customer that the credential signs in as',
				},
			],
			default: 'own',
			description:
				'Whose ID and password to check. A customer filled in below is another one, whatever is chosen.',
		},
	],
	body: {
		sections: [
			collection(
				'Another Customer',
				'anotherCustomer',
				[customerId, password],
				"The customer to authenticate instead of the credential's own. Both fields are needed.",
			),
		],
	},
	preSend: chooseCustomer,
	postReceive: hideToken,
	statusWords: {
		401: ['The service refused the customer', "Check 'Customer ID' and 'Password' of this item"],
	},
});

/** The call makes a token, so it takes none. */
async function chooseCustomer(item: ItemContext, request: ItemRequest): Promise<void> {
	const customer = isAnother(item)
		? readCustomer(
				...given(request.body),
				`Give both 'Customer ID' and 'Password' of the customer to authenticate`,
			)
		: await readOwn(item);
	Object.assign(request, { body: customer, takesToken: false, secrets: [customer.Password] });
}

/**
 * Told by what is on the form, never by what its values come to: an expression that comes out empty must not authenticate
 * the credential's own customer. Workflows saved before 'Customer' existed have the other customer on the form alone.
 */
function isAnother({ node, read }: ItemContext): boolean {
	const { anotherCustomer } = node.parameters;
	const isOnForm = isRecord(anotherCustomer) && !isEmpty(anotherCustomer);
	return read('customer') === 'another' || read('bodyMode') === USING_JSON || isOnForm;
}

function given(body: unknown): [customerId: unknown, password: unknown] {
	const { CustomerId, Password } = isRecord(body) ? body : {};
	return [CustomerId, Password];
}

async function readOwn({ context }: ItemContext): Promise<PaymentCustomer> {
	const { customerId, password } = await readRunCredentials(context, 'hospitalityPaymentApi');
	return readCustomer(customerId, password);
}

function hideToken({ options }: ItemContext, body: unknown): unknown {
	if (includesToken(options) || !isRecord(body) || body.AuthenticationToken === undefined) return body;
	return { ...body, AuthenticationToken: MASKED };
}
