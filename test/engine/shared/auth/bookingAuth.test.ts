import { setTimeout as sleep } from 'node:timers/promises';
import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { bookingAuth } from '../../../../nodes/shared/auth/bookingAuth';
import { tokenFor } from '../../../../nodes/shared/auth/tokens';
import type { Sender } from '../../../../nodes/shared/http/helpers';
import { FIRST_WINDOW } from '../../../../nodes/shared/http/concurrency/limiter';
import { createEngine, type Engine, type Run } from '../../support/engine';
import { bookingCredential, type Service, unknownService } from '../../support/service';

const ITEMS = 60;

let service: Service;
let engine: Engine;

// Unknown for each test: the package keeps a token for each account and address.
beforeEach(async () => {
	service = await unknownService();
	engine = await createEngine({ credentials: { hospitalityBookingApi: bookingCredential(service.info) } });
});

/** One call an item. */
async function run(items: number, data?: ICredentialDataDecryptedObject): Promise<Run> {
	if (data) await engine.credentials.add('hospitalityBookingApi', 'hospitalityBookingApi', data);
	return await engine.execute({
		node: 'hospitalityBooking',
		parameters: { resource: 'customer', operation: 'getAll', limit: 1 },
		items: Array.from({ length: items }, (_, number) => ({ number })),
	});
}

test('asks for 1 token and fails no call on first use, however many items there are', async () => {
	const first = await run(ITEMS);

	expect(first.error).toBeUndefined();
	expect(first.itemsOf().flat()).toEqual(Array.from({ length: ITEMS }, (_, item) => item));
	expect(await service.stats()).toMatchObject({ requests: ITEMS + 1, tokenRequests: 1, failedCalls: 0 });
});

test('shares 1 token request between nodes that start at the same moment', async () => {
	await Promise.all([run(20), run(20), run(20)]);

	expect(await service.stats()).toMatchObject({ tokenRequests: 1, failedCalls: 0 });
});

test('replaces an expired token before it is used, with 1 request and no failed call', async () => {
	await service.control('PUT', '/tokens', { lifetimeSeconds: 1 });
	await run(1);
	await service.control('PUT', '/tokens', { lifetimeSeconds: 3600 });
	await sleep(1100);
	await service.forgetRequests();
	const second = await run(ITEMS);

	expect(second.json()).toHaveLength(ITEMS);
	expect(await service.stats()).toMatchObject({ requests: ITEMS + 1, tokenRequests: 1, failedCalls: 0 });
});

test('replaces a token that was revoked early with 1 request and repeats each call it failed once', async () => {
	await run(1);
	await service.control('POST', '/tokens/revoke');
	await service.forgetRequests();
	const second = await run(ITEMS);
	const { requests, tokenRequests, failedCalls } = await service.stats();

	expect(second.error).toBeUndefined();
	expect(second.json()).toHaveLength(ITEMS);
	expect(tokenRequests).toBe(1);
	expect(failedCalls).toBeGreaterThan(0);
	expect(failedCalls).toBeLessThanOrEqual(FIRST_WINDOW);
	expect(requests).toBe(ITEMS + failedCalls + 1);
});

test('polls with what the credential holds by then, though the workflow stays published', async () => {
	const trigger = engine.trigger({
		node: 'hospitalityBookingTrigger',
		parameters: { event: 'bookingCreated' },
	});
	await trigger.activate();
	const data = { ...bookingCredential(service.info), system: 'not-a-system' };
	await engine.credentials.add('hospitalityBookingApi', 'hospitalityBookingApi', data);
	await service.forgetRequests();
	await trigger.poll();
	const systems = (await service.requests()).map(({ headers }) => headers.system).filter(Boolean);

	expect(systems).toEqual(['not-a-system']);
});

test('answers a wrong secret with one clear error and no retries', async () => {
	const refused = await run(ITEMS, { ...bookingCredential(service.info), clientSecret: 'not-the-secret' });

	expect(refused.status).toBe('error');
	expect(refused.error?.message).toMatch(/'Client ID' and 'Client Secret'/);
	expect(await service.stats()).toMatchObject({ requests: 1, tokenRequests: 1 });
});

test('tells n8n how long a service asks to wait that issues no token', async () => {
	const fault = { kind: 'rateLimit', retryAfter: 'seconds', seconds: 120 };
	await service.control('POST', '/faults', { path: '/connect/token', fault });

	expect((await run(1)).error).toMatchObject({
		failure: { cause: 'rate-limited', retryAfterMs: 120_000 },
	});
});

test('puts no secret into messages, items or logs', async () => {
	const secret = 'not-the-secret-at-all';
	const refused = await run(3, { ...bookingCredential(service.info), clientSecret: secret });
	const accepted = await run(3, bookingCredential(service.info));
	const account = bookingAuth.readAccount(bookingCredential(service.info));
	const { token } = await tokenFor({} as Sender, account);
	const shown = JSON.stringify([refused.data, accepted.data, engine.log]);

	expect(accepted.json()).toHaveLength(3);
	expect(token.length).toBeGreaterThan(20);
	for (const hidden of [secret, service.info.clientSecret, token]) expect(shown).not.toContain(hidden);
});
