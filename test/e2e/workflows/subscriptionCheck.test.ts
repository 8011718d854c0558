import { workflowFile } from '../../../demo/workflows.ts';
import type { JsonObject } from '../../../harness/n8nClient.ts';
import { useGallery } from './support';

describe('workflows/subscription-check.json', () => {
	const gallery = useGallery();
	const LIST = 'List the plans to watch';

	/** The node's parameters with other plans in it. */
	function watching(...plans: string[]): Record<string, JsonObject> {
		const node = workflowFile('subscription-check').nodes.find(({ name }) => name === LIST);
		const text = JSON.stringify(node?.parameters).replace(
			/\['plan-.*?\]/,
			JSON.stringify(plans).replaceAll('"', "'"),
		);
		return { [LIST]: JSON.parse(text) as JsonObject };
	}

	it('alerts for the plans that are not in order, and only then', async () => {
		const healthy = await gallery.load('subscription-check', watching('plan-basic', 'plan-plus'));
		const quiet = await healthy.run();
		const { run } = await gallery.load(
			'subscription-check',
			watching('plan-basic', 'plan-canceled', 'plan-of-nobody'),
		);
		const { status } = await run();
		const mails = await gallery.mails(/^Please look at 2 subscriptions$/);

		expect([quiet.status, status]).toEqual(['success', 'success']);
		expect(quiet.runs['Alert the manager']).toBeUndefined();
		expect(mails).toHaveLength(1);
		expect(mails[0]?.text.trim().split('\n')).toEqual([
			'plan-canceled: Its status is Canceled',
			expect.stringMatching(/^plan-of-nobody: .*not registered/),
		]);
	});
});
