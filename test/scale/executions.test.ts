import { setTimeout as sleep } from 'node:timers/promises';
import sum from 'lodash/sum';
import times from 'lodash/times';
import uniq from 'lodash/uniq';
import { eventually } from '../../dev/eventually.ts';
import { NODE_UNDER_TEST, outputOf, packageNode, webhookWorkflow } from '../../dev/runner.ts';
import {
	type Received,
	credentialsAt,
	sendJson,
	startServer,
	tokenFor,
} from '../engine/support/server';
import { WORKERS, describeCluster, runningOn, startCluster } from './support/cluster';

const EXECUTIONS = 4;
const ITEMS = 200;
const MOST_AT_ONCE = 50;
const PATH = 'check-in';
/** A backoff, a thousand items, a start of n8n take their time. */
const PATIENT_MS = 600_000;
/** With the number of the execution as cashier. */
const CHECK_IN = {
	resource: 'checkoutBooking',
	operation: 'checkIn',
	bookingRootId: '={{ $json.bookingRootId }}',
	additionalFields: { cashierName: '={{ $execution.id }}' },
};

/**
 * The check-in of the booking service, which counts what it has done: 20 ms a call, 429 above 50 at once, one in 200
 * unavailable, one in 100 cut before the response.
 */
async function startService() {
	const acts: Array<{ booking: string; execution: string }> = [];
	let underWay = 0;
	const server = await startServer((request: Received, response) => {
		const token = tokenFor(request);
		if (token) return sendJson(response, token);
		if (underWay >= MOST_AT_ONCE) return sendJson(response, {}, 429);
		if (Math.random() < 0.005) return void response.writeHead(503, { 'retry-after': '1' }).end();
		const { pathname, searchParams } = new URL(request.url, server.url);
		acts.push({ booking: pathname, execution: searchParams.get('cashierName') ?? '' });
		underWay++;
		void sleep(20).then(() => {
			underWay--;
			if (Math.random() < 0.01) response.destroy();
			else sendJson(response, { status: 2, guests: 2 });
		});
	});
	return { ...server, acts };
}

describeCluster(
	`one main and ${WORKERS} workers, and a service that takes ${MOST_AT_ONCE} calls at once`,
	() => {
		it('act once for each item while calls fail and a worker is killed, but for what n8n itself runs again', async () => {
			const cluster = await startCluster();
			const service = await startService();
			const { client } = cluster;
			const { hospitalityBookingApi: data } = credentialsAt(service.url);
			const credential = await client.createCredential('Service', 'hospitalityBookingApi', data);
			const node = packageNode('hospitalityBooking', CHECK_IN, credential, {
				onError: 'continueErrorOutput',
			});
			const { id } = await client.activate(
				await client.createWorkflow(webhookWorkflow(PATH, node, 'onReceived')),
			);
			for (let index = 0; index < EXECUTIONS; index++) {
				await client.callWebhook(PATH, {
					items: times(ITEMS, (item) => ({ bookingRootId: 1 + index * ITEMS + item })),
				});
			}
			const isThirdDone = () => service.acts.length > (EXECUTIONS * ITEMS) / 3;
			await eventually('a third is done', isThirdDone, PATIENT_MS, 20);
			const interrupted = cluster.workers.slice(0, 1).flatMap(runningOn);
			await cluster.replaceWorker(0);
			// n8n gives up the interrupted ones only minutes after their worker has died.
			const isSettled = async () =>
				(await cluster.unfinishedExecutions(id)).every((one) => interrupted.includes(one));
			await eventually('all executions have ended', isSettled, PATIENT_MS);
			const whole = (await client.executions(id, 100)).filter(
				(one) => !interrupted.includes(one.id),
			);
			const put = await Promise.all(
				whole.map(async (one) => {
					const execution = await client.execution(one.id);
					return sum([0, 1].map((output) => outputOf(execution, NODE_UNDER_TEST, output).length));
				}),
			);
			const bookings = service.acts
				.filter(({ execution }) => !interrupted.includes(execution))
				.map(({ booking }) => booking);

			expect(interrupted.length).toBeGreaterThan(0);
			expect(bookings).toEqual(uniq(bookings));
			expect(put).toEqual(whole.map(() => ITEMS));
			expect(cluster.work().filter((count) => count > 0).length).toBeGreaterThanOrEqual(WORKERS);
			await cluster.stop();
			await service.close();
		}, 1_800_000);
	},
);
