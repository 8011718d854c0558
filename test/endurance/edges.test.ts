import { setTimeout as sleep } from 'node:timers/promises';
import { DURABLE_CURSORS, OwnN8n } from '../support/ownN8n';
import { eventually, PATIENT_MS } from '../support/progress';
import { PublishedTriggers } from '../support/publishedTrigger';

const MINUTE = 60_000;
let site: PublishedTriggers<OwnN8n> | undefined;

afterEach(async () => await site?.stop());

async function start(env: Record<string, string>): Promise<PublishedTriggers<OwnN8n>> {
	site = await PublishedTriggers.start(OwnN8n.start({ env }));
	return site;
}

/** Until n8n's scheduler waits after a poll that failed. @returns the end of the wait, in milliseconds since 1970 */
async function backoffOf(n8n: OwnN8n): Promise<number> {
	const row = () => n8n.row('SELECT backoffUntil FROM poller_state WHERE consecutiveErrors > 0');
	const { backoffUntil } = await eventually('a poll has failed', row, PATIENT_MS);
	return Date.parse(`${String(backoffUntil).replace(' ', 'T')}Z`);
}

it('n8n waits after a failed poll as long as the service asks for, half an hour for a wrong secret, and nothing is lost by it', async () => {
	const all = await start(DURABLE_CURSORS);
	const { n8n, sandbox } = all;
	const workflow = await all.publish({ event: 'bookingCreated' });
	await all.polls(1);
	await all.fault({ kind: 'rateLimit', status: 429, seconds: 120 });
	const made = await all.book(2);
	const asked = await backoffOf(n8n);
	await all.mend();
	expect(asked - Date.now()).toBeGreaterThan(90_000);
	expect(asked - Date.now()).toBeLessThan(121_000);
	await all.untilDelivered(made);
	expect(Date.now()).toBeGreaterThan(asked);

	await all.changeCredential({ clientSecret: 'wrong' });
	await sandbox.control('POST', '/tokens/revoke');
	made.push(...(await all.book(2)));
	const half = await backoffOf(n8n);
	expect(half - Date.now()).toBeGreaterThan(28 * MINUTE);
	expect(half - Date.now()).toBeLessThan(31 * MINUTE);
	await all.changeCredential();
	await n8n.client.deactivate(workflow);
	await n8n.client.activate(workflow);
	await all.untilDelivered(made);
	await all.polls(2);
	expect(all.bookings).toEqual(Object.fromEntries(made.map(({ guid }) => [guid, 1])));
});

it.each([
	{ cursors: 'twice, with the same event id each time, where each polls for itself', env: {}, times: 2 },
	{ cursors: 'once with durable cursors', env: DURABLE_CURSORS, times: 1 },
])('two n8n processes on one database emit everything $cursors', async ({ env, times }) => {
	const all = await start(env);
	await all.publish({ event: 'bookingCreated' });
	await all.n8n.startAnother();
	const made = await all.book(3);
	await all.untilDelivered(made);
	await all.polls(4);
	await sleep(5000);
	expect(Object.values(all.bookings)).toEqual([times, times, times]);
	expect(Object.values(all.rows)).toEqual([times, times, times]);
});
