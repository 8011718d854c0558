import { eventually, PATIENT_MS, say } from '../support/progress';
import { type CheckIns, publishCheckIns } from './support/checkIns';
import { type Cluster, runningOn, startCluster, workByWorker } from './support/cluster';
import { CountingService } from './support/countingService';
import { SHORT, WORKERS } from './support/form';

const EXECUTIONS = SHORT ? 4 : 20;
const ITEMS = SHORT ? 200 : 1000;

describe(`one main and ${WORKERS} workers`, () => {
	let cluster: Cluster;
	let service: CountingService;
	let checkIns: CheckIns;

	beforeAll(async () => {
		cluster = await startCluster(WORKERS);
	});
	afterAll(async () => await cluster.stop());
	beforeEach(async () => {
		service = await CountingService.start();
		checkIns = await publishCheckIns(cluster, service);
	});
	afterEach(async () => {
		await checkIns.end();
		await service.close();
	});

	/** Each execution checks in bookings of its own. */
	async function startAll(items = ITEMS): Promise<void> {
		for (let index = 0; index < EXECUTIONS; index++) await checkIns.start(1 + index * items, items);
	}

	function expectAllOnce(items = ITEMS): void {
		expect(new Set(service.acts.map(({ bookingRootId }) => bookingRootId)).size).toBe(EXECUTIONS * items);
		expect(service.acts).toHaveLength(EXECUTIONS * items);
	}

	it(`request a token at most once for each process, with ${EXECUTIONS} executions at once`, async () => {
		await startAll(ITEMS / 10);
		await checkIns.settle();
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
		await checkIns.settle();
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
		await checkIns.settle();
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
		await checkIns.settle(interrupted);
		const whole = (await checkIns.outputs()).filter(({ id }) => !interrupted.has(id));
		const acts = service.acts.filter(({ execution }) => !interrupted.has(execution));
		const work = workByWorker(cluster);
		const failed = whole.reduce((sum, execution) => sum + execution.failed, 0);
		say(`${interrupted.size} executions interrupted; on the error output of the others: ${failed} items`);
		say(`executions by worker: ${JSON.stringify(work)}`);
		expect(interrupted.size).toBeGreaterThan(0);
		expect(new Set(acts.map(({ bookingRootId }) => bookingRootId)).size).toBe(acts.length);
		expect(whole.map(({ answered }) => answered)).toEqual(whole.map(() => ITEMS));
		expect(Object.values(work).filter((count) => count > 0).length).toBeGreaterThanOrEqual(WORKERS);
	});
});
