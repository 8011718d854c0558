import { operation } from '../../../shared/operation/declare';
import { choice, collection, field, parameter } from '../../../shared/form/rows';
import { usesJson } from '../../../shared/operation/nodeForm';
import { readOption, readParameter } from '../../../shared/form/readParameter';
import { readCustomer } from '../../../shared/auth/payment';
import type { ItemContext, ItemRequest } from '../../../shared/operation/operation';
import { isRecord } from '../../../shared/values/record';

const MASKED = '***';

const includeTokenOption = parameter('Include Token', 'includeToken', {
	as: 'boolean',
	description:
		'Whether to output the AuthenticationToken. Otherwise it is redacted, because anyone with access to the execution could use it.',
});

const ANOTHER = 'another';

const whoseAccount = choice(
	'Customer',
	'customer',
	[
		{
			name: 'Another One',
			value: ANOTHER,
			description: "The customer in 'Another Customer' or the JSON below",
		},
		{
			name: "Credential's Own",
			value: 'own',
			description: 'The customer that the credential signs in as',
		},
	],
	{ description: 'Whose ID and password to check. A customer in the JSON below takes precedence.' },
);

export const authenticate = operation('customer.authenticate', {
	name: 'Authenticate',
	action: 'Authenticate customer',
	description:
		"Check a customer's ID and password and get the customer's name and number. 'IsAuthenticated' tells whether they are right.",
	parameters: [whoseAccount],
	body: {
		sections: [
			collection(
				'Another Customer',
				'anotherCustomer',
				[
					field('Customer ID', 'CustomerId'),
					field('Password', 'Password', { typeOptions: { password: true } }),
				],
				{
					description:
						"The customer to authenticate instead of the credential's own. Both fields are needed.",
					displayOptions: { show: { customer: [ANOTHER] } },
				},
			),
		],
	},
	resultIsInBody: true,
	output: { headers: ['Location'] },
	options: [includeTokenOption],
	preSend: chooseCustomer,
	postReceive: hideToken,
	statusWords: {
		401: ['The service rejected the customer', "Check 'Customer ID' and 'Password' of this item"],
	},
});

const BOTH_NEEDED = "Enter both 'Customer ID' and 'Password' of the customer to authenticate";

/** This call creates the token, so it is sent without one. */
function chooseCustomer(item: ItemContext, request: ItemRequest): void {
	const { CustomerId, Password } = isRecord(request.body) ? request.body : {};
	const { credentials } = item.account;
	const customer = isAnother(item)
		? readCustomer(CustomerId, Password, BOTH_NEEDED)
		: readCustomer(credentials.customerId, credentials.password);
	Object.assign(request, { body: customer, takesToken: false, secrets: [customer.Password] });
}

/** Never depends on values: an expression that comes out empty must not authenticate the credential's own customer. */
function isAnother(item: ItemContext): boolean {
	return readParameter(item, whoseAccount) === ANOTHER || usesJson(item);
}

function hideToken(item: ItemContext, body: unknown): unknown {
	const isShown = readOption(item, includeTokenOption) === true;
	if (isShown || !isRecord(body) || body.AuthenticationToken === undefined) return body;
	return { ...body, AuthenticationToken: MASKED };
}
