import type { INodeParameters } from 'n8n-workflow';
import type { Engine, Run } from './support/engine';
import { bookingCredential, readyEngine, Service } from './support/service';

let service: Service;
let engine: Engine;

beforeAll(async () => {
	service = await Service.start();
});

afterAll(async () => {
	await service.stop();
});

beforeEach(async () => {
	engine = await readyEngine(service);
});

async function getMany(parameters: INodeParameters): Promise<Run> {
	return await engine.execute({
		node: 'hospitalityBooking',
		parameters: { resource: 'customer', operation: 'getAll', ...parameters },
	});
}

test('asks for all customers without a filter and stops at Limit', async () => {
	const run = await getMany({ limit: 4 });

	expect(run.json()).toHaveLength(4);
	expect(await service.requests()).toMatchObject([
		{
			method: 'GET',
			path: '/api/booking/v1/booking/customers',
			query: {},
			headers: { system: service.info.system },
		},
	]);
});

test('returns every customer with Return All', async () => {
	const run = await getMany({ returnAll: true });
	const stored = await service.control<unknown[]>('GET', '/state/customers');

	expect(run.json()).toHaveLength(stored.length);
});

test('returns those changed after a time, given as a date in the time zone of the credential', async () => {
	await engine.credentials.add('oslo', 'hospitalityBookingApi', {
		...bookingCredential(service.info),
		timeZone: 'Europe/Oslo',
	});
	await engine.execute({
		node: 'hospitalityBooking',
		parameters: {
			resource: 'customer',
			operation: 'getAll',
			filters: { changedFromUtc: '2026-07-01T00:00:00' },
		},
		credentials: { hospitalityBookingApi: 'oslo' },
	});

	const [request] = await service.requests();
	expect(Object.keys(request?.query ?? {})).toEqual(['changedFromUtc']);
	expect(new Date(String(request?.query.changedFromUtc))).toEqual(new Date('2026-06-30T22:00:00Z'));
});

test('works on another system with the option System', async () => {
	await getMany({ options: { system: service.info.secondSystem } });

	const [request] = await service.requests();
	expect(request?.headers.system).toBe(service.info.secondSystem);
});
