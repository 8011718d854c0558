import { Expression } from 'n8n-workflow';

import { withoutHelp } from '../../../../nodes/shared/errors/help';
import { useService } from '../../support/service';
import { getCustomers, shown } from '../../support/standIn';

const here = useService();

const calls = async () => (await here.service.requests()).length;

describe('a GET', () => {
	it('is given up after 3 repeats, with the status, the operation and the item', async () => {
		await here.service.answer({ title: 'Down for maintenance' }, 503);
		const { error } = await getCustomers(here);
		expect(await calls()).toBe(4);
		expect(error?.message).toBe('The service is not available (503) – Get many customers [item 0]');
		expect(error?.description).toContain('Down for maintenance');
	});
});

describe('an answer', () => {
	it('without a body, or of null, yields no items for a list', async () => {
		await here.service.inject({ times: 1, fault: { kind: 'empty', status: 204 } });
		await here.service.answer('null');
		expect((await getCustomers(here)).json()).toEqual([]);
		expect((await getCustomers(here)).json()).toEqual([]);
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
		['no body', { kind: 'empty', status: 404 }, /found no such record \(404\)/],
	])('of %s becomes a message to read, with the item', async (_, fault, expected) => {
		await here.service.inject({ fault });
		const message = shown(await getCustomers(here));
		expect(message).toMatch(expected);
		expect(message).toContain('[item 0]');
		expect(withoutHelp(message)).not.toMatch(/<|undefined|\[object|\b(error|failure|problem|mistake)\b/i);
	});
});

it('Each expression is evaluated once an item', async () => {
	const evaluate = jest.spyOn(Expression.prototype, 'resolveSimpleParameterValue');
	const limit = '={{ $json.number + 1 }}';
	await here.engine.execute({
		node: 'hospitalityBooking',
		parameters: { resource: 'customer', operation: 'getAll', limit },
		items: Array.from({ length: 30 }, (_, number) => ({ number })),
	});
	const evaluated = evaluate.mock.calls.filter(([value]) => String(value).includes('$json.number + 1'));
	evaluate.mockRestore();
	expect(evaluated).toHaveLength(30);
});

it('What a deployment does differently goes along as extra headers and query parameters', async () => {
	await here.engine.credentials.edit('hospitalityBookingApi', {
		advanced: true,
		extraHeaders: { entry: [{ name: 'X-Source', value: 'n8n' }] },
		extraQueryParameters: { entry: [{ name: 'lang', value: 'sv & no' }] },
	});
	await getCustomers(here);
	const [request] = await here.service.requests();
	expect(request?.headers['x-source']).toBe('n8n');
	expect(request?.query).toMatchObject({ lang: 'sv & no' });
});
