import { useGallery } from './support';

describe('workflows/subscription-check.json', () => {
	const gallery = useGallery();
	const LIST = 'List the plans to watch';

	/** The node's parameters with other plans in it. */
	const watching = (...plans: string[]) => ({
		[LIST]: {
			assignments: {
				assignments: [{ id: 'plans', name: 'plan', value: `={{ ${JSON.stringify(plans)} }}`, type: 'array' }],
			},
		},
	});

	it('alerts for the plans that are not in order, and only then', async () => {
		const healthy = await gallery.load('subscription-check');
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
