import type { ServerResponse } from 'node:http';

import type { Run } from '../../support/engine';
import { everyOperation } from '../../support/everyOperation';
import { flood } from '../../support/hostileResponses';
import { sendJson } from '../../support/server';
import { authenticateCustomer, getSubscription, shown, useStandIn } from '../../support/standIn';

const JSON_TYPE = { 'content-type': 'application/json' };

/** How the response to a change is lost; exchange.test.ts has bodies that are no success. */
const LOSSES: Record<string, (response: ServerResponse) => void> = {
	'the connection is cut': (response) => void response.socket?.destroy(),
	'no response comes in time': () => undefined,
	'the response is cut off': (response) => {
		response.writeHead(200, { ...JSON_TYPE, 'content-length': '1000' });
		response.write('{"id"', () => response.socket?.destroy());
	},
	'the response is a web page': (response) =>
		void response.writeHead(200, { 'content-type': 'text/html' }).end('<html><title>Sign in</title></html>'),
	'the response is no valid gzip': (response) =>
		void response.writeHead(200, { ...JSON_TYPE, 'content-encoding': 'gzip' }).end('{"id": 1}'),
	'the response is larger than its bound': flood(40).respond,
	'the service shows elsewhere what came of it': (response) =>
		void response.writeHead(303, { location: '/done' }).end(),
	'the service neither accepts nor rejects it': (response) => void response.writeHead(304).end(),
	'the service stumbles over it': (response) => void response.writeHead(500).end(),
	'the gateway gets no response': (response) => void response.writeHead(502).end(),
	'the service is gone': (response) => void response.writeHead(503).end(),
	'the gateway waits too long': (response) => void response.writeHead(504).end(),
};

/** One of each way in which a change is made: a call for an item, one for many, over the other service, without a body to read. */
const WAYS = ['webBooking.cancel', 'article.batchUpdate', 'subscription.cancel', 'contact.sendGuestMessage'];

const changes = everyOperation.filter(({ record }) => record !== undefined);

const here = useStandIn();

async function run(id: string, timeout = 5_000): Promise<Run> {
	const { node = '', parameters = {} } = changes.find((change) => change.id === id) ?? {};
	return await here.engine.execute({
		node,
		parameters: { ...parameters, options: { timeout } },
	});
}

describe.each(changes.filter(({ id }) => WAYS.includes(id)))('$id', ({ id, record }) => {
	it.each(Object.entries(LOSSES))(
		'says that the change may have been made when %s, and where to look',
		async (loss, lose) => {
			here.respond = lose;
			const said = shown(await run(id, loss.includes('in time') ? 200 : 5_000));

			expect(said).toMatch(/^[^|]*The change may have been made[^|]*\|/);
			expect(said).toContain(record);
			expect(said).toMatch(/before you repeat/);
			expect(said).not.toMatch(
				/try again|then repeat|check the values|sign-in page|\berror|failure|problem/i,
			);
		},
	);
});

it('A call that reads is not said to have changed anything', async () => {
	here.respond = (response) => void response.writeHead(500).end();
	const said = shown(await getSubscription(here));

	expect(said).toContain('(500)');
	expect(said).not.toContain('change');
});

it('A GET with a body is repeated where the service is unavailable, and names the plan that it does not have', async () => {
	const statuses = [503, 404];
	here.respond = (response) => sendJson(response, {}, statuses.shift());

	expect(shown(await getSubscription(here))).toMatch(
		/^The subscription plan is not registered \(404\) – Get subscription \[item 0\] \| .*'Subscription Plan ID'/,
	);
	expect(statuses).toEqual([]);
});

it('Another customer whom the service rejects is named by the fields to check, after one call', async () => {
	let calls = 0;
	here.respond = (response) => sendJson(response, {}, ++calls && 401);
	const anotherCustomer = { customerId: 'other', password: 'theirs' };

	expect(shown(await authenticateCustomer(here, { anotherCustomer }))).toMatch(
		/^The service rejected the customer \(401\).* \| .*'Customer ID' and 'Password' of this item/,
	);
	expect(calls).toBe(1);
});
