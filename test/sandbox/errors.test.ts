import FormData from 'form-data';
import mapValues from 'lodash/mapValues';
import { digest } from './support/client';
import { bodySchema, fieldsOf, operations } from './support/contract';
import { useSandbox } from './support/useSandbox';

const here = useSandbox();
const { call, status } = here;

const bearer = operations.filter((one) => one.bearer).map(({ id }) => id);

test.each(bearer)('%s refuses a missing, unknown and revoked token', async (id) => {
	expect(await status(id, { headers: { authorization: undefined } })).toBe(401);
	expect(await status(id, { headers: { authorization: 'Bearer nonsense' } })).toBe(401);
	await here.control('POST', '/tokens/revoke');
	const revoked = await call(id);
	expect([revoked.status, revoked.headers['www-authenticate']]).toEqual([
		401,
		'Bearer error="invalid_token"',
	]);
	await here.client.fetchToken();
	expect(Math.floor((await status(id)) / 100)).toBe(2);
});

const withBody = operations.filter((one) => bodySchema(one)).map(({ id }) => id);

test.each(withBody)('%s refuses a body that is a form, not JSON', async (id) => {
	const form = new FormData();
	form.append('id', '1');
	const body = form.getBuffer().toString();
	const headers = { ...form.getHeaders(), digest: digest(body) };

	const refused = await here.client.send(id, { ...here.request(id), headers, body });

	expect(refused.status).toBe(415);
});

/** Names of parameters and fields that say which record an operation is about. */
const IDENTITIES = /^(id|Id|guid|bookingGuid|bookingRootId|customerId|contactId|campaignId|alias)$/;
const aboutRecords = operations.filter((called) => {
	const fields = fieldsOf(bodySchema(called) ?? {}).map(({ path }) => path.join('.'));
	const names = [...called.parameters.map(({ name }) => name), ...fields];
	return names.some((name) => IDENTITIES.test(name)) && !called.responses['404'];
});

test.each(aboutRecords)('$id answers 404 for what does not exist', async ({ id }) => {
	const unknown = (value: unknown, name: string) =>
		!IDENTITIES.test(name) ? value : typeof value === 'number' ? 999_999 : 'none';
	const { path, query, body } = here.request(id);
	const request = { path: mapValues(path, unknown), query: mapValues(query, unknown) };
	const answer = await call(id, { ...request, body: body && mapValues(body, unknown) });
	expect(answer).toMatchObject({ status: 404, body: { title: 'Not Found', status: 404 } });
});

test.each(['customer.authenticate', 'subscription.get', 'subscription.cancel'])(
	'%s refuses a Digest that is not of the body, no HTTP date, and a Location without /v1/',
	async (id) => {
		const wrong: Array<[string, string]> = [
			['digest', digest('something else')],
			['digest', 'MD5=abc'],
			['date', 'soon'],
			['date', new Date().toISOString()],
			['location', 'http://127.0.0.1/subscriptions/'],
		];
		for (const [name, value] of wrong) {
			const answer = await call(id, { headers: { [name]: value } });
			expect(answer.status).toBe(400);
			expect(answer.text.toLowerCase()).toContain(`"field":"${name}"`);
		}
	},
);

test.each(['subscription.get', 'subscription.cancel'])(
	'%s accepts the AuthenticationToken, another header or none, and refuses a wrong one',
	async (id) => {
		const { AuthenticationToken: token } = await here.accepted('customer.authenticate');
		const headers = { authorization: `Bearer ${String(token)}` };
		for (const accepted of [headers, { 'x-session': String(token) }, {}]) {
			expect(await status(id, { headers: accepted })).toBeLessThan(300);
		}
		expect(await status(id, { headers: { authorization: 'Bearer wrong' } })).toBe(401);
		await here.control('POST', '/tokens/revoke');
		expect(await status(id, { headers })).toBe(401);
	},
);
