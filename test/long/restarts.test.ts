import { setTimeout as sleep } from 'node:timers/promises';
import times from 'lodash/times';
import { eventually } from '../../dev/eventually.ts';
import { tableRows } from '../../dev/demo/table.ts';
import type { Execution, StoredWorkflow } from '../../dev/n8nClient.ts';
import { outputOf } from '../../dev/runner.ts';
import { type Sandbox, startSandbox } from '../../dev/sandbox.ts';
import type { LoggedRequest } from '../../sandbox/control/requestLog.ts';
import { callTool } from '../e2e/support/agent';
import {
	formUrl,
	openPriceForm,
	type Page,
	type PriceForm,
	sendAnswer,
} from '../e2e/workflows/form';
import {
	cancelableFor,
	mailsSoFar,
	mailsWith,
	POLLED_MS,
	wordsOf,
} from '../e2e/workflows/situations';
import {
	AGENT_TOKEN,
	type Booking,
	CANCELED,
	guest,
	inHours,
	storedNode,
	useGallery,
} from '../e2e/workflows/support';
import { OwnN8n } from './support/ownN8n';

jest.setTimeout(240_000);

const NEW = 'Hospitality New Bookings';
const BOOKINGS = 'Hospitality Bookings';
const YES = 'Ja, skicka dem';
const CANCEL = 'Cancel my booking · Avboka · Buchung stornieren';
/** Below what one table takes: n8n then refuses every row, as when its tables are full. */
const FULL = { N8N_DATA_TABLES_MAX_SIZE_BYTES: '1000' };
/** A call that changes something is so long under way that n8n is killed meanwhile. */
const LONG_MS = 20_000;
const STOPPED = 'It stopped at this step, which may be done in part.';

let n8n: OwnN8n;
let sandbox: Sandbox;
const gallery = useGallery([], 'sv', async () => {
	sandbox = await startSandbox({ control: true });
	n8n = await OwnN8n.start();
	return { client: n8n.client, sandbox: sandbox.info, control: sandbox.control };
});
afterAll(async () => {
	await n8n?.stop();
	await sandbox?.stop();
});

const published = new Map<string, StoredWorkflow>();
const idOf = (name: string) => String(published.get(name)?.id);
let form: PriceForm;
let answerPage: string;
let tools: string;
let tapped: Booking;
let asked: Booking;
/** Has been shown before n8n ends. */
let shown: Page;
/** Made while the tables are full. */
let later: Booking[];

/** Five bookings that one poll finds. */
async function bookFive(name: string): Promise<Booking[]> {
	const bookings = times(5, (index) =>
		Object.assign({}, inHours(400), guest(`${name}-${index + 1}`)),
	);
	return await Promise.all(bookings.map((one) => gallery.book(one)));
}
/** The guests among five whom the kitchen knows of by mail, a name for each mail. */
async function mailed(name: string): Promise<string[]> {
	const mails = await mailsSoFar(gallery, `${name}-`, 'kitchen@');
	return mails.map(({ subject }) => subject.split(' ').at(-1) ?? '').sort();
}
async function rowsOf(table: string, name: string): Promise<unknown[]> {
	const rows = await tableRows(gallery.client, table);
	return rows
		.map(({ guestName }) => guestName)
		.filter((one) => String(one).startsWith(name))
		.sort();
}
const all = (name: string) => times(5, (index) => `${name}-${index + 1}`);
async function listOf(prices: number): Promise<string> {
	const [one] = await form.articles();
	return `Article ID,Name,Price\n${one?.articleId},At ${prices},${prices}`;
}
const changes = async (path: string) =>
	(await gallery.control<LoggedRequest[]>('GET', '/requests')).filter(
		(request) => request.method !== 'GET' && request.path.includes(path),
	);
const cancelByTool = (guid: string) => callTool(tools, AGENT_TOKEN, 'Cancel_booking', { guid });
/** The execution of a workflow that n8n was killed in. */
async function crashed(name: string): Promise<Execution> {
	const found = (await gallery.client.executions(idOf(name))).find(
		({ status }) => status === 'crashed',
	);
	return await gallery.client.execution(String(found?.id));
}
/** What the house was mailed about the execution that n8n was killed in. */
async function toldOf(name: string): Promise<string> {
	const { id } = await crashed(name);
	const [mail] = await mailsWith(gallery, `${idOf(name)}/executions/${id}`, 'manager@');
	return mail ? wordsOf(mail) : '';
}

async function publishAll(): Promise<void> {
	const settings = { errorWorkflow: (await gallery.publish('tell-me-when-something-fails')).id };
	for (const name of [
		'new-booking-to-email-and-row',
		'bookings-in-a-table',
		'price-list-to-articles',
		'one-tap-answers',
		'booking-tools-for-ai-agents',
	]) {
		const { settings: own } = await gallery.filled(name);
		published.set(name, await gallery.publish(name, {}, { settings: { ...own, ...settings } }));
	}
	form = await openPriceForm(gallery, published.get('price-list-to-articles') as StoredWorkflow);
	answerPage = await formUrl(gallery.client, published.get('one-tap-answers') as StoredWorkflow);
	const agents = published.get('booking-tools-for-ai-agents') as StoredWorkflow;
	const { parameters } = await storedNode(gallery.client, agents, '.mcpTrigger');
	tools = `${gallery.client.url}/mcp/${String(parameters.path)}`;
}

/** Brings every file into the middle of what it does. */
async function beginAll(): Promise<void> {
	const { hold } = gallery.gate;
	const cancelable = (hours: number) =>
		gallery.book(Object.assign({}, inHours(hours), guest('Middle'), cancelableFor(9)));
	tapped = await cancelable(20);
	asked = await cancelable(21);
	const killed = await form.upload(await listOf(42));
	shown = await form.upload(await listOf(41));
	const ending = hold('Ending-3');
	await bookFive('Ending');
	await ending;
	const killing = hold('Killed-3');
	await bookFive('Killed');
	await killing;
	const telling = hold(tapped.globalBookingNumber);
	const { guid: booking, start } = tapped;
	void sendAnswer(answerPage, { booking, start, choice: CANCEL }).catch(() => undefined);
	await telling;
	await gallery.control('POST', '/faults', {
		path: 'batch-update',
		after: true,
		fault: { kind: 'delay', ms: LONG_MS },
	});
	void killed.answer(YES).catch(() => undefined);
	await eventually(
		'the price list is sent',
		async () => (await changes('batch-update')).length > 0,
	);
	await gallery.control('POST', '/faults', {
		path: asked.guid,
		after: true,
		fault: { kind: 'delay', ms: LONG_MS },
	});
	void cancelByTool(asked.guid).catch(() => undefined);
	await eventually('the tool cancels', async () => (await changes(asked.guid)).length > 0);
}

beforeAll(async () => {
	await publishAll();
	await sleep(POLLED_MS);
	await beginAll();
	await n8n.stopAndRestart(async () => {
		gallery.gate.release('Ending-3');
		await mailsWith(gallery, 'Ending-5', 'kitchen@');
		await sleep(1_000);
	}, FULL);
	gallery.gate.release('Killed-3');
	gallery.gate.release(tapped.globalBookingNumber);
	await gallery.respondAsUsual();
	later = await bookFive('Later');
	await mailsWith(gallery, 'Later-5', 'kitchen@');
	await sleep(POLLED_MS);
});

it('mails and saves once what n8n has been asked to end in, and ends', async () => {
	expect(await mailed('Ending')).toEqual(all('Ending'));
	expect(await rowsOf(NEW, 'Ending')).toEqual(all('Ending'));
	expect(await rowsOf(BOOKINGS, 'Ending')).toEqual(all('Ending'));
});

it('repeats no mail that n8n was killed after, and tells of the rest: the link shows whom it was about', async () => {
	expect(await mailed('Killed')).toEqual(['Killed-1', 'Killed-2']);
	expect(await toldOf('new-booking-to-email-and-row')).toContain(`Email the kitchen`);
	expect(await toldOf('new-booking-to-email-and-row')).toContain(STOPPED);
	const behindLink = outputOf(await crashed('new-booking-to-email-and-row'), 'A booking is made');
	expect(behindLink.map(({ json }) => json.guestName).sort()).toEqual(all('Killed'));
	expect(await rowsOf(BOOKINGS, 'Killed')).toEqual(all('Killed'));
});

it('sends a price list that was on the page once after the restart, and tells that another may have been sent', async () => {
	const sent = await changes('batch-update');
	expect(sent).toHaveLength(1);
	expect(await toldOf('price-list-to-articles')).toContain(STOPPED);
	expect((await shown.answer(YES)).text).toContain('Uppdaterade: 1');
	expect((await form.articles())[0]).toMatchObject({ name: 'At 41' });
	expect(await changes('batch-update')).toHaveLength(2);
});

it('tells the house of a guest whose answer it was in, and the guest who answers again what came of it', async () => {
	expect(await gallery.statusOf(tapped)).toBe(CANCELED);
	expect(await toldOf('one-tap-answers')).toContain(STOPPED);
	const behindLink = outputOf(await crashed('one-tap-answers'), 'Get the booking as it is now');
	expect(behindLink[0]?.json.guid).toBe(tapped.guid);
	const { guid: booking, start } = tapped;
	const page = await sendAnswer(answerPage, { booking, start, choice: CANCEL });
	expect(page).toContain('not valid any more');
	expect(await changes(tapped.guid)).toHaveLength(1);
});

it('lets an agent find out at the same address what its call came to', async () => {
	const said = await callTool(tools, AGENT_TOKEN, 'Find_booking', { words: asked.guid });
	expect(said).toContain('canceled');
	expect(await changes(asked.guid)).toHaveLength(1);
});

it('mails while the tables are full, and tells of each row that is missing', async () => {
	expect(await mailed('Later')).toEqual(all('Later'));
	expect(await rowsOf(NEW, 'Later')).toEqual([]);
	for (const words of ['not saved as a row', 'Not saved as a row']) {
		const [mail] = await mailsWith(gallery, words, 'manager@');
		for (const { globalBookingNumber } of later) expect(mail?.text).toContain(globalBookingNumber);
	}
});
