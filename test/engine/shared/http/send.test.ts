import { useService } from '../../support/service';
import { getCustomers } from '../../support/standIn';

const here = useService();

it('A GET is given up after 3 repeats, with the status, the operation and the item', async () => {
	await here.service.answer({ title: 'Down for maintenance' }, 503);
	const { error } = await getCustomers(here);
	expect(await here.service.requests()).toHaveLength(4);
	expect(error?.message).toBe('The service is not available (503) – Get many customers [item 0]');
	expect(error?.description).toContain('Down for maintenance');
});

it('A response of 204 yields no items for a list', async () => {
	await here.service.inject({ fault: { kind: 'empty', status: 204 } });
	expect((await getCustomers(here)).json()).toEqual([]);
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
