import type { IDataObject } from 'n8n-workflow';
import type { Run } from '../../support/engine';
import { readRecords } from '../../support/records';
import { useService } from '../../support/service';

const here = useService();
/** No booking has it. */
const NONE = 1;

/** Checks in the booking of each item. */
async function checkIn(rootIds: unknown[], callsAtOnce = 1): Promise<Run> {
	return await here.engine.execute({
		node: 'hospitalityBooking',
		parameters: {
			resource: 'checkoutBooking',
			operation: 'checkIn',
			bookingRootId: '={{ $json.rootId }}',
			options: { callsAtOnce },
		},
		items: rootIds.map((rootId) => ({ rootId }) as IDataObject),
	});
}

test('a run that stops at an error says which calls succeeded and which were not started', async () => {
	const { rootId } = await readRecords(here.service);
	await here.service.forgetRequests();
	const { error } = await checkIn(Array.from({ length: 20 }, (_, index) => (index === 12 ? NONE : rootId)));

	expect(error?.message).toContain('[item 12]');
	expect(error?.message).toContain('Of the other calls 12 succeeded, 0 in progress, 7 not started');
	expect(error?.description).toContain('Succeeded before: items 0–11. Not started: items 13–19');
	expect(error?.description).toContain("'Continue (using error output)'");
	expect(error?.context?.calls).toEqual({
		done: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11],
		underWay: { done: [], failed: [] },
		notMade: [13, 14, 15, 16, 17, 18, 19],
	});
	expect(await here.service.requests()).toHaveLength(13);
});

test('a run that stops at its first item says what became of the calls under way', async () => {
	await here.service.inject({ fault: { kind: 'delay', ms: 300 } });
	const { rootId } = await readRecords(here.service);
	const { error } = await checkIn([rootId, 'none', rootId, rootId], 3);

	const calls = error?.context?.calls as Record<string, unknown> | undefined;
	expect(error?.message).toContain('[item 1]');
	expect(calls?.done).toEqual([]);
	expect(error?.description).toContain('In progress, succeeded since: item');
});

test('an error of the only item speaks of no others', async () => {
	const { error } = await checkIn([NONE]);

	expect(error?.message).toMatch(/\[item 0\]$/);
	expect(error?.description).not.toContain('Continue (using error output)');
});
