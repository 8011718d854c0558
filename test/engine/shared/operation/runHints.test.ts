import type { IExecuteFunctions } from 'n8n-workflow';

import { CallQueue } from '../../../../nodes/shared/http/concurrency/callQueue';
import { RunHints } from '../../../../nodes/shared/operation/outcomes';
import type { Run } from '../../support/engine';
import { useService } from '../../support/service';

const here = useService({ customers: 60 });
const listCustomers = (limit: number) => ({
	node: 'hospitalityBooking',
	parameters: { resource: 'customer', operation: 'getAll', limit },
});
const hintsOf = ({ data }: Run): string[] =>
	(data.data.resultData.runData['Node']?.[0]?.hints ?? []).map(({ message }) => message);

describe('the hints of a run, shown with its output', () => {
	it('tell how many records a limit has left out', async () => {
		const run = await here.engine.execute(listCustomers(10));
		expect(run.output()).toHaveLength(10);
		expect(hintsOf(run)).toEqual(["Records left out by 'Limit': 50. Raise it or switch on 'Return All'."]);
	});

	it('say nothing of a run that is as any other', async () => {
		expect(hintsOf(await here.engine.execute(listCustomers(60)))).toEqual([]);
	});

	it('tell how often the service rate-limited the run, and for how long it paused', async () => {
		const fault = { kind: 'rateLimit', status: 429, retryAfter: 'seconds', seconds: 1 };
		await here.service.inject({ times: 2, fault });
		await here.service.inject({ fault: { kind: 'delay', ms: 100 } });
		const run = await here.engine.execute({
			...listCustomers(60),
			items: Array.from({ length: 60 }, () => ({})),
		});
		expect(run.error).toBeUndefined();
		expect(hintsOf(run)).toEqual([
			expect.stringMatching(/^Calls that the service rate-limited: [12]; pauses that it asked for: [12] s\./),
		]);
	});

	it('tell how many calls were in flight where there were many', async () => {
		await here.service.inject({ fault: { kind: 'delay', ms: 100 } });
		const items = Array.from({ length: 60 }, () => ({}));
		const run = await here.engine.execute({ ...listCustomers(60), items });
		expect(hintsOf(run)).toEqual([expect.stringMatching(/^Up to [1-6]\d calls were in flight\.$/)]);
	});

	it('are left out in an n8n that has none', () => {
		const hints = new RunHints(new CallQueue());
		hints.note(3);
		const shown: unknown[] = [];
		hints.show({});
		hints.show({ addExecutionHints: (...all) => shown.push(...all) } satisfies Partial<IExecuteFunctions>);
		expect(shown).toHaveLength(1);
	});
});
