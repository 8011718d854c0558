import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import sortBy from 'lodash/sortBy';
import { DateTime } from 'luxon';
import type { Locator, Page } from 'playwright-core';
import { workflowFile } from '../../demo/workflows.ts';
import type { Workflow, WorkflowNode } from '../../harness/n8nClient.ts';
import { type TestServer, startServer } from '../engine/support/server';
import { connectAgent } from '../e2e/support/agent';
import { type GoogleSheet, startGoogleSheet } from '../e2e/workflows/googleSheet';
import { beganToday, type Booking, CANCELED, eventually, useGallery } from '../e2e/workflows/support';
import { takePicture } from '../support/browser';
import { keepPicture } from '../support/pictures';
import { describeInEditor, useEditor, WORKFLOW_NAMES } from './support/editor';
import { forgetCredentials, importAsDescribed, isRunByHand } from './support/imported';

const ARRIVED = 3;
const RESPONDED = 4;
const CUSTOMER = 990_101;

const hasMapper = ({ parameters }: WorkflowNode): boolean =>
	JSON.stringify(parameters).includes('"mappingMode"');
/** The trigger asks once a minute, as the files say: the other results are looked at meanwhile. */
const POLLED_WITHIN_MS = 150_000;
/** One forgets rows that another has made of what it was told. */
const awaitsPoll = (name: string): boolean =>
	name === 'forget-old-guests' ||
	workflowFile(name).nodes.some(({ parameters }) => 'pollTimes' in parameters);
const SHOWN_WITHIN_MS = 60_000;
/** Pixels: how far a finger moves a table, and the width of none. */
const SWIPE = 150;
const WIDEST_TABLE = 6_000;
const DRAWN_WITHIN_MS = 200;
const WIDTHS = [1440, 390];
const SCHEMES = ['light', 'dark'] as const;

/** Where a person looks for what a workflow has made: an email, a row, or what a node of the execution has put out. */
type Result =
	| { mail: RegExp; text?: () => string }
	| { table: string; text: () => string }
	| { node: string; text: () => string; elsewhere?: () => Promise<unknown> };

describeInEditor(
	'every workflow file, imported, filled in as its note says and published in the browser',
	() => {
		const here = useEditor();
		beforeAll(async () => {
			await forgetCredentials(here.connection.client);
		});
		const gallery = useGallery(
			'Hospitality Bookings',
			'Hospitality New Bookings',
			'Hospitality Contact List',
			'Hospitality Survey Answers',
		);
		const posted: string[] = [];
		const workflows = new Map<string, string>();
		let channel: TestServer;
		let sheet: GoogleSheet;
		let booking: Booking;
		let person: string;
		let listed: string;
		let canceled: Booking;
		/** Ended long ago. */
		let past: Booking;
		/** Changed before the trigger looked first, so it is in no table. */
		let missing: Booking;

		/** What the notes say to choose, besides credentials: by workflow, node and parameter. */
		const chosen = (): Record<string, Record<string, Record<string, string>>> => ({
			'price-list-to-articles': {
				'Update 50 articles per call': {
					companyId: gallery.sandbox.companyId,
					brandId: gallery.sandbox.brandId,
				},
			},
			'bookings-to-csv-file': { 'Write the file': { fileName: csvFile() } },
			'canceled-booking-offer-table': { 'Post it in the channel': { url: `${channel.url}/channel` } },
		});
		const csvFile = () => join(gallery.filesFolder, 'walked.csv');

		beforeAll(async () => {
			channel = await startServer(({ body }, response) => {
				posted.push(body);
				response.writeHead(200).end('ok');
			});
			const halfAnHourAgo = DateTime.utc().minus({ minutes: 30 }).toISO();
			missing = await gallery.book({ createdDate: halfAnHourAgo, changeDate: halfAnHourAgo });
			sheet = await startGoogleSheet();
		});

		afterAll(async () => {
			const { client } = gallery;
			for (const workflow of await client.workflows())
				if ([...workflows.values()].includes(workflow.id) && workflow.active)
					await client.deactivate(workflow);
			await channel?.close();
			await sheet?.close();
		});

		test.each(WORKFLOW_NAMES)(
			'%s is imported whole, with the only credentials chosen, and published, where something but a person starts it',
			async (name) => {
				const { editor } = here;
				const id = await importAsDescribed(editor, name, true);
				workflows.set(name, id);
				const { nodes } = workflowFile(name);
				const onCanvas = nodes.filter(({ type }) => !type.endsWith('.stickyNote'));
				expect((await editor.canvasNodes()).sort()).toEqual(onCanvas.map((node) => node.name).sort());
				for (const scheme of SCHEMES) {
					await editor.page.emulateMedia({ colorScheme: scheme });
					const ending = scheme === 'dark' ? '-dark' : '';
					const taken = await editor.canvasPicture(`workflow ${name}${ending}`);
					keepPicture(taken, `docs/workflows/images/${name}${ending}.png`, { workflow: name });
				}
				await leavesTheMappersAlone(nodes.filter(hasMapper));
				for (const [node, parameters] of Object.entries(chosen()[name] ?? {})) {
					await editor.openNode(node);
					for (const [parameter, value] of Object.entries(parameters)) await editor.fill(parameter, value);
					await editor.closeNode();
				}
				if (name === 'bookings-in-google-sheets') {
					await editor.openNode('Save or update its line');
					await editor.chooseCredential('Gallery');
					await editor.chooseById('documentId', 'the-document');
					await editor.closeNode();
				}
				if (isRunByHand(name)) return;
				await editor.publish();
				const stored = await eventually('The published workflow', async () =>
					(await gallery.client.workflows()).find((one) => one.id === id && one.active),
				);

				expect(stored.active).toBe(true);
			},
		);

		/** Opening a node whose columns are mapped changes none of its parameters. */
		async function leavesTheMappersAlone(nodes: WorkflowNode[]): Promise<void> {
			if (nodes.length === 0) return;
			const { editor } = here;
			const before = await editor.copyWorkflow();
			for (const node of nodes) {
				await editor.openNode(node.name);
				await editor.page.waitForLoadState('networkidle');
				await editor.closeNode();
			}
			const after = await editor.copyWorkflow();
			expect(after.nodes.map(({ parameters }) => parameters)).toEqual(
				before.nodes.map(({ parameters }) => parameters),
			);
		}

		test('something happens in the booking service, and what runs by the clock is run by hand', async () => {
			const { control } = gallery;
			const today = DateTime.utc().plus({ minutes: 30 });
			canceled = await gallery.book({ guests: 6 });
			booking = await gallery.book({
				start: today.toISO(),
				end: today.plus({ hours: 2 }).toISO(),
				guests: 4,
			});
			await gallery.change(booking, { status: ARRIVED });
			await gallery.book(beganToday());
			const longAgo = DateTime.utc().minus({ days: 91 });
			past = await gallery.book({ start: longAgo.minus({ hours: 2 }).toISO(), end: longAgo.toISO() });
			await control('POST', '/customers', { id: CUSTOMER, name: 'Walking Tours' });
			const [recipient] = (
				await control<Array<{ id: string; name: string; status: number }>>('GET', '/state/recipients')
			).filter(({ status }) => status === 2);
			person = recipient?.name ?? '';
			await control('PATCH', `/recipients/${recipient?.id}`, {
				replaceParams: { score: '5' },
				status: RESPONDED,
			});
			await gallery.change(canceled, { status: CANCELED });
			const [article] = await control<Array<{ articleId: string }>>('GET', '/state/articles');
			await upload(
				here.editor.page,
				`Article ID,Name,Price,Take-Away Price\n${article?.articleId},Soup of the walk,91,`,
			);
			const agent = await connectAgent(await pathOf('booking-tools-for-ai-agents', 'An AI agent connects'));
			listed = await agent.call('Find_booking', { words: booking.globalBookingNumber });
			await agent.close();
			for (const name of [
				'arrivals-every-morning',
				'check-my-account',
				'closing-time-check-out',
				'subscription-check',
				'watchdog',
			])
				await runHere(name);
		});

		async function runHere(name: string): Promise<void> {
			await here.editor.openWorkflow(workflows.get(name) ?? '');
			await here.editor.runWorkflow();
		}

		/** The path that n8n has given a workflow's address on import. */
		async function pathOf(name: string, trigger: string): Promise<string> {
			const { nodes } = (await gallery.client.request(
				'GET',
				`/rest/workflows/${workflows.get(name)}`,
			)) as Workflow;
			const { path, options } = nodes.find((node) => node.name === trigger)?.parameters as {
				path?: string;
				options?: { path?: string };
			};
			return path ?? options?.path ?? '';
		}

		const number = () => booking.globalBookingNumber;
		const results: Record<string, Result> = {
			'arrivals-every-morning': { mail: /^Arrivals / },
			'booking-tools-for-ai-agents': {
				node: 'Find booking',
				text: number,
				elsewhere: async () => listed.includes(booking.guid) || undefined,
			},
			'bookings-as-a-calendar': {
				node: 'Get the bookings',
				text: number,
				elsewhere: async () => {
					const path = await pathOf('bookings-as-a-calendar', 'A calendar asks');
					const calendar = await (await fetch(`${gallery.client.url}/webhook/${path}`)).text();
					expect(path).toMatch(/^[0-9a-f-]{36}$/);
					return calendar.replaceAll('\r\n ', '').includes(booking.guid) || undefined;
				},
			},
			'bookings-in-a-table': { table: 'Hospitality Bookings', text: number },
			'bookings-in-google-sheets': {
				node: 'Save or update its line',
				text: number,
				elsewhere: async () => sheet.lines().find((line) => line['Booking ID'] === booking.guid),
			},
			'bookings-to-csv-file': {
				node: 'Choose the columns',
				text: number,
				elsewhere: async () =>
					(existsSync(csvFile()) && readFileSync(csvFile(), 'utf8').includes(number())) || undefined,
			},
			'canceled-booking-offer-table': {
				node: 'Is it canceled and still to come?',
				text: () => canceled.globalBookingNumber,
				elsewhere: async () =>
					posted.find((text) => text.includes('Free again') && text.includes(`${canceled.guests} guests`)),
			},
			'check-my-account': { node: 'One line per check', text: () => 'Survey recipients' },
			'closing-time-check-out': { mail: /^Closing time: / },
			'forget-old-guests': {
				node: 'Remove guests from old bookings',
				text: () => '(removed)',
				elsewhere: async () => {
					await gallery.rowOf('Hospitality Bookings', past);
					await runHere('forget-old-guests');
					const [row] = await gallery.rows(
						'Hospitality Bookings',
						({ guestName }) => guestName === '(removed)',
					);
					expect(row).toMatchObject({ bookingId: past.guid, email: '', phone: '' });
					return row;
				},
			},
			'new-booking-to-email-and-row': { table: 'Hospitality New Bookings', text: number },
			'new-customer-to-contact-list': { table: 'Hospitality Contact List', text: () => 'Walking Tours' },
			'price-list-to-articles': { mail: /^Price list: 1 article updated$/ },
			'reminder-and-review-request': { mail: /^See you / },
			'subscription-check': { node: 'Say what is wrong with it', text: () => 'plan-plus' },
			'survey-answers-and-alert': { table: 'Hospitality Survey Answers', text: () => person },
			watchdog: { mail: /^Bookings missing or old in the table: /, text: () => missing.guid },
		};

		test.each(sortBy(WORKFLOW_NAMES, awaitsPoll))(
			'%s shows its result, light and dark, on a wide screen and a phone',
			async (name) => {
				const result = results[name];
				if (!result) throw new Error(`No result is known of ${name}.`);
				if ('elsewhere' in result && result.elsewhere)
					expect(await eventually(`The result of ${name}`, result.elsewhere)).toBeTruthy();
				const [address, show] = await whereToLook(name, result);
				const page = await here.editor.page.context().newPage();
				await page.goto(address);
				for (const width of WIDTHS) {
					await page.setViewportSize({ width, height: 844 });
					const seen = await show(page);
					for (const colorScheme of SCHEMES) {
						await page.emulateMedia({ colorScheme });
						await eventually(`${name} at ${width}`, async () => (await isOnScreen(page, seen)) || undefined);
						await takePicture(`walked ${name} ${width} ${colorScheme}`, page);
					}
				}
				await page.close();
			},
			POLLED_WITHIN_MS,
		);

		/** The address at which a result is seen, and how to bring it into view there. */
		async function whereToLook(
			name: string,
			result: Result,
		): Promise<[address: string, show: (page: Page) => Promise<Locator>]> {
			const { url } = gallery.client;
			if ('mail' in result) {
				const [mail] = await gallery.mails(result.mail, { text: result.text?.() });
				return [
					`${gallery.inbox.url}/#/email/${mail?.id}`,
					async (page) => await showText(page, mail?.subject ?? ''),
				];
			}
			if ('table' in result) {
				await gallery.rows(result.table, (row) => Object.values(row).map(String).includes(result.text()));
				const { data } = (await gallery.client.request('GET', '/rest/data-tables-global')) as {
					data: Array<{ id: string; name: string; projectId: string }>;
				};
				const table = data.find((one) => one.name === result.table);
				return [
					`${url}/projects/${table?.projectId}/datatables/${table?.id}`,
					async (page) => await showCell(page, result.text()),
				];
			}
			const id = workflows.get(name) ?? '';
			const execution = await eventually(`The output of ${result.node}`, async () => {
				for (const { id: executionId, status } of await gallery.client.executions(id)) {
					if (status !== 'success') continue;
					const { runs } = await gallery.client.execution(executionId);
					if (JSON.stringify(runs[result.node] ?? '').includes(result.text())) return executionId;
				}
				return undefined;
			});
			return [
				`${url}/workflow/${id}/executions/${execution}`,
				async (page) => await showOutput(page, result.node, result.text()),
			];
		}

		/** Uploads a price list as a person does. */
		async function upload(page: Page, text: string): Promise<void> {
			const path = await pathOf('price-list-to-articles', 'A price list is uploaded');
			await page.goto(`${gallery.client.url}/form/${path}`);
			await page.locator('input[type=file]').setInputFiles({
				name: 'prices.csv',
				mimeType: 'text/csv',
				buffer: Buffer.from(text),
			});
			await page.getByRole('button', { name: 'Submit' }).click();
			await page.waitForLoadState('networkidle');
		}
	},
);

/** @returns the places of a text, once there is one */
async function showText(page: Page, text: string): Promise<Locator> {
	const found = page.getByText(text);
	await found.first().waitFor({ state: 'attached', timeout: SHOWN_WITHIN_MS });
	return found;
}

/** Brings a cell of a data table into view, as a finger does: n8n draws only the columns that are in view. */
async function showCell(page: Page, text: string): Promise<Locator> {
	const grid = page.locator('.ag-center-cols-viewport');
	const cell = grid.getByText(text, { exact: true });
	await grid.getByRole('gridcell').first().waitFor({ timeout: SHOWN_WITHIN_MS });
	return await eventually(`The cell ${text}`, async () => {
		for (let left = 0; left < WIDEST_TABLE; left += SWIPE) {
			await grid.evaluate((element, to) => element.scrollTo({ left: to }), left);
			await page.waitForTimeout(DRAWN_WITHIN_MS);
			if (await isOnScreen(page, cell)) return cell;
		}
		return undefined;
	});
}

/** Opens the logs below an execution, chooses a node there and searches its output. */
async function showOutput(page: Page, node: string, text: string): Promise<Locator> {
	const logs = page.locator('[data-test-id="logs-panel"]');
	const overview = logs.locator('[data-test-id="logs-overview-body"]');
	await logs.waitFor({ timeout: SHOWN_WITHIN_MS });
	// n8n remembers that they are open.
	if (!(await overview.isVisible())) await logs.getByText('Logs', { exact: true }).first().click();
	const chosen = overview.getByText(node, { exact: true }).first();
	await chosen.waitFor({ timeout: SHOWN_WITHIN_MS });
	// To press the one that is chosen takes the choice back.
	const details = logs.locator('[data-test-id="log-details-header"]');
	if (!(await details.filter({ hasText: node }).isVisible())) await chosen.click();
	const output = logs.locator('[data-test-id="log-details-output"]');
	await output.locator('[data-test-id="radio-button-table"]').click();
	await output.locator('[data-test-id="ndv-search"]').click();
	await page.keyboard.press('ControlOrMeta+a');
	await page.keyboard.type(text);
	const found = output.locator('td').filter({ hasText: text });
	return await eventually(`"${text}" in the output of ${node}`, async () => {
		// n8n draws the table anew while it still searches.
		return await found
			.first()
			.scrollIntoViewIfNeeded({ timeout: SHOWN_WITHIN_MS })
			.then(
				() => found,
				() => undefined,
			);
	});
}

/** Whether one of the places is seen without scrolling, by more than half of its width. */
async function isOnScreen(page: Page, places: Locator): Promise<boolean> {
	const { width: right = 0, height: bottom = 0 } = page.viewportSize() ?? {};
	const boxes = await Promise.all((await places.all()).map(async (place) => await place.boundingBox()));
	return boxes.some(
		(box) => box && box.x >= 0 && box.x + box.width / 2 < right && box.y >= 0 && box.y < bottom,
	);
}
