import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DateTime } from 'luxon';
import type { Page } from 'playwright-core';
import type { JsonObject } from '../../harness/n8nClient.ts';
import { connectAgent } from '../e2e/support/agent';
import { PriceForm } from '../e2e/workflows/priceForm';
import { AGENT_TOKEN, TIME_ZONE, useGallery } from '../e2e/workflows/support';
import { launchBrowser, takePicture } from '../support/browser';
import { keepPicture, TAKES_PICTURES } from '../support/pictures';
import { describeInEditor } from './support/editor';

const WIDTH = 620;
const BOOKINGS = 'Hospitality Bookings';

/** Text as it comes, in a frame. */
const plain = (title: string, text: string) =>
	`<div style="font:15px/1.5 -apple-system,Segoe UI,Roboto,sans-serif;padding:16px"><b>${escaped(title)}</b><pre style="white-space:pre-wrap;font:13px/1.5 ui-monospace,monospace">${escaped(text)}</pre></div>`;
const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
const table = (title: string, rows: JsonObject[], columns: string[]) => {
	const line = (cells: unknown[], tag: string) =>
		`<tr>${cells.map((cell) => `<${tag} style="text-align:left;padding:4px 10px;border-bottom:1px solid #ccc;font-size:13px">${escaped(String(cell ?? ''))}</${tag}>`).join('')}</tr>`;
	const lines = rows.map((row) =>
		line(
			columns.map((column) => row[column]),
			'td',
		),
	);
	return `<div style="font:15px/1.5 -apple-system,Segoe UI,Roboto,sans-serif;padding:16px"><b>${escaped(title)}</b><table style="border-collapse:collapse;margin-top:8px">${line(columns, 'th')}${lines.join('')}</table></div>`;
};

/** Only for the documents: what comes of the files is tested in test/e2e/workflows. */
(TAKES_PICTURES ? describeInEditor : describe.skip)('what comes of a workflow file', () => {
	const gallery = useGallery(BOOKINGS);
	let page: Page;

	beforeAll(async () => {
		page = await (await launchBrowser()).newPage();
		await page.setViewportSize({ width: WIDTH, height: 400 });
		const evening = (days: number, hour: number, minute: number) => {
			const start = DateTime.now().setZone(TIME_ZONE).startOf('day').plus({ days }).set({ hour, minute });
			return { start: start.toUTC().toISO(), end: start.plus({ hours: 2 }).toUTC().toISO(), status: 2 };
		};
		await gallery.control('POST', '/reset');
		for (const [days, hour, minute, guests, message] of [
			[1, 18, 0, 4, 'One of us is allergic to nuts.'],
			[1, 18, 30, 10, 'We celebrate a birthday.'],
			[1, 19, 0, 2, null],
			[1, 19, 30, 6, 'Two high chairs, please.'],
			[2, 18, 0, 8, null],
		] as const)
			await gallery.book({ ...evening(days, hour, minute), guests, message });
	});

	afterAll(async () => {
		await page?.context().browser()?.close();
	});

	async function keep(name: string, html: string): Promise<void> {
		await page.setContent(html);
		const body = page.locator('body');
		const taken = await takePicture(`result ${name}`, body);
		keepPicture(taken, `docs/workflows/images/${name}-result.png`, { workflow: name });
	}
	const run = async (name: string, parameters?: Record<string, JsonObject>) =>
		await (await gallery.load(name, parameters)).run();
	const outputOf = async (name: string, node: string, parameters?: Record<string, JsonObject>) => {
		const { runs } = await run(name, parameters);
		return (runs[node]?.[0]?.data?.main?.[0] ?? []).map(({ json }) => json);
	};
	const mailOf = async (name: string, subject: RegExp, parameters?: Record<string, JsonObject>) => {
		await run(name, parameters);
		const mail = (await gallery.mails(subject)).at(-1);
		return { subject: mail?.subject ?? '', text: mail?.text ?? '', html: mail?.html ?? '' };
	};

	test.each<[string, () => Promise<string>]>([
		['kitchen-and-covers', async () => (await mailOf('kitchen-and-covers', /^Tomorrow/)).html],
		[
			'fill-or-repair-a-table',
			async () => {
				const since = { 'Get the bookings since': { changedFrom: '2026-01-01' } };
				const rows = await outputOf('fill-or-repair-a-table', 'Say how many', since);
				return table('Say how many', rows, ['new', 'changed', 'equal']);
			},
		],
		[
			'check-my-account',
			async () => {
				const rows = await outputOf('check-my-account', 'One line per status');
				return table('One line per status', rows, ['status', 'name', 'now', 'inHistoryOf']);
			},
		],
		[
			'bookings-to-csv-file',
			async () => {
				await run('bookings-to-csv-file');
				const text = readFileSync(join(gallery.filesFolder, 'bookings.csv'), 'utf8');
				return plain('bookings.csv', text.split('\r\n').slice(0, 4).join('\n'));
			},
		],
		[
			'bookings-as-a-calendar',
			async () => {
				const { workflow } = await gallery.publish('bookings-as-a-calendar');
				const { path } = await gallery.parametersOf(workflow, 'A calendar asks');
				const text = await (await fetch(`${gallery.client.url}/webhook/${String(path)}`)).text();
				const [, event = ''] = /(BEGIN:VEVENT[^]*?END:VEVENT)/.exec(text) ?? [];
				return plain('text/calendar', event);
			},
		],
		[
			'booking-tools-for-ai-agents',
			async () => {
				const { workflow } = await gallery.publish('booking-tools-for-ai-agents');
				const { path } = await gallery.parametersOf(workflow, 'An AI agent connects');
				const { contact } = await gallery.book();
				const agent = await connectAgent(String(path), AGENT_TOKEN);
				const said = await agent.call('Find_booking', { words: contact.mobile });
				await agent.close();
				return plain(
					`Find booking: ${contact.mobile}`,
					JSON.stringify((JSON.parse(said) as unknown[])[0], null, 2),
				);
			},
		],
		[
			'price-list-to-articles',
			async () => {
				const form = await PriceForm.publish(gallery);
				const ids = (await form.articles()).map(({ articleId }) => articleId);
				const rows = [
					`${ids[0]};Toast Skagen;189,50;`,
					`${ids[1]};Räksmörgås;1.234,50;`,
					`${ids[2]};Soup;1,234;`,
				];
				return (await form.upload(['Article ID;Name;Price;Take-Away Price', ...rows].join('\n'))).text;
			},
		],
		[
			'subscription-check',
			async () => {
				const plan = { 'Get the subscription': { id: 'plan-canceled' } };
				const { subject, text } = await mailOf('subscription-check', /^Please look at/, plan);
				return plain(subject, text);
			},
		],
	])('%s', async (name, show) => {
		await keep(name, await show());
	});
});
