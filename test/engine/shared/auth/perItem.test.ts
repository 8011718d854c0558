import { sendJson } from '../../support/server';
import { shown, useStandIn } from '../../support/standIn';

const here = useStandIn();

describe('a credential with an expression', () => {
	const run = async (system: string, houses: string[]) => {
		const systems: unknown[] = [];
		here.respond = (response, { headers }) => {
			systems.push(headers.system);
			sendJson(response, []);
		};
		await here.engine.credentials.edit('hospitalityBookingApi', { system });
		const outcome = await here.engine.execute({
			node: 'hospitalityBooking',
			parameters: { resource: 'customer', operation: 'getAll' },
			items: houses.map((house) => ({ house })),
		});
		return { said: shown(outcome), systems };
	};

	it('that differs by item is refused, and nothing is sent', async () => {
		const { said, systems } = await run('={{ $json.house }}', ['north', 'north', 'south', 'north']);

		expect(said).toMatch(
			/^'System' of the credential differs by item .*use 'System' under Options/,
		);
		expect(systems).toEqual([]);
	});

	it('that cannot be read for an item is refused', async () => {
		const houses = ['north', undefined] as string[];
		expect((await run('={{ $json.house.toUpperCase() }}', houses)).systems).toEqual([]);
	});
});
