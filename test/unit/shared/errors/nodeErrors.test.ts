import {
	ExpressionError,
	ExpressionExtensionError,
	type JsonObject,
	NodeApiError,
	NodeOperationError,
	UserError,
} from 'n8n-workflow';

import { CallError, type CallFailure } from '../../../../nodes/shared/errors/failure';
import { toNodeError } from '../../../../nodes/shared/errors/nodeErrors';
import { readServiceMessage } from '../../../../nodes/shared/errors/serviceMessage';
import { ExplainedError } from '../../../../nodes/shared/errors/explainedError';
import { quoted } from '../../../../nodes/shared/values/plainText';
import { InvalidValueError } from '../../../../nodes/shared/values/invalidValue';
import { PLACE, callError } from './failures';

const MARKED = { description: '<a href="x">\u202eHere</a>' };
const redirect = { kind: 'redirect', status: 302 } as const;

describe('an error of an account', () => {
	const SECRET = 's3cr3t-of-4nna';
	const place = { ...PLACE, secrets: () => [SECRET, '4711471147114711'] };
	const body = { kind: 'body', reason: 'format', status: 200 } as const;

	it.each<[what: string, thrown: unknown]>([
		[
			'what is wrong with a value',
			new InvalidValueError('GUID', `is '${SECRET}'`, `Not ${SECRET}`),
		],
		[
			'a value that was cut',
			new InvalidValueError('GUID', quoted('x'.repeat(50) + SECRET), 'More'),
		],
		['statuses', new ExplainedError(`seen: ${SECRET}, Bokad`, 'Compare')],
		['how to fix it', new ExplainedError('No', `Not with ${SECRET}`)],
		['what n8n says', new NodeOperationError(PLACE.node, `No ${SECRET}`)],
		['what n8n hints', new NodeOperationError(PLACE.node, 'No', { description: SECRET })],
		['anything else', new Error(SECRET)],
		['what is no error', SECRET],
		[
			'a number',
			new CallError({ ...body, problem: 'has a number too large (4711471147114711e999)' }),
		],
		[
			'an address',
			new CallError({ ...redirect, address: `https://${SECRET}.example.com/s3cr3t/of4nna` }),
		],
	])('shows no secret in %s', (_, thrown) => {
		const { message, description } = toNodeError(place, thrown);

		expect(`${message} ${description}`).not.toMatch(/s3cr3t|4nna|4711/i);
		expect(`${message} ${description}`).toContain('***');
	});
});

/** n8n replaces a message in which it finds the name of a system error, whatever its case. */
test.each([
	[
		callError({ kind: 'connection', code: 'EHOSTUNREACH' }),
		"'Base URL' could not be reached (EHOSTUNREACH) – Get many customers",
	],
	[
		callError({ ...redirect, address: 'https://remoteaccess.example.com' }),
		"'Base URL' redirects to https://remoteaccess.example.com (302) – Get many customers",
	],
	[
		toNodeError(PLACE, new InvalidValueError('URL', "is 'remoteaccess'", 'More')),
		"'URL' is 'remoteaccess' – Get many customers",
	],
])(
	'a message keeps its words where they contain the name of a system error (%#)',
	(error, message) => {
		expect(error.message).toBe(message);
		expect(error.messages).toEqual([]);
	},
);

test.each([
	new ExpressionError('Referenced node does not exist'),
	new ExpressionExtensionError('cannot convert to number'),
	new UserError('invalid syntax'),
])('an expression that n8n cannot evaluate is none of this package: $message', (thrown) => {
	const { description, failure } = toNodeError(PLACE, thrown);

	expect(description).toMatch(/^Check the expressions of this item\./);
	expect(failure).toEqual({ cause: 'configuration-invalid' });
});

test.each([
	new NodeOperationError(PLACE.node, new Error('No <b>'), MARKED),
	new NodeApiError(PLACE.node, { message: 'No <b>' } as JsonObject, {
		message: 'No <b>',
		...MARKED,
	}),
])('an error of n8n is passed on without markup: $name', (thrown) => {
	const passed = toNodeError(PLACE, thrown);

	expect(passed).toBe(thrown);
	expect(passed.message + String(passed.description)).not.toMatch(/[<>\u202e]/);
	expect(passed.description).toContain('Here');
});

test("there is one full stop after a service's sentence that has its own", () => {
	const said = {
		text: 'One or more validation errors occurred.',
		fields: [{ field: 'name', message: 'Too long.' }],
	};
	const { description } = callError({ kind: 'status', status: 400, said });

	expect(description).toBe(
		"The service says: One or more validation errors occurred. 'name': Too long. Check the values that were sent.",
	);
});

test('the title of a problem that is a sentence is followed by its detail', () => {
	const { text } = readServiceMessage({ title: 'Not allowed.', detail: 'Ask the manager.' }, []);

	expect(text).toBe('Not allowed. Ask the manager.');
});

describe('the message of a tool, which is all that an agent is given,', () => {
	const context = {
		...PLACE,
		node: { ...PLACE.node, type: 'any.hospitalityBookingTool' },
		itemIndex: 0,
	};

	it.each<[what: string, thrown: unknown, message: string]>([
		[
			'a call',
			new CallError({ kind: 'status', status: 400, said: { text: 'No table', fields: [] } }),
			'The service rejected the values (400) – Get many customers [item 0]. The service says: No table. Check the values that were sent.',
		],
		[
			'a value',
			new InvalidValueError('Limit', 'is 0', 'Enter 1 or more'),
			"'Limit' is 0 – Get many customers [item 0]. Enter 1 or more.",
		],
		[
			'n8n',
			new NodeOperationError(PLACE.node, 'No access', { description: 'Ask <b>' }),
			'No access. Ask ‹b›',
		],
	])('says what happened and how to fix it, once: of %s', (_, thrown, message) => {
		const error = toNodeError(context, thrown);
		expect(error.message).toBe(message);
		expect(toNodeError(context, error).message).toBe(message);
	});
});

describe('why a call failed, in the terms that n8n waits by,', () => {
	const words = {
		addressField: 'Token URL Base',
		rejected: ['', ''],
		notAllowed: ['', ''],
		none: ['', ''],
		reason: 'none',
	} as const;
	const asking = (status: number): CallFailure => ({
		kind: 'status',
		status,
		retryAfterMs: 30_000,
	});

	it('is declared with the pause that the service asks for, also before it issues a token', () => {
		const pause = { retryAfterMs: 30_000 };
		expect(callError(asking(429)).failure).toEqual({ cause: 'rate-limited', ...pause });
		expect(callError({ ...asking(429), ofToken: words }).failure).toEqual({
			cause: 'rate-limited',
			...pause,
		});
		expect(callError(asking(503)).failure).toEqual({ cause: 'temporarily-unavailable', ...pause });
	});

	it.each([
		[
			'declared for a value that must not be sent',
			new InvalidValueError('A', 'is 0', 'B'),
			'configuration-invalid',
		],
		['left open for what is not foreseen', new Error('boom'), undefined],
	])('is %s', (_, error, cause) => {
		expect(toNodeError(PLACE, error).failure).toEqual(cause && { cause });
	});
});

it.each([
	'DEPTH_ZERO_SELF_SIGNED_CERT',
	'SELF_SIGNED_CERT_IN_CHAIN',
	'CERT_HAS_EXPIRED',
	'ERR_TLS_CERT_ALTNAME_INVALID',
	'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
])('names a certificate that is not trusted as such: %s', (code) => {
	const error = callError({ kind: 'connection', code });
	expect(error.message).toContain(`The certificate of 'Base URL' is not trusted (${code})`);
	expect(error.description).toContain("'Ignore SSL Issues (Insecure)'");
});
