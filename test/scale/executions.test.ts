import { say, until } from '../support/progress';
import { type Cluster, runningOn, startCluster, workByWorker } from './support/cluster';
import { answeredItems, publishCheckIns, repetitionsIn } from './support/checkIns';
import { type CountingService, startCountingService } from './support/countingService';
import { SHORT, WORKERS } from './support/form';

const EXECUTIONS = SHORT ? 4 : 20;
const ITEMS = SHORT ? 200 : 1000;

describe(`one main and ${WORKERS} workers`, () => {
	let cluster: Cluster;
	let service: CountingService;

	beforeAll(async () => {
		cluster = await startCluster(WORKERS);
	});
	afterAll(async () => await cluster.remove());
	beforeEach(async () => {
		service = await startCountingService();
	});
	afterEach(async () => await service.close());

	it(`request a token at most once for each process, with ${EXECUTIONS} executions at once`, async () => {
		const checkIns = await publishCheckIns(cluster, service);
		for (let index = 0; index < EXECUTIONS; index++) await checkIns.start(1 + index * ITEMS, ITEMS / 10);
		await checkIns.settle();
		say(`first use: ${service.tokenRequests} token requests, ${service.unauthorized} refused calls`);
		expect(service.acts).toHaveLength((EXECUTIONS * ITEMS) / 10);
		expect(service.tokenRequests).toBeGreaterThan(0);
		expect(service.tokenRequests).toBeLessThanOrEqual(WORKERS);
		expect(service.unauthorized).toBe(0);
		await checkIns.end();
	});

	it('request a token at most once more for each process when all are revoked while they work, and fail no item', async () => {
		service.settings.latencyMs = 20;
		const checkIns = await publishCheckIns(cluster, service);
		for (let index = 0; index < EXECUTIONS; index++) await checkIns.start(1 + index * ITEMS, ITEMS);
		await until('all workers work', () => service.acts.length > (EXECUTIONS * ITEMS) / 4);
		const before = service.tokenRequests;
		service.revokeTokens();
		await checkIns.settle();
		const further = service.tokenRequests - before;
		say(`early revocation: ${before} + ${further} token requests, ${service.unauthorized} refused calls`);
		expect(new Set(service.acts.map(({ bookingRootId }) => bookingRootId)).size).toBe(EXECUTIONS * ITEMS);
		expect(service.acts).toHaveLength(EXECUTIONS * ITEMS);
		expect(further).toBeGreaterThan(0);
		expect(further).toBeLessThanOrEqual(WORKERS);
		await checkIns.end();
	});

	it('keep to a service that takes 50 calls at once, and check in everything', async () => {
		Object.assign(service.settings, { latencyMs: 100, callsAtOnce: 50 });
		const checkIns = await publishCheckIns(cluster, service);
		const began = performance.now();
		for (let index = 0; index < EXECUTIONS; index++) await checkIns.start(1 + index * ITEMS, ITEMS);
		await checkIns.settle();
		const seconds = (performance.now() - began) / 1000;
		const least = (EXECUTIONS * ITEMS * 0.1) / 50;
		const share = service.tooMany / service.calls;
		say(
			`50 at once: ${seconds.toFixed(1)} s (least possible ${least.toFixed(1)} s), ${(100 * share).toFixed(1)} % answered with 429, at most ${service.mostAtOnce} at once`,
		);
		expect(service.acts).toHaveLength(EXECUTIONS * ITEMS);
		await checkIns.end();
	});

	it('act once for each item while calls fail and a worker is killed, but for what n8n itself runs again', async () => {
		Object.assign(service.settings, { latencyMs: 20, unavailableShare: 0.005, cutShare: 0.01 });
		const checkIns = await publishCheckIns(cluster, service);
		for (let index = 0; index < EXECUTIONS; index++) await checkIns.start(1 + index * ITEMS, ITEMS);
		await until('a third is done', () => service.acts.length > (EXECUTIONS * ITEMS) / 3);
		const interrupted = new Set(cluster.workers.slice(0, 1).flatMap(runningOn));
		await cluster.replaceWorker(0);
		await checkIns.settle(interrupted);
		const items = await answeredItems(cluster, checkIns.workflow);
		const { byARetryOfOurs, byN8n } = repetitionsIn(service.acts, interrupted);
		const whole = [...items].filter(([id]) => !interrupted.has(id));
		const unanswered = [...items]
			.filter(([id]) => interrupted.has(id))
			.reduce((sum, [, { answered }]) => sum + ITEMS - answered, 0);
		say(
			`${interrupted.size} executions interrupted; acted on twice by a retry: ${byARetryOfOurs.length}; run again by n8n: ${byN8n.length} items; items without an answer: ${unanswered}, all of interrupted executions; on the error output: ${whole.reduce((sum, [, { failed }]) => sum + failed, 0)}`,
		);
		const work = workByWorker(cluster);
		say(
			Object.entries(work)
				.map(([name, count]) => `${name}: ${count} executions`)
				.join('; '),
		);
		expect(interrupted.size).toBeGreaterThan(0);
		expect(byARetryOfOurs).toEqual([]);
		expect(whole.map(([, { answered }]) => answered)).toEqual(whole.map(() => ITEMS));
		expect(Object.values(work).filter((count) => count > 0).length).toBeGreaterThanOrEqual(WORKERS);
		await checkIns.end();
	});
});
