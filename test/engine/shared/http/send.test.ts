import { setTimeout as sleep } from 'node:timers/promises';

import { Expression } from 'n8n-workflow';

import { withoutHelp } from '../../../../nodes/shared/errors/help';
import type { Engine, Run } from '../../support/engine';
import { useService } from '../../support/service';

const GUID = '3f2504e0-4f89-41d3-9a0c-0305e82c3301';

const here = useService();

type Execution = Parameters<Engine['execute']>[0];

async function getCustomers(options: Partial<Execution> = {}): Promise<Run> {
	const { parameters, ...rest } = options;
	return await here.engine.execute({
		node: 'hospitalityBooking',
		parameters: { resource: 'customer', operation: 'getAll', limit: 1, output: 'raw', ...parameters },
		...rest,
	});
}

async function cancel(options: Partial<Execution> = {}): Promise<Run> {
	return await here.engine.execute({
		node: 'hospitalityBooking',
		parameters: { resource: 'webBooking', operation: 'cancel', webBookingId: GUID, output: 'raw' },
		...options,
	});
}

const calls = async () => (await here.service.requests()).length;
const message = (run: Run) => `${String(run.error?.message)} | ${String(run.error?.description)}`;

describe('a GET', () => {
	it.each([
		['503 with Retry-After as a date', { kind: 'rateLimit', status: 503, retryAfter: 'date', seconds: 0 }],
		['a cut connection', { kind: 'cut' }],
		['an answer cut half way', { kind: 'cutMidBody' }],
	])('is repeated after %s', async (_, fault) => {
		await here.service.inject({ times: 1, fault });
		const run = await getCustomers();
		expect(run.error).toBeUndefined();
		expect(run.json()).toHaveLength(1);
		expect(await calls()).toBe(2);
	});

	it('is given up after 3 repeats, with the status, the operation and the item', async () => {
		await here.service.inject({ fault: { kind: 'status', status: 503, body: { title: 'Down for maintenance' } } });
		const run = await getCustomers();
		expect(await calls()).toBe(4);
		expect(run.error?.message).toBe('The service is not available (503) – Get many customers [item 0]');
		expect(run.error?.description).toContain('Down for maintenance');
	});

	it('stops waiting at once when the execution is cancelled', async () => {
		await here.service.inject({ fault: { kind: 'rateLimit', retryAfter: 'seconds', seconds: 55 } });
		const stop = new AbortController();
		const running = getCustomers({ signal: stop.signal });
		while ((await calls()) === 0) await sleep(20);
		stop.abort();
		await running;
		expect(await calls()).toBe(1);
	});
});

describe('a call that changes something', () => {
	it.each([
		['503 without Retry-After', { kind: 'rateLimit', status: 503, retryAfter: 'none' }],
		['a cut connection', { kind: 'cut' }],
	])('is never repeated after %s, because the service may have acted', async (_, fault) => {
		await here.service.inject({ fault });
		expect((await cancel()).error).toBeDefined();
		expect(await calls()).toBe(1);
	});

	it('is repeated after 503 with Retry-After, because the service has not acted', async () => {
		await here.service.inject({ times: 1, fault: { kind: 'rateLimit', status: 503, retryAfter: 'seconds', seconds: 0 } });
		await cancel();
		expect(await calls()).toBe(2);
	});
});

describe('an answer', () => {
	it('without a body is a success for a change and no items for a list', async () => {
		await here.service.inject({ fault: { kind: 'empty', status: 204 } });
		expect((await cancel()).json()).toEqual([{ success: true }]);
		expect((await getCustomers()).json()).toEqual([]);
	});

	it('of null yields no items', async () => {
		await here.service.inject({ fault: { kind: 'status', status: 200, body: 'null', contentType: 'application/json' } });
		expect((await getCustomers()).json()).toEqual([]);
	});

	it.each([
		['HTML with status 200', { kind: 'html', status: 200 }, /something other than data \(200\)/],
		['HTML from a proxy', { kind: 'html', status: 403 }, /not allowed to do this \(403\)/],
		['malformed JSON', { kind: 'malformed' }, /breaks off or is not valid JSON/],
		[
			'an object instead of a list',
			{ kind: 'status', status: 200, body: { a: 1 } },
			/something other than data/,
		],
		[
			'plain text',
			{ kind: 'status', status: 400, body: 'no such thing', contentType: 'text/plain' },
			/no such thing/,
		],
		[
			'ProblemDetails',
			{
				kind: 'status',
				status: 400,
				body: { title: 'Not valid', extensions: { errors: { changedFromUtc: ['is bad'] } } },
			},
			/Not valid.*'changedFromUtc': is bad/,
		],
		[
			'an OAuth error',
			{ kind: 'status', status: 400, body: { error: 'invalid_scope', error_description: 'no' } },
			/invalid_scope: no/,
		],
		['no body', { kind: 'empty', status: 404 }, /did not find what was asked for \(404\)/],
	])('of %s becomes a message to read, with the item', async (_, fault, expected) => {
		await here.service.inject({ fault });
		const run = await getCustomers();
		expect(message(run)).toMatch(expected);
		expect(message(run)).toContain('[item 0]');
		expect(withoutHelp(message(run))).not.toMatch(
			/<|undefined|\[object|\b(error|failure|problem|mistake)\b/i,
		);
	});
});

describe('many items', () => {
	const items = Array.from({ length: 30 }, (_, number) => ({ number }));

	it.each([201, 2.5])(
		"are refused with %p for 'Concurrency Limit', before anything is sent",
		async (callsAtOnce) => {
			const run = await getCustomers({ items, parameters: { options: { callsAtOnce } } });
			expect(run.error?.message).toContain("'Concurrency Limit'");
			expect(await calls()).toBe(0);
		},
	);

	it('have each expression evaluated once an item', async () => {
		const evaluate = jest.spyOn(Expression.prototype, 'resolveSimpleParameterValue');
		await getCustomers({ items, parameters: { limit: '={{ $json.number + 1 }}' } });
		const evaluated = evaluate.mock.calls.filter(([value]) => String(value).includes('$json.number + 1'));
		evaluate.mockRestore();
		expect(evaluated).toHaveLength(items.length);
	});

	it('are all tried and linked when the node goes on', async () => {
		await here.service.inject({ times: 7, fault: { kind: 'status', status: 400 } });
		const run = await getCustomers({
			items,
			onError: 'continueErrorOutput',
			after: { number: "={{ $('Before').item.json.number }}" },
		});
		expect(run.output(0)).toHaveLength(23);
		expect(run.output(1)).toHaveLength(7);
		const numbers = [...run.after(0), ...run.after(1)].map(({ number }) => Number(number));
		expect(numbers.sort((one, other) => one - other)).toEqual(items.map(({ number }) => number));
	});
});

describe('what a deployment does differently', () => {
	it('goes along as extra headers and query parameters', async () => {
		const options = {
			extraHeaders: { entry: [{ name: 'X-Source', value: 'n8n' }] },
			extraQuery: { entry: [{ name: 'lang', value: 'sv & no' }] },
		};
		await getCustomers({ parameters: { options } });
		const [request] = await here.service.requests();
		expect(request?.headers['x-source']).toBe('n8n');
		expect(request?.query).toMatchObject({ lang: 'sv & no' });
	});

	it('is refused without a name', async () => {
		const options = { extraHeaders: { entry: [{ name: ' ', value: 'n8n' }] } };
		expect((await getCustomers({ parameters: { options } })).error?.message).toContain(
			"'Extra Headers 1' has no valid name",
		);
		expect(await calls()).toBe(0);
	});
});
