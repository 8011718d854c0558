import { collection } from '../../../shared/operation/body';
import { string } from '../../../shared/operation/fields';
import { type PaymentCustomer, readCustomer } from '../../../shared/auth/paymentAuth';
import { readRunCredentials } from '../../../shared/auth/authorizedCall';
import type { ItemContext } from '../../../shared/operation/itemContext';
import type { ItemRequest, Operation } from '../../../shared/operation/operation';
import { isRecord } from '../../../shared/values/record';
import { includesToken } from './authenticate.options';

const MASKED = '***';

const customerId = string('Customer ID', 'CustomerId', { placeholder: 'e.g. 4711' });
const password = string('Password', 'Password', { typeOptions: { password: true } });

/** @see contract/openapi.yaml customer.authenticate */
export const authenticate: Operation = {
	value: 'authenticate',
	name: 'Authenticate',
	action: 'Authenticate customer',
	description:
		"Check a customer's ID and password and get the customer's name and number. 'IsAuthenticated' tells whether they are right.",
	method: 'POST',
	path: '/authentication',
	body: {
		schema: 'PaymentAuthenticationRequest',
		sections: [
			collection(
				'Another Customer',
				'anotherCustomer',
				[customerId, password],
				"The customer to authenticate. Without one it is the credential's own.",
			),
		],
		example: { CustomerId: '4711', Password: 'the password' },
	},
	output: { kind: 'record', schema: 'PaymentAuthenticationResponse' },
	preSend: useOwnAccount,
	postReceive: hideToken,
	statusWords: {
		401: ['The service refused the customer', "Check 'Customer ID' and 'Password' of this item"],
	},
};

/** Sends the customer of the credential unless another one is given. The call makes a token, so it takes none. */
async function useOwnAccount({ context }: ItemContext, request: ItemRequest): Promise<void> {
	const account = await readAccount(context, isRecord(request.body) ? request.body : {});
	Object.assign(request, { body: account, takesToken: false, secrets: [account.Password] });
}

async function readAccount(
	context: ItemContext['context'],
	{ CustomerId, Password }: Record<string, unknown>,
): Promise<PaymentCustomer> {
	if (CustomerId === undefined && Password === undefined) {
		const own = await readRunCredentials(context, 'hospitalityPaymentApi');
		return readCustomer(own.customerId, own.password);
	}
	return readCustomer(CustomerId, Password, BOTH);
}

const BOTH = "Give both 'Customer ID' and 'Password', or neither to use the credential's";

function hideToken({ options }: ItemContext, body: unknown): unknown {
	if (includesToken(options) || !isRecord(body) || body.AuthenticationToken === undefined) return body;
	return { ...body, AuthenticationToken: MASKED };
}
