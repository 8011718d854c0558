import { setTimeout as sleep } from 'node:timers/promises';

import { until } from '../support/progress';
import { PublishedTriggers } from '../support/publishedTrigger';

const MINUTE = 60_000;
let n8n: PublishedTriggers;

afterEach(async () => {
	await (n8n as PublishedTriggers | undefined)?.stop();
});

describe("n8n's waiting between failed polls", () => {
	it('is as long as the service asks for, half an hour for a wrong secret, and nothing is lost by it', async () => {
		n8n = await PublishedTriggers.start(true);
		const workflow = await n8n.create({ event: 'bookingCreated' });
		await n8n.publish(workflow);
		await n8n.polls(1);
		await n8n.fault({ kind: 'rateLimit', status: 429, seconds: 120 });
		const made = await n8n.book(2);
		await until('a poll has failed', () => (n8n.pollerState(workflow)?.consecutiveErrors ?? 0) > 0);
		const asked = n8n.pollerState(workflow)?.backoffUntil ?? 0;
		await n8n.mend();
		expect(asked - Date.now()).toBeGreaterThan(90_000);
		expect(asked - Date.now()).toBeLessThan(121_000);
		await n8n.untilDelivered(made);
		expect(Date.now()).toBeGreaterThan(asked);

		await n8n.changeCredential({ clientSecret: 'wrong' });
		await n8n.sandbox.control('POST', '/tokens/revoke');
		made.push(...(await n8n.book(2)));
		await until('a poll has failed', () => (n8n.pollerState(workflow)?.consecutiveErrors ?? 0) > 0);
		const half = n8n.pollerState(workflow)?.backoffUntil ?? 0;
		expect(half - Date.now()).toBeGreaterThan(28 * MINUTE);
		expect(half - Date.now()).toBeLessThan(31 * MINUTE);
		await n8n.changeCredential();
		await n8n.unpublish(workflow);
		await n8n.publish(workflow);
		await n8n.untilDelivered(made);
		await n8n.polls(2);
		expect([...n8n.bookings].sort()).toEqual(made.map((guid) => [guid, 1]).sort());
	});
});

describe('two n8n processes on one database', () => {
	async function deliveriesOf(durable: boolean): Promise<number[]> {
		n8n = await PublishedTriggers.start(durable);
		await n8n.publish(await n8n.create({ event: 'bookingCreated' }));
		await n8n.startAnother();
		const made = await n8n.book(3);
		await n8n.untilDelivered(made);
		await n8n.polls(4);
		await sleep(5000);
		return [...n8n.bookings.values()];
	}

	it('emit everything twice, with the same event id each time, where each polls for itself', async () => {
		expect(await deliveriesOf(false)).toEqual([2, 2, 2]);
		expect(n8n.rows.size).toBe(3);
	});

	it('emit everything once with durable cursors', async () => {
		expect(await deliveriesOf(true)).toEqual([1, 1, 1]);
	});
});
