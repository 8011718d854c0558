import { setTimeout as sleep } from 'node:timers/promises';
import times from 'lodash/times';
import uniq from 'lodash/uniq';
import { NODE_UNDER_TEST, outputOf, packageNode, publishRunner } from '../../harness/runner.ts';
import {
	type Respond,
	type TestServer,
	credentialsAt,
	sendJson,
	startServer,
	tokenFor,
} from '../engine/support/server';
import { connect } from './support/stack';

const ITEMS = 200;
const AT_ONCE = 10;
const RESTART_MS = 3_000;
/** What a call takes, so that calls are under way when the service is killed. */
const CALL_MS = 50;

const idOf = (item: number) => `3f2504e0-4f89-41d3-9a0c-${String(item).padStart(12, '0')}`;

/** What becomes of each fault at each place is shown by test/unit/shared/http/outages.test.ts. */
it('An outage in real n8n costs time, not items: a service that is killed and back after 3 s fails only what was on its way to it', async () => {
	const { client } = connect();
	const changes: string[] = [];
	let service: TestServer;
	const restart = async () => {
		const port = Number(new URL(service.url).port);
		await service.close();
		await sleep(RESTART_MS);
		service = await startServer(respond, { port });
	};
	const respond: Respond = (request, response) => {
		const token = tokenFor(request);
		if (token) return sendJson(response, token);
		const [, id = ''] = /WebBookings\/([^/]+)\/Cancel/.exec(request.url) ?? [];
		const count = changes.push(id);
		setTimeout(() => (count === 60 ? void restart() : sendJson(response, {})), CALL_MS);
	};
	service = await startServer(respond);
	const { hospitalityBookingApi } = credentialsAt(service.url);
	const credential = await client.createCredential('Outage', 'hospitalityBookingApi', hospitalityBookingApi);
	const form = {
		...{ resource: 'webBooking', operation: 'cancel', webBookingId: '={{ $json.id }}' },
		options: { concurrencyLimit: AT_ONCE },
	};
	const node = packageNode('hospitalityBooking', form, credential, { onError: 'continueErrorOutput' });
	const { run, end } = await publishRunner(client, node);
	const execution = await run(times(ITEMS, (item) => ({ id: idOf(item) })));
	await end();
	await service.close();
	const errors = outputOf(execution, NODE_UNDER_TEST, 1).map(({ json }) => String(json.error));
	const failed = errors.map((error) => idOf(Number(/\[item (\d+)\]/.exec(error)?.[1])));

	expect(uniq(changes)).toEqual(changes);
	expect(outputOf(execution)).toHaveLength(ITEMS - failed.length);
	expect(failed).toContain(changes[59]);
	expect(failed.length).toBeLessThanOrEqual(AT_ONCE);
	for (const error of errors) expect(error).toContain('may have been made');
});
