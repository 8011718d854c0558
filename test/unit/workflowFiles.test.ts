import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { DateTime, Settings } from 'luxon';
import { credentialTypeOf, workflowFile, workflowsFolder } from '../../dev/demo/workflows.ts';
import type { JsonObject, WorkflowNode } from '../../dev/n8nClient.ts';

const NAMES = readdirSync(workflowsFolder()).map((file) => file.replace('.json', ''));
const MOST_FILES = 23;
const USUAL_NODES = 10;
/** A list that is read, shown, sent and told; and an agent with what hangs below it. */
const MOST_NODES: Record<string, number> = {
	'price-list-to-articles': 12,
	'chat-that-waits-for-a-person': 11,
};
/** Files that came because the trade asks for them first. */
const WANTED = [
	'no-show-follow-up',
	'sms-or-whatsapp-reminder',
	'moved-booking-to-staff',
	'payment-to-the-books',
	'weekly-figures',
	'note-what-changed',
];
/** Whose email is a page to print or to tap on. */
const HTML_MAILS = ['arrivals-every-morning', 'several-restaurants'];
/** Longest code between {{ and }}: what a person can read aloud. */
const LONGEST_EXPRESSION = 220;
/** Fields of _Your house_ that may stay empty, or that the node which reads them refuses where they are. */
const OPTIONAL = ['answerPage', 'statuses'];
const STICKY = 'n8n-nodes-base.stickyNote';
const CODE = 'n8n-nodes-base.code';
const WAIT = 'n8n-nodes-base.wait';
const MAIL = 'n8n-nodes-base.emailSend';
const STOP = 'n8n-nodes-base.stopAndError';
/** Nodes by which somebody outside gets something. */
const REACHES_PEOPLE = /\.(emailSend|httpRequest|twilio)$/;
const YELLOW = 1;
const WHITE = 7;
/** Code, and what chooses where a line goes on. */
const HARD_TO_READ = /\.(code|if|filter|switch|wait)$/;

// Pixels of the canvas.
/** A node with its name below it. */
const NODE = { left: 60, right: 156, below: 150 };
const LINE = 21;
const PADDING = 32;
const LETTER = 7;
/** Between a note and the node that it is about. */
const NEAR = 80;

interface Link {
	node: string;
}
type Outputs = Record<string, Link[][] | undefined>;

/** A workflow file as its tests look at it. */
class WorkflowFile {
	readonly notes: WorkflowNode[];
	readonly nodes: WorkflowNode[];
	readonly title: string;
	readonly settings: JsonObject | undefined;
	private readonly connections: Record<string, Outputs | undefined>;

	constructor(readonly name: string) {
		const workflow = workflowFile(name);
		this.title = workflow.name;
		this.settings = workflow.settings;
		this.notes = workflow.nodes.filter(({ type }) => type === STICKY);
		this.nodes = workflow.nodes.filter(({ type }) => type !== STICKY);
		this.connections = workflow.connections as Record<string, Outputs | undefined>;
	}

	node(name: string): WorkflowNode {
		const found = this.nodes.find((one) => one.name === name);
		if (!found) throw new Error(`${this.name} has no node ${name}.`);
		return found;
	}

	/** The nodes behind a node, by output. */
	after(node: WorkflowNode): WorkflowNode[][] {
		const outputs = this.connections[node.name]?.main ?? [];
		return outputs.map((links) => links.map((link) => this.node(link.node)));
	}

	/** The first note. */
	get note(): string {
		return String(this.notes[0]?.parameters.content);
	}

	/** Code nodes, in the order in which they run. */
	get codes(): WorkflowNode[] {
		const codes = this.nodes.filter(({ type }) => type === CODE);
		return codes.sort((one, other) => one.position[0] - other.position[0]);
	}

	/** What stands in _Your house_, by name without `house.`; undefined where there is no such node. */
	get house(): JsonObject | undefined {
		const node = this.nodes.find(({ name }) => name === 'Your house');
		if (!node) return undefined;
		const { assignments } = node.parameters.assignments as {
			assignments: Array<{ name: string; value: string; type: string }>;
		};
		const house: JsonObject = {};
		for (const { name, value, type } of assignments) {
			house[name.replace('house.', '')] =
				type === 'string' ? value : (JSON.parse(value) as JsonObject);
		}
		return house;
	}
}

const files = NAMES.map((name) => new WorkflowFile(name));

/** What a note or a node covers on the canvas. */
interface Box {
	left: number;
	top: number;
	right: number;
	bottom: number;
}

function boxOfNote({ position: [left, top], parameters }: WorkflowNode): Box {
	const { width, height } = parameters as { width: number; height: number };
	return { left, top, right: left + width, bottom: top + height };
}

function boxOfNode({ position: [x, y] }: WorkflowNode): Box {
	return { left: x - NODE.left, top: y, right: x + NODE.right, bottom: y + NODE.below };
}

function overlaps(one: Box, other: Box): boolean {
	const beside = one.right <= other.left || other.right <= one.left;
	const above = one.bottom <= other.top || other.bottom <= one.top;
	return !beside && !above;
}

function isNear(note: WorkflowNode, node: WorkflowNode): boolean {
	const box = boxOfNote(note);
	const about = boxOfNode(node);
	const gap = Math.max(about.top - box.bottom, box.top - about.bottom);
	return gap <= NEAR && box.left < about.right && about.left < box.right;
}

/** The lines that the words of a note take. */
function linesOf({ parameters }: WorkflowNode): number {
	const { content, width } = parameters as { content: string; width: number };
	const most = Math.floor((width - PADDING) / LETTER);
	let lines = 1;
	let used = 0;
	for (const { length } of content.split(' ')) {
		if (used + length > most) {
			lines += 1;
			used = 0;
		}
		used += length + 1;
	}
	return lines;
}

const roomIn = ({ parameters }: WorkflowNode) => Number(parameters.height) - PADDING;

/** All texts among the parameters of a node. */
function textsOf(value: unknown): string[] {
	if (typeof value === 'string') return [value];
	return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsOf) : [];
}

/** The code of all expressions of a node. */
function expressionsOf(node: WorkflowNode): string[] {
	const texts = textsOf(node.parameters).filter((text) => text.startsWith('='));
	const found = texts.flatMap((text) => [...text.matchAll(/\{\{([\s\S]*?)\}\}(?!\})/g)]);
	return found.map((match) => String(match[1]).trim());
}

function keysOf(value: object): string[] {
	const keys: string[] = [];
	for (const [key, own] of Object.entries(value)) {
		keys.push(key);
		if (typeof own === 'object' && own !== null) keys.push(...keysOf(own as object));
	}
	return keys;
}

/** Whether a node changes something outside of the workflow. */
function acts({ type, parameters }: WorkflowNode): boolean {
	const reads = ['getAll', 'get', 'getWithSurvey', 'authenticate'];
	if (/hospitality(Booking|Payment)$/.test(type)) {
		return !reads.includes(String(parameters.operation));
	}
	return REACHES_PEOPLE.test(type) || /\.(dataTable|googleSheets)$/.test(type);
}

// ---- A run of a file's Code nodes, outside of n8n

const GUID = '3f2504e0-4f89-41d3-9a0c-0305e82c3301';
const START = DateTime.utc().plus({ days: 1 }).toISO();
const BOOKING: JsonObject = {
	guid: GUID,
	start: START,
	end: DateTime.utc().plus({ days: 1, hours: 2 }).toISO(),
	cancelAllowedBeforeUtc: START,
	date: START.slice(0, 10),
	time: '18:30',
	when: 'Saturday 28 November 2026 at 18:30',
	whenForGuest: 'Saturday 28 November 2026 at 18:30',
	guestName: 'Anna Lind',
	guests: 2,
	children: 1,
	tables: 'Window 1',
	booked: 'Menu',
	message: 'Nuts!',
	phoneLink: 'tel:+46701234567',
	guestPhone: '+46 70 123 45 67',
	guestEmail: 'anna@example.com',
	bookingNumber: 'B1',
	bookingRootId: 7,
	state: 'expected',
	chargeShouldPayAmount: 5,
	event: { id: 'one', type: 'bookingStartsSoon', time: START },
	changes: {
		fields: ['guests'],
		before: { start: START, guests: 1, chargePayedAmount: 1 },
		now: { start: START, guests: 2, chargePayedAmount: 2 },
	},
};
const FILLED_IN: JsonObject = {
	name: 'Harbour House',
	phone: '+46 40 123 45 67',
	reviewPage: 'example.com/reviews',
	currency: 'EUR',
	houses: [{ system: 'one', name: 'One' }],
};
const PRICES = `Article ID;Name;Price\n${GUID};Soup;"89,50"\n${GUID};Soup;05.12`;

interface Entered {
	/** What stands in _Your house_. */
	house?: JsonObject;
	/** What a booking has. */
	booking?: JsonObject;
}

/** Runs the Code nodes of a file with one booking. @returns what all of them put out, as JSON */
async function runCodes(file: WorkflowFile, { house, booking }: Entered = {}): Promise<string> {
	const asked = {
		booking: GUID,
		start: START,
		'Are you coming? · Kommer ni? · Kommen Sie?': 'Cancel',
	};
	const settings = { ...file.house, ...FILLED_IN, ...house };
	const json = { ...BOOKING, ...booking };
	const outputs = new Map<string, unknown[]>();
	outputs.set('Your house', [{ json: { house: settings } }]);
	outputs.set('A guest answers', [{ json: asked }]);
	const itemsOf = (name: string) => outputs.get(name) ?? [{ json, pairedItem: { item: 0 } }];
	const access = (name: string) => ({
		all: () => itemsOf(name),
		first: () => itemsOf(name)[0],
		isExecuted: true,
	});
	const codes = file.codes.filter(({ name }) => !name.startsWith('Say who'));
	for (const { name, parameters } of codes) {
		const globals = {
			$: access,
			$input: access('the booking'),
			DateTime,
			Buffer,
			helpers: { getBinaryDataBuffer: () => Promise.resolve(Buffer.from(PRICES)) },
		};
		const code = String(parameters.jsCode).replace('this.helpers', 'helpers');
		const output = (await runInNewContext(`(async () => {${code}})()`, globals)) as unknown[];
		outputs.set(name, JSON.parse(JSON.stringify(output)) as unknown[]);
	}
	const made = codes.map(({ name }) => outputs.get(name));
	return JSON.stringify(made);
}

// Two runs of a file are compared: neither is later than the other.
const runAt = Date.now();
beforeAll(() => (Settings.now = () => runAt));
afterAll(() => (Settings.now = () => Date.now()));

/** A language as it is entered, or as a booking has it, and the one of the file that counts. */
const LANGUAGES = [
	{ given: 'da', counts: 'en' },
	{ given: '', counts: 'en' },
	{ given: 'en-NZ', counts: 'en' },
	{ given: 'constructor', counts: 'en' },
	{ given: 'DE', counts: 'de' },
	{ given: 'de ', counts: 'de' },
	{ given: 'DE-at', counts: 'de' },
	{ given: 'sv-SE', counts: 'sv' },
];

it('has at most 23 files, the wanted ones of 2 to 5 nodes among them', () => {
	const large = files.filter(({ name, nodes }) => WANTED.includes(name) && nodes.length > 5);

	expect(NAMES.length).toBeLessThanOrEqual(MOST_FILES);
	expect(NAMES).toEqual(expect.arrayContaining(WANTED));
	expect(large.map(({ name }) => name)).toEqual([]);
});

describe.each(files)('workflows/$name.json', (file) => {
	const { name, nodes } = file;

	it('has few nodes, whose lines run from left to right', () => {
		const backwards = nodes.filter((node) =>
			file
				.after(node)
				.flat()
				.some((next) => next.position[0] <= node.position[0]),
		);

		expect(nodes.length).toBeLessThanOrEqual(MOST_NODES[name] ?? USUAL_NODES);
		expect(backwards.map((node) => node.name)).toEqual([]);
	});

	it('begins with a yellow note: for whom, what it does, what to set, on which n8n', () => {
		const asks = (node: WorkflowNode) =>
			credentialTypeOf(node) !== undefined ||
			['toEmail', 'url', 'documentId'].some((field) => node.parameters[field] === '');
		const untold = nodes.filter((node) => asks(node) && !file.note.includes(`**${node.name}**`));
		const parts = [`## ${file.title}\n`, '**Who it is for**', '**What it does**', '### Set up'];

		for (const part of parts) expect(file.note).toContain(part);
		expect(file.note).toContain('Self-hosted n8n only');
		expect(file.notes[0]?.parameters.color).toBe(YELLOW);
		expect(untold.map((node) => node.name)).toEqual([]);
	});

	it('has a white note at each step whose name cannot say what it decides or makes', () => {
		const hard = nodes.filter(({ type }) => HARD_TO_READ.test(type));
		const about = file.notes.slice(1).map((note) => note.name.replace(/^About /, ''));
		const untold = hard.filter((node) => !about.includes(node.name));

		expect(untold.map((node) => node.name)).toEqual([]);
		expect(about.filter((one) => !nodes.some((node) => node.name === one))).toEqual([]);
		for (const { parameters } of file.notes.slice(1)) expect(parameters.color).toBe(WHITE);
	});

	it('has notes that cover nothing, near their step, with room for all of their text', () => {
		const boxes = [...file.notes.map(boxOfNote), ...nodes.map(boxOfNode)];
		const covered = file.notes.filter((note) => {
			const box = boxOfNote(note);
			return boxes.filter((other) => overlaps(box, other)).length > 1;
		});
		const cut = file.notes.slice(1).filter((note) => linesOf(note) * LINE > roomIn(note));
		const far = file.notes
			.slice(1)
			.filter((note) => !isNear(note, file.node(note.name.replace(/^About /, ''))));

		for (const found of [covered, cut, far]) expect(found.map((note) => note.name)).toEqual([]);
	});

	it('asks for days of the house by their name, and for a time only where an agent gives it', () => {
		const texts = nodes.flatMap(({ parameters: { startTime, endTime } }) => [startTime, endTime]);
		const own = texts.filter((text) => text !== undefined && !String(text).includes('$fromAI'));
		expect(own).toEqual([]);
	});

	it('mails and posts first, and nothing beside that ends the run', () => {
		const late: string[] = [];
		for (const side of nodes.flatMap((node) => file.after(node))) {
			const heights = side.map(({ position }) => position[1]);
			const reaching = side.filter((next) => leadsToPeople(file, next));
			const isFirst =
				reaching.length === 0 ||
				reaching.some(({ position }) => position[1] === Math.min(...heights));
			if (!isFirst) late.push(...side.map((node) => node.name));
		}
		const stopsOthers = nodes.filter((node) => acts(node) && !node.executeOnce && !node.onError);
		const makesTable = nodes.filter(({ parameters }) => parameters.resource === 'table');

		expect(late).toEqual([]);
		expect(stopsOthers.map((node) => node.name)).toEqual([]);
		for (const node of makesTable) expect(node.onError).toBe('continueRegularOutput');
	});

	it('repeats nothing that succeeded: Retry On Fail stands only on a node that runs once, for one item', () => {
		const repeats = nodes.filter((node) => node.retryOnFail && !node.executeOnce);
		expect(repeats.map((node) => node.name)).toEqual([]);
	});

	it('keeps what each step put out, so that a run that n8n was killed in shows whom it was about', () => {
		const isKept = file.settings?.saveExecutionProgress === true;
		expect(isKept).toBe(nodes.some(acts) && name !== 'tell-me-when-something-fails');
	});

	it('waits for nothing that can change meanwhile', () => {
		const waits = nodes.filter(({ type }) => type === WAIT);
		expect(waits.length > 0).toBe(name === 'tell-me-when-something-fails');
	});

	it('lists all who got nothing, in one error of the run', () => {
		const ofMany = nodes.filter((node) => acts(node) && !node.executeOnce);
		const isRead = ({ name: acting }: WorkflowNode) =>
			file.codes.some(({ parameters }) =>
				String(parameters.jsCode).includes(`$('${acting}').all()`),
			);
		const unlisted = ofMany.filter((node) =>
			node.onError === 'continueErrorOutput'
				? file.after(node).at(-1)?.length !== 1
				: !isRead(node),
		);
		const stops = nodes.filter(({ type }) => type === STOP);
		const ofOne = stops.filter(
			(node) => !/\.all\(\)|\$json\.list/.test(String(node.parameters.errorObject)),
		);

		expect(unlisted.map((node) => node.name)).toEqual([]);
		expect(ofOne.map((node) => node.name)).toEqual([]);
		expect(stops.length).toBeLessThanOrEqual(1);
	});

	it('tells failures only where a workflow is for that', () => {
		const tells = nodes.some(({ type }) => type === 'n8n-nodes-base.errorTrigger');

		expect(tells).toBe(name === 'tell-me-when-something-fails');
		expect(JSON.stringify(nodes)).not.toContain('removeDuplicates');
	});

	it('has short expressions, without a pattern and without an escape', () => {
		const all = nodes.flatMap(expressionsOf);
		const long = all.filter((code) => code.length > LONGEST_EXPRESSION);
		const clever = all.filter((code) =>
			/\b(replace|replaceAll|match|split|RegExp|toFormat)\b|&lt;|fromISO/.test(code),
		);

		expect(long).toEqual([]);
		expect(clever).toEqual([]);
	});

	it('mails plain text, or HTML that one Code node has built', () => {
		const mails = nodes.filter(({ type }) => type === MAIL);
		const html = mails.filter(({ parameters }) => parameters.emailFormat === 'html');

		expect(html.map(({ parameters }) => parameters.html)).toEqual(
			HTML_MAILS.includes(name) ? ['={{ $json.html }}'] : [],
		);
	});

	it('shows what guests and the service say as text: names, numbers and currencies', async () => {
		const markup = '<img src=x>';
		const booking: JsonObject = { ...BOOKING };
		for (const field of [
			'guestName',
			'tables',
			'booked',
			'message',
			'guestPhone',
			'guests',
			'children',
			'when',
			'time',
		]) {
			booking[field] = markup;
		}
		const made = await runCodes(file, { booking });
		if (HTML_MAILS.includes(name)) expect(made).not.toContain('<img');
		expect(made).not.toContain('undefined');
	});

	it('speaks en, sv and de where it speaks to people, with the same words in each', () => {
		const words = file.house?.words as Record<string, object> | undefined;
		if (!words) return;
		expect(Object.keys(words)).toEqual(['en', 'sv', 'de']);
		for (const language of Object.values(words)) {
			expect(keysOf(language)).toEqual(keysOf(words.en ?? {}));
		}
	});

	it.each(LANGUAGES)('takes the language "$given" for $counts', async ({ given, counts }) => {
		if (!file.house?.words) return;
		const made = await runCodes(file, { house: { language: given }, booking: { language: given } });
		const expected = await runCodes(file, {
			house: { language: counts },
			booking: { language: counts },
		});

		expect(made).toBe(expected);
		expect(made).not.toMatch(/undefined|NaN|Invalid/);
	});

	it('writes nothing to anybody while a field of Your house is empty, and names it', async () => {
		const empty = Object.entries(file.house ?? {}).filter(
			([field, value]) => value === '' && !OPTIONAL.includes(field),
		);
		for (const [field] of empty) {
			await expect(runCodes(file, { house: { [field]: ' ' } })).rejects.toThrow(field);
		}
	});

	it('greets a guest by name, and by no address in the place of one', async () => {
		const letters = file.codes.find((node) => node.name === 'Write the letters');
		if (!letters) return;
		expect(await runCodes(file)).toContain('Anna Lind,');
		for (const guestName of ['Win at evil.example', 'x'.repeat(200), null]) {
			expect(await runCodes(file, { booking: { guestName } })).toContain('"text":"Hello,');
		}
	});

	it('gives an agent no list with what guests have written', () => {
		const tools = nodes.filter(({ type }) => type.endsWith('hospitalityBookingTool'));
		const lists = tools.filter(({ parameters }) => parameters.limit !== 1 && 'limit' in parameters);
		const unselected = lists.filter(({ parameters: { output, outputFields } }) => {
			return output !== 'selected' || (outputFields as string[]).includes('message');
		});

		expect(unselected.map((tool) => tool.name)).toEqual([]);
	});

	it('reads no status by its name, lets nobody in without a key, and holds no secret', () => {
		const text = readFileSync(join(workflowsFolder(), `${name}.json`), 'utf8');
		const open = nodes.filter(
			({ type, parameters }) =>
				/\.(chatTrigger|formTrigger|mcpTrigger|webhook)$/.test(type) &&
				(parameters.authentication ?? 'none') === 'none' &&
				(parameters.path ?? '') !== '',
		);

		expect(open.map((node) => node.name)).toEqual([]);
		expect(nodes.filter((node) => 'credentials' in node)).toEqual([]);
		expect(text).not.toMatch(
			/history\??\.at|no\.\?show|\b(?:Status|status) [!=]==? '|https?:\/\/|"(?:instanceId|versionId|projectId|pinData)"/,
		);
	});
});

/** Whether a node, or one behind it, mails or posts. */
function leadsToPeople(file: WorkflowFile, node: WorkflowNode): boolean {
	return (
		REACHES_PEOPLE.test(node.type) ||
		file
			.after(node)
			.flat()
			.some((next) => leadsToPeople(file, next))
	);
}

describe('workflows/payment-to-the-books.json', () => {
	const file = new WorkflowFile('payment-to-the-books');

	it.each(['chargePayedAmount', 'chargeRefundedAmount', 'chargeAuthorizedAmount'])(
		'has a line where %s differs',
		async (field) => {
			const changes = { fields: [field], before: { [field]: 1 }, now: { [field]: 2 } };
			const lines = await runCodes(file, { booking: { changes } });

			expect(lines).toContain('"bookingNumber":"B1"');
		},
	);

	it('has no line where no amount differs, as at a check-out', async () => {
		const unchanged = { chargePayedAmount: 1, paymentEvents: [] };
		const changes = { fields: ['paymentEvents'], before: unchanged, now: unchanged };

		expect(await runCodes(file, { booking: { changes } })).toBe('[[]]');
	});
});

describe('workflows/price-list-to-articles.json, a price', () => {
	const file = new WorkflowFile('price-list-to-articles');
	const [check] = file.codes;

	/** What the first Code node makes of a list. */
	async function checked(list: string) {
		const globals = {
			$: () => ({ first: () => ({ json: { house: { ...file.house, language: 'en' } } }) }),
			Buffer,
			helpers: { getBinaryDataBuffer: () => Promise.resolve(Buffer.from(list)) },
		};
		const code = String(check?.parameters.jsCode).replace('this.helpers', 'helpers');
		const [item] = (await runInNewContext(`(async () => {${code}})()`, globals)) as Array<{
			json: JsonObject;
		}>;
		return item?.json as {
			articles: Array<{ articleId: string; name: string; price: number }>;
			refused: string[];
			problem: string;
			summary: string;
		};
	}
	const listOf = (price: string) => checked(`Article ID;Name;Price\n${GUID};Soup;${price}`);

	it.each([
		{ cell: '89,50', price: 89.5 },
		{ cell: '89.50', price: 89.5 },
		{ cell: '1 234,50', price: 1234.5 },
		{ cell: '1.234,50', price: 1234.5 },
		{ cell: '89:-', price: 89 },
		{ cell: '79 kr', price: 79 },
		{ cell: 'kr. 89,50', price: 89.5 },
		{ cell: '95 NOK', price: 95 },
		{ cell: 'NZD 95', price: 95 },
		{ cell: 'NZ$89', price: 89 },
		{ cell: 'Fr. 20', price: 20 },
		{ cell: '0,50', price: 0.5 },
	])('is read from $cell', async ({ cell, price }) => {
		expect((await listOf(cell)).articles).toMatchObject([{ price }]);
	});

	it.each(['05.12', '0,505', '1,234', '79/89', '2026-05-06', '#N/A', '-5', 'foo 5', '5 6'])(
		'is not guessed from %s',
		async (cell) => {
			const { articles, refused } = await listOf(cell);
			expect(articles).toEqual([]);
			expect(refused).toHaveLength(1);
		},
	);

	it.each([
		'Artikel-ID;Namn;Pris;Take-away-pris',
		'Artikel-ID;Name;Preis;Take-away-Preis',
		'Vare-ID;Navn;Pris;Take-away-pris',
		'Artikkel-ID;Navn;Pris;Takeaway-pris',
		'Tuote-ID;Nimi;Hinta;Noutohinta',
	])('stands below the headings %s', async (headings) => {
		expect((await checked(`${headings}\n${GUID};Soup;5;6`)).articles).toMatchObject([
			{ articleId: GUID, name: 'Soup', price: 5, takeAwayPrice: 6 },
		]);
	});

	it('has a name over two lines in quotes, and an ID in braces that is the same article', async () => {
		const twice = await checked(
			`Article ID,Name,Price\n${GUID},"Soup\nof the day",5\n{${GUID.toUpperCase()}},B,6`,
		);
		const once = await checked(`Article ID,Name,Price\n${GUID},"Soup\nof the day",5`);

		expect(twice.refused).toHaveLength(2);
		expect(once.articles).toMatchObject([{ name: 'Soup of the day', price: 5 }]);
	});

	it('is not sent for what is no article ID, and each one that is sent is shown with its ID', async () => {
		const ids = Array.from({ length: 250 }, (_, index) => GUID.slice(0, -3) + String(100 + index));
		const rows = ids.map((id) => `${id};A;5`);
		const many = await checked(['Article ID;Name;Price', ...rows].join('\n'));
		const number = await checked('Article ID;Name;Price\n2001;Soup;5');

		for (const id of ids) expect(many.summary).toContain(id);
		expect(number.articles).toEqual([]);
		expect(number.refused[0]).toContain('"2001" is no Article ID');
	});
});
