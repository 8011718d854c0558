import type { IDataObject } from 'n8n-workflow';
import { useStandIn } from '../../support/standIn';
import { sendJson } from '../../support/server';
import type { Run } from '../../support/engine';

const here = useStandIn();
/** The bookings that calls were sent for, in their order. */
const sent: number[] = [];

beforeEach(() => {
	sent.length = 0;
});

/** Answers each check-in after a while; those of booking 13 are refused. */
function respondAfter(ms: number): void {
	here.respond = (response, { url }) => {
		const id = Number(/CheckIn\/(\d+)/.exec(url)?.[1]);
		sent.push(id);
		setTimeout(() => sendJson(response, {}, id === 13 ? 409 : 200), ms);
	};
}

async function checkIn(ids: number[], concurrencyLimit = 0, signal?: AbortSignal): Promise<Run> {
	return await here.engine.execute({
		node: 'hospitalityBooking',
		parameters: {
			resource: 'checkoutBooking',
			operation: 'checkIn',
			bookingRootId: '={{ $json.id }}',
			options: { concurrencyLimit },
		},
		items: ids.map((id) => ({ id }) as IDataObject),
		signal,
	});
}

const others = (count: number) => Array.from({ length: count }, (_, index) => index + 100);

describe("with 'Stop Workflow', after the first failure", () => {
	test('an item that cannot be sent ends the run too, and calls that wait are not started', async () => {
		respondAfter(50);
		const { error } = await checkIn([...others(3), -1, ...others(100)], 3);

		expect(error?.message).toContain('[item 3]');
		expect(sent).toEqual([100, 101, 102]);
	});

	test('a list of which a part was read does not count as read', async () => {
		const urls: string[] = [];
		here.respond = (response, { url }) => {
			urls.push(url);
			const isRefused = url.includes('endTime=2026-01-02');
			setTimeout(() => sendJson(response, [], isRefused ? 400 : 200), isRefused ? 20 : 60);
		};
		const { error } = await here.engine.execute({
			node: 'hospitalityBooking',
			parameters: {
				resource: 'webBooking',
				operation: 'getAll',
				getBy: 'period',
				startTime: '2026-01-01',
				endTime: '={{ $json.end }}',
			},
			items: [{ end: '2026-12-31' }, { end: '2026-01-02' }],
		});

		expect(urls).toHaveLength(2);
		expect(error?.message).toContain('0 succeeded, 0 failed and 1 had not started');
	});
});

test('an execution that is stopped with a change under way says so, in the word by which n8n counts it as stopped', async () => {
	const stop = new AbortController();
	here.respond = () => {
		stop.abort();
	};
	const { error } = await checkIn([7], 0, stop.signal);

	expect(error?.message).toContain('canceled');
	expect(error?.message).toContain('may have been made');
});
