import times from 'lodash/times';
import { NODE_UNDER_TEST, outputOf, packageNode, webhookWorkflow } from '../../dev/runner.ts';
import type { StoredWorkflow } from '../../dev/n8nClient.ts';
import { credentialsAt } from '../engine/support/server';
import { eventually, PATIENT_MS, say } from '../support/progress';
import {
	type Cluster,
	WORKERS,
	describeCluster,
	runningOn,
	startCluster,
	workByWorker,
} from './support/cluster';
import { CountingService } from './support/countingService';

const EXECUTIONS = 4;
const ITEMS = 200;
/** With the number of the execution as cashier. */
const CHECK_IN = {
	resource: 'checkoutBooking',
	operation: 'checkIn',
	bookingRootId: '={{ $json.bookingRootId }}',
	additionalFields: { cashierName: '={{ $execution.id }}' },
};
let published = 0;

describeCluster(`one main and ${WORKERS} workers`, () => {
	let cluster: Cluster;
	let service: CountingService;
	let path: string;
	let workflow: StoredWorkflow;

	beforeAll(async () => {
		cluster = await startCluster(WORKERS);
	});
	afterAll(async () => await cluster?.stop());
	beforeEach(async () => {
		service = await CountingService.start();
		const { client } = cluster;
		const { hospitalityBookingApi: data } = credentialsAt(service.url);
		path = `check-in-${++published}`;
		const credential = await client.createCredential(path, 'hospitalityBookingApi', data);
		const node = packageNode('hospitalityBooking', CHECK_IN, credential, { onError: 'continueErrorOutput' });
		workflow = await client.createWorkflow(webhookWorkflow(path, node, 'onReceived'));
		await client.activate(workflow);
	});
	afterEach(async () => {
		await cluster.client.deactivate(workflow);
		await service.close();
	});

	/** Each execution checks in bookings of its own; returns before they have ended. */
	async function startAll(items = ITEMS): Promise<void> {
		for (let index = 0; index < EXECUTIONS; index++) {
			const bookings = times(items, (item) => ({ bookingRootId: 1 + index * items + item }));
			const { status } = await cluster.client.callWebhook(path, { items: bookings });
			expect(status).toBe(200);
		}
	}

	/**
	 * Waits until no execution is in the queue or running.
	 *
	 * @param interrupted executions not to wait for: n8n gives them up only minutes after their worker has died
	 */
	async function settle(interrupted: ReadonlySet<string> = new Set()): Promise<void> {
		await eventually(
			'all executions have ended',
			async () => {
				const unfinished = await cluster.unfinishedExecutions(workflow.id);
				return unfinished.every((id) => interrupted.has(id));
			},
			PATIENT_MS,
		);
	}

	function expectAllOnce(items = ITEMS): void {
		expect(new Set(service.acts.map(({ bookingRootId }) => bookingRootId)).size).toBe(EXECUTIONS * items);
		expect(service.acts).toHaveLength(EXECUTIONS * items);
	}

	it(`request a token at most once for each process, with ${EXECUTIONS} executions at once`, async () => {
		await startAll(ITEMS / 10);
		await settle();
		say(`first use: ${service.tokenRequests} token requests, ${service.unauthorized} refused calls`);
		expectAllOnce(ITEMS / 10);
		expect(service.tokenRequests).toBeGreaterThan(0);
		expect(service.tokenRequests).toBeLessThanOrEqual(WORKERS);
		expect(service.unauthorized).toBe(0);
	});

	it('request a token at most once more for each process when all are revoked while they work, and fail no item', async () => {
		service.settings.latencyMs = 20;
		await startAll();
		await eventually('all workers work', () => service.acts.length > (EXECUTIONS * ITEMS) / 4, PATIENT_MS);
		const before = service.tokenRequests;
		service.revokeTokens();
		await settle();
		const further = service.tokenRequests - before;
		say(`early revocation: ${before} + ${further} token requests, ${service.unauthorized} refused calls`);
		expectAllOnce();
		expect(further).toBeGreaterThan(0);
		expect(further).toBeLessThanOrEqual(WORKERS);
	});

	it('keep to a service that takes 50 calls at once, and check in everything', async () => {
		Object.assign(service.settings, { latencyMs: 100, callsAtOnce: 50 });
		const began = performance.now();
		await startAll();
		await settle();
		const seconds = (performance.now() - began) / 1000;
		const share = (100 * service.tooMany) / service.calls;
		say(`50 at once: ${seconds.toFixed(1)} s, ${share.toFixed(1)} % answered with 429`);
		expectAllOnce();
	});

	it('act once for each item while calls fail and a worker is killed, but for what n8n itself runs again', async () => {
		Object.assign(service.settings, { latencyMs: 20, unavailableShare: 0.005, cutShare: 0.01 });
		await startAll();
		await eventually('a third is done', () => service.acts.length > (EXECUTIONS * ITEMS) / 3, PATIENT_MS);
		const interrupted = new Set(cluster.workers.slice(0, 1).flatMap(runningOn));
		await cluster.replaceWorker(0);
		await settle(interrupted);
		const executions = await cluster.client.executions(workflow.id, 100);
		const whole = executions.filter(({ id }) => !interrupted.has(id));
		const answered: number[] = [];
		let failed = 0;
		for (const { id } of whole) {
			const execution = await cluster.client.execution(id);
			const failures = outputOf(execution, NODE_UNDER_TEST, 1).length;
			answered.push(outputOf(execution).length + failures);
			failed += failures;
		}
		const acts = service.acts.filter(({ execution }) => !interrupted.has(execution));
		const work = workByWorker(cluster);
		say(`${interrupted.size} executions interrupted; on the error output of the others: ${failed} items`);
		say(`executions by worker: ${JSON.stringify(work)}`);
		expect(interrupted.size).toBeGreaterThan(0);
		expect(new Set(acts.map(({ bookingRootId }) => bookingRootId)).size).toBe(acts.length);
		expect(answered).toEqual(whole.map(() => ITEMS));
		expect(Object.values(work).filter((count) => count > 0).length).toBeGreaterThanOrEqual(WORKERS);
	});
});
