import { collection } from '../../../shared/operation/body';
import { string } from '../../../shared/operation/fields';
import { requiredText } from '../../../shared/values/invalidValue';
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

/** Sends the customer of the credential unless another one is given, with both ID and password. */
async function useOwnAccount({ context }: ItemContext, request: ItemRequest): Promise<void> {
	const { CustomerId, Password } = isRecord(request.body) ? request.body : {};
	if (CustomerId === undefined && Password === undefined) {
		const own = await context.getCredentials<{ customerId?: string; password?: string }>(
			'hospitalityPaymentApi',
		);
		request.body = { CustomerId: own.customerId, Password: own.password };
		return;
	}
	request.body = {
		CustomerId: requiredText(CustomerId, customerId.property.displayName, BOTH),
		Password: requiredText(Password, password.property.displayName, BOTH),
	};
}

const BOTH = "Give both 'Customer ID' and 'Password', or neither to use the credential's";

function hideToken({ options }: ItemContext, body: unknown): unknown {
	if (includesToken(options) || !isRecord(body) || body.AuthenticationToken === undefined) return body;
	return { ...body, AuthenticationToken: MASKED };
}
