import { type Connection, connect, foundStack } from './support/stack.ts';

const PACKAGE = 'n8n-nodes-hospitality-booking';

/** n8n's own entry in every list of operations. */
const ADDED_BY_N8N = '__CUSTOM_API_CALL__';

interface NodeType {
	name: string;
	displayName: string;
	iconUrl?: string | { light: string; dark: string };
	usableAsTool?: boolean;
	properties: Array<{
		name: string;
		options?: Array<{ value: string }>;
		displayOptions?: { show?: Record<string, string[]> };
	}>;
}

describe('the installed package in the nodes panel', () => {
	let connection: Connection;
	let types: NodeType[];

	beforeAll(async () => {
		connection = connect();
		types = (await connection.client.request('GET', '/types/nodes.json')) as NodeType[];
	});

	const typeOf = (name: string) => types.find((type) => type.name === `${PACKAGE}.${name}`);
	const exists = async (path: string) => {
		const response = await fetch(`${foundStack().url}/${path}`);
		return response.ok ? (response.headers.get('content-type') ?? '') : `status ${response.status}`;
	};

	it.each(['hospitalityBooking', 'hospitalityBookingTrigger', 'hospitalityPayment'])(
		'shows %s with its own icons for light and dark',
		async (name) => {
			const icon = typeOf(name)?.iconUrl;
			const urls = typeof icon === 'object' ? [icon.light, icon.dark] : [];
			expect(urls).toHaveLength(2);
			for (const url of urls) expect(await exists(url)).toMatch(/^image\/svg\+xml/);
		},
	);

	it.each(['hospitalityBooking', 'hospitalityPayment'])(
		'serves a preview for every operation of %s',
		async (name) => {
			const properties = typeOf(name)?.properties ?? [];
			const operations = properties
				.filter((property) => property.name === 'operation')
				.flatMap(({ displayOptions, options }) =>
					(displayOptions?.show?.resource ?? []).flatMap((resource) =>
						(options ?? [])
							.filter(({ value }) => value !== ADDED_BY_N8N)
							.map(({ value }) => `${resource}/${value}`),
					),
				);
			expect(operations.length).toBeGreaterThan(0);
			const missing: string[] = [];
			for (const operation of operations) {
				const response = await fetch(
					`${foundStack().url}/schemas/${PACKAGE}.${name}/1.0.0/${operation}.json`,
				);
				const schema = response.ok ? ((await response.json()) as { type?: string }) : undefined;
				if (schema?.type !== 'object' && schema?.type !== 'array') missing.push(operation);
			}
			expect(missing).toEqual([]);
		},
	);

	it('offers both nodes to AI agents as tools', () => {
		expect(typeOf('hospitalityBookingTool')).toBeDefined();
		expect(typeOf('hospitalityPaymentTool')).toBeDefined();
	});

	it('offers both credential types', async () => {
		const credentials = (await connection.client.request('GET', '/types/credentials.json')) as Array<{
			name: string;
		}>;
		const names = credentials.map(({ name }) => name);
		expect(names).toEqual(expect.arrayContaining(['hospitalityBookingApi', 'hospitalityPaymentApi']));
	});
});
