import type { INodeTypeDescription } from 'n8n-workflow';
import { manifest } from '../support/packageSources';
import { rows } from '../support/sampleForm';
import { connect, foundStack } from './support/stack.ts';

const { client } = connect();
let types: INodeTypeDescription[];

beforeAll(async () => {
	types = (await client.request('GET', '/types/nodes.json')) as INodeTypeDescription[];
});

const typeOf = (name: string) => types.find((type) => type.name === `${manifest.name}.${name}`);
const load = (path: string) => fetch(`${foundStack().url}/${path}`);

it.each(['hospitalityBooking', 'hospitalityBookingTrigger', 'hospitalityPayment'])(
	'the nodes panel shows %s with its own icons for light and dark',
	async (name) => {
		const { light, dark } = Object(typeOf(name)?.iconUrl) as Record<string, string>;
		for (const url of [light, dark]) {
			expect((await load(String(url))).headers.get('content-type')).toMatch(/^image\/svg\+xml/);
		}
	},
);

it.each(rows)('n8n serves the preview of $id', async ({ id, service }) => {
	const node = service.credential.replace('Api', '');
	const path = `schemas/${manifest.name}.${node}/1.0.0/${id.replace('.', '/')}.json`;
	expect(await (await load(path)).json()).toMatchObject({
		type: expect.stringMatching(/^(object|array)$/) as string,
	});
});

it('offers both nodes to AI agents as tools, and both credential types', async () => {
	const credentials = (await client.request('GET', '/types/credentials.json')) as Array<{
		name: string;
	}>;
	const names = [...types, ...credentials].map(({ name }) => name.replace(`${manifest.name}.`, ''));
	expect(names).toEqual(
		expect.arrayContaining([
			'hospitalityBookingTool',
			'hospitalityPaymentTool',
			'hospitalityBookingApi',
			'hospitalityPaymentApi',
		]),
	);
});
