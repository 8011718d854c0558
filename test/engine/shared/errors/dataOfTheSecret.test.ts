import type { IDataObject } from 'n8n-workflow';

import { responseFields } from '../../../../nodes/shared/contract/responseFields';
import { GUID } from '../../../support/sampleForm';
import { everyOperation } from '../../support/everyOperation';
import { sendJson } from '../../support/server';
import { getSubscription, useStandIn } from '../../support/standIn';

/** A password as people choose them, and a client secret that is one as well. */
const SECRET = 'Stockholm 2026';
const TOKEN = 'a-token-of-the-test';
const SESSION = 'a-session-of-the-test';

/** A documented text that may equal it, in the order of preference. */
const TEXTS = ['name', 'message', 'customerName', 'statusMessage', 'chargeId', 'OrderNumber', 'CustomerName'];

const here = useStandIn();

beforeAll(async () => {
	await here.engine.credentials.edit('hospitalityBookingApi', { clientSecret: SECRET });
	await here.engine.credentials.edit('hospitalityPaymentApi', { password: SECRET });
});

const documented = everyOperation.flatMap(({ operation, ...rest }) => {
	const { schema, kind } = operation.output;
	const field = TEXTS.find((name) => schema !== undefined && responseFields[schema]?.includes(name));
	return field === undefined ? [] : [{ ...rest, field, kind }];
});

it('finds a text in most answers', () => expect(documented.length).toBeGreaterThan(15));

it.each(documented)(
	'$id: a documented field that equals the secret comes out as it is, another one does not',
	async ({ node, parameters, field, kind }) => {
		const record = {
			[field]: SECRET,
			articleId: GUID,
			echoed: { client_secret: SECRET, [SECRET]: [TOKEN, SESSION] },
		};
		const answer = kind === 'list' ? [record] : kind === 'batch' ? { items: [record] } : record;
		here.respond = (response) => sendJson(response, answer);
		const run = await here.engine.execute({
			node,
			parameters: { ...parameters, output: 'raw' },
		});
		const [json] = run.json() as [IDataObject];

		expect(run.error).toBeUndefined();
		expect(json[field]).toBe(SECRET);
		expect(json.echoed).toMatchObject({ client_secret: '***' });
		expect(JSON.stringify(json.echoed)).not.toContain(SECRET);
		// 'Authenticate' carries no token.
		if (parameters.operation !== 'authenticate')
			expect(JSON.stringify(json)).not.toContain(node === 'hospitalityBooking' ? TOKEN : SESSION);
	},
);

it("gives the token that 'Include Token' asks for, though the credential's own is the same", async () => {
	const answer = { AuthenticationToken: SESSION, IsAuthenticated: true };
	here.respond = (response) => sendJson(response, answer);
	await getSubscription(here);
	const options = { includeToken: true };
	const run = await here.engine.execute({
		node: 'hospitalityPayment',
		parameters: { resource: 'customer', operation: 'authenticate', options },
	});

	expect(run.json()).toEqual([answer]);
});

it('redacts it in an error, whatever the field', async () => {
	here.respond = (response) => sendJson(response, { title: SECRET, OrderNumber: SECRET }, 400);
	const { error } = await getSubscription(here);

	expect(error?.description).toContain('***');
	expect(JSON.stringify(error)).not.toContain(SECRET);
});
