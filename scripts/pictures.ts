// npm run pictures [-- file…]: takes the pictures of docs/workflows/README.md, of each workflow file its canvas and what comes
// of it, in an n8n, a sandbox and an inbox of their own, with the Chromium of this machine (CHROMIUM_PATH names another).
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type Page } from 'playwright-core';
import { stopAll } from '../dev/children.ts';
import { type Mail, smtpCredential, startInbox } from '../dev/demo/inbox.ts';
import { TABLES_PAGE, tableRows } from '../dev/demo/table.ts';
import { exampleWorkflow, workflowsFolder } from '../dev/demo/workflows.ts';
import { eventually } from '../dev/eventually.ts';
import { startN8n } from '../dev/n8n.ts';
import { BROWSER_ID, type Execution, type JsonObject, type Workflow } from '../dev/n8nClient.ts';
import { buildPackage } from '../dev/package.ts';
import { bookingCredential, paymentCredential, startSandbox } from '../dev/sandbox.ts';

const PHONE = { width: 390, height: 10 };
/** Shows the nodes of the canvas alone. */
const ALONE =
	'body * { visibility: hidden } .vue-flow, .vue-flow__transformationpane * { visibility: visible } .vue-flow__background, .vue-flow__node-canvas-node:has(.n8n-sticky), [data-test-id="canvas-sticky-note"], [data-test-id="canvas-sticky-note"] *, [data-test-id="canvas-handle-plus-wrapper"] * { visibility: hidden !important }';
const MARGIN = 20;
const LOGIN = { user: 'owner', password: 'of-the-house' };
/** The subject of the email that each sends; those of a clock are run by hand. */
const MAILS: Record<string, RegExp> = {
	'arrivals-every-morning': /^Arrivals today/,
	'kitchen-and-covers': /^Tomorrow/,
	deposits: /^Deposits open/,
	'closing-time-check-out': /^Closing time/,
	'several-restaurants': /^Today/,
	'subscription-check': /^Please look at the subscription/,
	'new-booking-to-email-and-row': /^New booking/,
	'reminder-and-review-request': /See you soon/,
	'survey-answers-and-alert': /^★/,
	'tell-me-when-something-fails': /^Please look: /,
};
const hoursFrom = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();
const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
const plain = (text: string) =>
	`<pre style="white-space:pre-wrap;font:13px/1.5 ui-monospace,monospace">${escaped(text)}</pre>`;

const folder = mkdtempSync(join(tmpdir(), 'hospitality-booking-pictures-'));
const [sandbox, inbox] = [await startSandbox({ control: true }), await startInbox({ folder })];
const n8n = await startN8n({ home: join(folder, 'home'), tarball: await buildPackage() });
const { client, url } = n8n;
await client.signIn({
	email: 'owner@example.com',
	firstName: 'The',
	lastName: 'Owner',
	password: 'Hospitality1',
});
const account = { ...bookingCredential(sandbox.info), timeZone: 'Europe/Stockholm' };
const credentials = [
	await client.putCredential('Harbour House', 'hospitalityBookingApi', account),
	await client.putCredential('Harbour House', 'hospitalityPaymentApi', paymentCredential(sandbox.info)),
	await client.putCredential('Harbour House', 'smtp', smtpCredential(inbox)),
	await client.putCredential('Harbour House', 'httpBasicAuth', LOGIN),
	await client.putCredential('Harbour House', 'httpBearerAuth', { token: 'of-the-agent' }),
	await client.putCredential('Harbour House', 'googleSheetsOAuth2Api', {
		clientId: 'none',
		clientSecret: 'none',
	}),
	await client.putCredential('Harbour House', 'openAiApi', { apiKey: 'none' }),
];
const browser = await chromium.launchPersistentContext(join(folder, 'profile'), {
	executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
	args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
	httpCredentials: { username: LOGIN.user, password: LOGIN.password },
});
const [name = '', value = ''] = client.session.split('=');
await browser.addCookies([{ name, value, url }]);
await browser.addInitScript(`localStorage.setItem('n8n-browserId', ${JSON.stringify(BROWSER_ID)})`);
const editor = await browser.newPage();
browser.setDefaultTimeout(180_000);

const keep = (file: string, ending = '') => join('docs', 'workflows', 'images', `${file}${ending}.png`);
/** A picture of a page, or of HTML, as a phone shows it. */
async function keepPage(file: string, show: string | ((page: Page) => Promise<unknown>), viewport = PHONE) {
	const page = await browser.newPage();
	await page.setViewportSize(viewport);
	await (typeof show === 'string' ? page.setContent(show) : show(page));
	await page.locator('body').screenshot({ path: keep(file, '-result') });
	await page.close();
}
async function keepCanvas(file: string, id: string) {
	await editor.setViewportSize({ width: 1500, height: 1100 });
	await editor.goto(`${url}/workflow/${id}`);
	await editor.locator('[data-test-id="canvas-node"]').first().waitFor();
	await editor.locator('[data-test-id="zoom-to-fit"]').click();
	await editor.addStyleTag({ content: ALONE });
	await editor.mouse.move(0, 0);
	await editor.waitForTimeout(1_500);
	const boxes = await Promise.all(
		(await editor.locator('[data-test-id="canvas-node"]').all()).map((one) => one.boundingBox()),
	);
	const found = boxes.filter((box) => box !== null);
	const [x, y] = [
		Math.min(...found.map((box) => box.x)) - 3 * MARGIN,
		Math.min(...found.map((box) => box.y)) - MARGIN,
	];
	const width = Math.max(...found.map((box) => box.x + box.width)) + 3 * MARGIN - x;
	const height = Math.max(...found.map((box) => box.y + box.height)) + 3 * MARGIN - y;
	await editor.screenshot({ path: keep(file), clip: { x, y, width, height } });
}
async function keepTable(file: string, table: string) {
	await eventually('its rows', async () => (await tableRows(client, table)).length > 3);
	await editor.setViewportSize({ width: 1240, height: 480 });
	await editor.goto(`${url}${TABLES_PAGE}`);
	await editor.getByText(table, { exact: true }).first().click();
	await editor.waitForTimeout(2_000);
	await editor
		.locator('[data-test-id="data-table-details-view"]')
		.screenshot({ path: keep(file, '-result') });
}
async function runOnce(id: string): Promise<Execution> {
	const workflow = (await client.request('GET', `/rest/workflows/${id}`)) as Workflow;
	const trigger = workflow.nodes.find(({ type }) => /(schedule|manual)Trigger$/.test(type));
	const body = { workflowData: workflow, triggerToStartFrom: { name: trigger?.name } };
	const { executionId } = (await client.request('POST', `/rest/workflows/${id}/run`, body)) as {
		executionId: string;
	};
	return await eventually('the end of the run', async () => {
		const one = (await client.executions(id)).find((execution) => execution.id === executionId);
		const hasEnded = one !== undefined && !['new', 'running'].includes(one.status);
		return hasEnded && (await client.execution(executionId));
	});
}
const mailOf = async (subject: RegExp): Promise<Mail> =>
	await eventually(`a mail ${subject}`, async () =>
		(await inbox.mails()).findLast((mail) => subject.test(mail.subject)),
	);

const { companyId, brandId, system } = sandbox.info;
/** What is posted in the channel. */
const posted: string[] = [];
const server = createServer((request, response) => {
	request.on('data', (body: Buffer) => posted.push((JSON.parse(body.toString()) as { text: string }).text));
	request.on('end', () => response.end('ok'));
}).listen(0, '127.0.0.1');
await once(server, 'listening');
const channel = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
/** What a person chooses in nodes, beside what `exampleWorkflow` enters. */
const CHOSEN: Record<string, JsonObject> = {
	"Get today's bookings": { filters: { states: ['expected'], statuses: [2] } },
	'Get the bookings since': { changedFrom: '2026-01-01' },
	'Get the subscription': { id: 'plan-canceled' },
	'Post it in the channel': { url: channel },
	'Update 50 articles per call': { companyId, brandId },
};
/** What each file shows besides an email. */
const RESULTS: Record<string, (file: string, workflow: Workflow, id: string) => Promise<unknown>> = {
	'bookings-in-a-table': (file) => keepTable(file, 'Hospitality Bookings'),
	'fill-or-repair-a-table': async (file, _, id) => {
		await runOnce(id);
		await keepTable(file, 'Hospitality Bookings');
	},
	'canceled-booking-offer-table': async (file) =>
		await keepPage(file, plain(await eventually('the message', () => posted.at(-1)))),
	'check-my-account': async (file, _, id) => {
		const { runs } = await runOnce(id);
		const of = (node: string) => runs[node]?.[0]?.data?.main?.[0]?.map(({ json }) => json);
		await keepPage(
			file,
			plain(JSON.stringify([of('Say what came')?.[0], ...(of('List the statuses') ?? [])], null, 1)),
		);
	},
	'bookings-as-a-calendar': async (file, workflow) => {
		const path = workflow.nodes.find(({ type }) => type.endsWith('.webhook'))?.parameters.path;
		const text = await (await fetch(`${url}/webhook/${String(path)}`)).text();
		await keepPage(file, plain(text.replaceAll('\r\n ', '').split('\r\n').slice(0, 22).join('\n')));
	},
	'price-list-to-articles': async (file, workflow) => {
		const [one, two] = await sandbox.control<Array<{ articleId: string }>>('GET', '/state/articles');
		const csv = `Article ID,Name,Price,Take-Away Price\n${one?.articleId},Fish soup,89:-,79 kr\n${two?.articleId},Bread,#N/A,\n`;
		const form = workflow.nodes.find(({ type }) => type.endsWith('.formTrigger'))?.webhookId as string;
		const data = new FormData();
		data.append('field-0', new Blob([csv], { type: 'text/csv' }), 'prices.csv');
		const authorization = `Basic ${Buffer.from(`${LOGIN.user}:${LOGIN.password}`).toString('base64')}`;
		const sent = await fetch(`${url}/form/${form}`, {
			method: 'POST',
			headers: { authorization },
			body: data,
		});
		const { formWaitingUrl } = (await sent.json()) as { formWaitingUrl: string };
		const isThere = async () =>
			(await (await fetch(formWaitingUrl, { headers: { authorization } })).text()).includes('Fish soup');
		await eventually('the preview', isThere);
		const show = (page: Page) => page.goto(formWaitingUrl);
		await keepPage(file, show, { width: 620, height: 700 });
	},
	'one-tap-answers': async (file) => {
		const { html = '' } = await mailOf(/Are you coming/);
		const link = String(/href="([^"]*webhook-waiting[^"]*)"/.exec(html)?.[1]).replaceAll('&amp;', '&');
		await keepPage(file, (page) => page.goto(link), { width: 390, height: 620 });
	},
};

try {
	const wanted = process.argv.slice(2);
	const files = readdirSync(workflowsFolder()).map((file) => file.replace('.json', ''));
	const created = new Map<string, { id: string; workflow: Workflow }>();
	let errorWorkflow = '';
	for (const file of ['tell-me-when-something-fails', ...files.filter((one) => !one.startsWith('tell-me'))]) {
		const known = exampleWorkflow(file, { credentials });
		const parameters = Object.fromEntries(
			Object.entries(CHOSEN).filter(([node]) => known.nodes.some((one) => one.name === node)),
		);
		const workflow = exampleWorkflow(file, { credentials, parameters });
		const house = JSON.stringify(workflow.nodes).replace(
			'\\"system\\": \\"\\", \\"name\\": \\"\\"',
			`\\"system\\": \\"${system}\\", \\"name\\": \\"Harbour House\\"`,
		);
		const filled = {
			...workflow,
			nodes: JSON.parse(house) as Workflow['nodes'],
			settings: { ...workflow.settings, ...(file === 'bookings-in-a-table' ? { errorWorkflow } : {}) },
		};
		const stored = await client.createWorkflow(filled);
		if (file.startsWith('tell-me')) errorWorkflow = stored.id;
		created.set(file, { id: stored.id, workflow: filled });
		await client.activate(stored).catch(() => undefined);
	}
	await editor.waitForTimeout(7_000);
	const contact = {
		id: 1,
		fname: 'Astrid',
		lname: 'Lind',
		email: 'astrid@example.com',
		mobile: '+46 70 123 45 67',
	};
	const book = async (hours: number, fields: JsonObject = {}) =>
		await sandbox.control('POST', '/bookings', {
			booking: {
				start: hoursFrom(hours),
				end: hoursFrom(hours + 2),
				status: 2,
				contact,
				guests: 4,
				guestsChildren: 1,
				message: 'One of us is allergic to nuts.',
				language: 'en',
				cancelAllowedBeforeUtc: hoursFrom(hours - 2),
				...fields,
			},
		});
	for (const hours of [-1, 20, 21, 22]) await book(hours);
	const [off] = (await book(300)) as Array<{ guid: string; history: JsonObject[] }>;
	const canceled = { status: 5, statusName: 'Canceled', changeDate: new Date().toISOString() };
	await sandbox.control('PATCH', `/bookings/${off?.guid}`, {
		status: 5,
		history: [canceled, ...(off?.history ?? [])],
	});
	const kept = await sandbox.control<
		Array<{ rootId: number; web: { guid: string; contact?: typeof contact } }>
	>('GET', '/state/bookings');
	for (const { rootId, web } of kept.filter((one) => one.web.contact?.fname === 'Astrid'))
		await sandbox.control('PATCH', `/bookings/${web.guid}`, { paymentEvents: [{ bookingRootId: rootId }] });
	const recipients = await sandbox.control<Array<{ id: string; status: number }>>('GET', '/state/recipients');
	const silent = recipients.find(({ status }) => status < 4);
	await sandbox.control('PATCH', `/recipients/${silent?.id}`, {
		status: 4,
		name: 'Astrid Lind',
		replaceParams: { score: '2' },
	});
	await editor.waitForTimeout(12_000);
	for (const file of wanted.length > 0 ? wanted : files) {
		const { id = '', workflow } = created.get(file) ?? {};
		if (!workflow) throw new Error(`There is no workflows/${file}.json.`);
		await keepCanvas(file, id);
		const subject = MAILS[file];
		if (subject) {
			if (workflow.nodes.some(({ type }) => type.endsWith('scheduleTrigger'))) await runOnce(id);
			const isDown = file.startsWith('tell-me');
			if (isDown)
				await sandbox.control('POST', '/faults', { path: '/api/', fault: { kind: 'status', status: 500 } });
			const { html = '', subject: line, text } = await mailOf(subject);
			if (isDown) await sandbox.control('DELETE', '/faults');
			await keepPage(file, html === '' ? plain(`${line}\n\n${text}`) : html);
		} else await RESULTS[file]?.(file, workflow, id);
		console.log(file);
	}
} finally {
	server.close();
	await browser.close();
	await stopAll();
	rmSync(folder, { recursive: true, force: true });
}
