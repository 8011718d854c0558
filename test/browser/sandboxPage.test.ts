import { type Sandbox, startSandbox } from '../../harness/sandbox.ts';
import { keepPicture } from '../support/pictures';
import { describeInEditor, useEditor } from './support/editor';

describeInEditor("the demo's first page", () => {
	const here = useEditor();
	let demo: Sandbox;

	beforeAll(async () => {
		const { url } = here.connection.client;
		const links = { n8n: url, signIn: 'demo@example.com and Booking-Demo-1', inbox: 'http://127.0.0.1:1080' };
		demo = await startSandbox({ links, live: true });
	});

	afterAll(() => demo?.stop());

	test.each([
		['Make a booking', /^Booking B\d+ is made: .+, \d+ guests?$/],
		['Change one', /^Booking B\d+ is changed, from \d+ guests?: .+, \d+ guests?$/],
		['Cancel one', /^Booking B\d+ is canceled: /],
		['Answer a survey', /has answered a survey with [1-5] of 5$/],
	])('has a button that does what it says: %s', async (button, happened) => {
		const { page } = here.editor;
		await page.goto(demo.info.url);
		await page.getByRole('button', { name: button }).click();
		const line = page.locator('#happened li span').first();
		await line.waitFor();

		expect(await line.innerText()).toMatch(happened);
	});

	test('says in three steps what to look at, with links to the inbox, the tables and the workflows', async () => {
		const { page } = here.editor;
		await page.goto(demo.info.url);
		for (const name of ['Make a booking', 'Cancel one']) await page.getByRole('button', { name }).click();
		await page.locator('#happened li').nth(1).waitFor();
		const steps = await page.locator('#steps h2').allInnerTexts();
		const links = await page
			.locator('#steps a')
			.evaluateAll((all) => (all as unknown as Array<{ href: string }>).map(({ href }) => href));
		keepPicture(await here.editor.picture('demo'), 'docs/images/demo.png', { page: 'sandbox/page/assets' });

		expect(steps).toHaveLength(3);
		expect(links).toEqual([
			'http://127.0.0.1:1080/',
			`${here.connection.client.url}/home/datatables`,
			`${here.connection.client.url}/home/workflows`,
		]);
	});

	test('says what is wrong when the sandbox has gone', async () => {
		const { page } = here.editor;
		await page.goto(demo.info.url);
		await demo.stop();

		await page.getByText('The sandbox does not answer. Is it still running?').waitFor();
		expect(await page.locator('#state').innerText()).toContain('does not answer');
	});
});
