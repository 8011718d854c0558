import type { Page } from 'playwright-core';
import { NODE_UNDER_TEST, packageNode, plainNode } from '../../dev/runner.ts';
import { type EchoService, PLANTED, startEchoService } from '../e2e/support/echoService';
import { eventually } from '../support/progress';
import { findsSecret } from '../support/secrets';
import { describeInEditor, useEditor } from './support/editor';

const LIST = { resource: 'customer', operation: 'getAll', output: 'raw' };

/** All that the page shows and keeps: its text, what stands in its fields, and every kind of storage. */
async function keptBy(page: Page): Promise<string> {
	const context = page.context();
	const shown = await page.evaluate(`[
		document.documentElement.outerHTML,
		document.body.innerText,
		...[...document.querySelectorAll('input, textarea')].map(({ value }) => value),
		JSON.stringify(sessionStorage),
		JSON.stringify(localStorage),
		location.href,
	]`);
	return JSON.stringify([shown, await context.storageState({ indexedDB: true }), await context.cookies()]);
}

/** What the page shows and keeps, as soon as `wanted` is among it. */
async function keptWith(page: Page, wanted: string): Promise<string> {
	return await eventually(`'${wanted}' is in the page`, async () => {
		const kept = await keptBy(page);
		return kept.includes(wanted) && kept;
	});
}

describeInEditor('the browser of somebody who works with credentials', () => {
	const here = useEditor();
	let service: EchoService;
	/** What n8n has sent to the browser. */
	const sent: string[] = [];

	beforeAll(async () => {
		service = await startEchoService();
		const { page } = here.editor;
		page.on('response', (response) => {
			if (!response.url().includes('/rest/')) return;
			void response.text().then(
				(body) => sent.push(body),
				() => undefined,
			);
		});
		page.on('websocket', (socket) => socket.on('framereceived', ({ payload }) => sent.push(String(payload))));
	});

	afterAll(async () => await service.close());

	it('shows a typed secret to nobody once the form is closed, even where the test of it fails', async () => {
		const { editor } = here;
		service.echoes = 'tokens';
		await editor.openNewCredential('Hospitality Booking API');
		await editor.fillCredential({
			baseUrl: service.url,
			authUrl: service.url,
			clientId: 'client-typed',
			clientSecret: PLANTED['client secret'],
			system: 'the-system',
		});
		await editor.saveCredential(/The service says|'Client/);
		await editor.page.goto(`${here.connection.client.url}/home/credentials`);
		await editor.page.getByText('Hospitality Booking').first().click();
		await editor.credentialForm.locator('label.n8n-input-label').first().waitFor();
		await editor.picture('credential opened again');

		const kept = await keptWith(editor.page, 'client-typed');
		expect(kept).toContain('client-typed');
		expect(findsSecret(kept, PLANTED)).toEqual([]);
		expect(sent.join('\n')).toContain('client-typed');
		expect(findsSecret(sent.join('\n'), PLANTED)).toEqual([]);
	});

	it('keeps none when the service repeats them in an error', async () => {
		const { editor, connection } = here;
		const said = 'The service says';
		service.echoes = 'calls';
		const { booking } = await service.credentials(connection.client);
		const workflow = await connection.client.createWorkflow({
			name: 'Echo',
			nodes: [plainNode('Start', 'manualTrigger'), packageNode('hospitalityBooking', LIST, booking)],
			connections: { Start: { main: [[{ node: NODE_UNDER_TEST, type: 'main', index: 0 }]] } },
			settings: {},
		});
		await editor.openWorkflow(workflow.id);
		await editor.openNode(NODE_UNDER_TEST);
		await editor.execute();
		await editor.picture('secrets in an error');
		const kept = await keptWith(editor.page, said);

		expect(kept).toContain(said);
		expect(findsSecret(kept, PLANTED)).toEqual([]);
		expect(sent.join('\n')).toContain(said);
		expect(findsSecret(sent.join('\n'), PLANTED)).toEqual([]);
	});

	it.each([
		['local storage', `localStorage.setItem('kept', token)`],
		['session storage', `sessionStorage.setItem('kept', token)`],
		['a cookie', `document.cookie = 'kept=' + encodeURIComponent(token)`],
		[
			'IndexedDB',
			`new Promise((resolve, reject) => {
				const open = indexedDB.open('kept', 1);
				open.onupgradeneeded = () => open.result.createObjectStore('tokens').put(token, 'one');
				open.onsuccess = () => resolve(open.result.close());
				open.onerror = () => reject(open.error);
			})`,
		],
		['a field', `document.body.append(Object.assign(document.createElement('input'), { value: token }))`],
	])('would be caught with a secret in %s', async (_, keep) => {
		const { page } = here.editor;
		await page.evaluate(
			`(async (token) => { await (${keep}); })(${JSON.stringify(PLANTED['access token'])})`,
		);
		const kept = await keptBy(page);
		await page.evaluate(`localStorage.removeItem('kept'); sessionStorage.removeItem('kept')`);
		await page.evaluate(`document.cookie = 'kept=; expires=Thu, 01 Jan 1970 00:00:00 GMT'`);
		await page.evaluate(`indexedDB.deleteDatabase('kept')`);
		await page.reload();

		expect(findsSecret(kept, PLANTED)).not.toEqual([]);
	});
});
