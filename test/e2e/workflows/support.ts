import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import memoize from 'lodash/memoize';
import { DateTime } from 'luxon';
import { type Mail, smtpCredential, startInbox } from '../../../dev/demo/inbox.ts';
import { dropTable, tableRows, withTables } from '../../../dev/demo/table.ts';
import { exampleWorkflow, workflowFile } from '../../../dev/demo/workflows.ts';
import type {
	JsonObject,
	N8nClient,
	StoredWorkflow,
	Workflow,
	WorkflowNode,
} from '../../../dev/n8nClient.ts';
import { runByHand } from '../../../dev/runner.ts';
import { bookingCredential, paymentCredential } from '../../../dev/sandbox.ts';
import { sendJson, startServer, tokenFor } from '../../engine/support/server';
import { eventually } from '../../../dev/eventually.ts';
import { chosenN8n, connect, type Connection } from '../support/stack.ts';
import { startMailGate } from './mailGate';

/** As after signing in with Google; what it opens is a stand-in. */
const GOOGLE_ACCOUNT = {
	clientId: 'of-the-stand-in',
	clientSecret: 'of-the-stand-in',
	oauthTokenData: { access_token: 'of-the-stand-in', token_type: 'Bearer', expires_in: 3600 },
};
const TWILIO_ACCOUNT = { authType: 'authToken', accountSid: 'AC1', authToken: 'of-the-stand-in' };
/** Of the restaurant; n8n itself, which knows nothing of it, runs in the zone of the machine. */
export const TIME_ZONE = 'Europe/Stockholm';
/** Of the form that takes price lists, and of the chat. */
export const LOGIN = { user: 'owner', password: 'of-the-house' };
/** Of the agent that may use the tools. */
export const AGENT_TOKEN = 'of-the-agent';
/** A message with this word is refused by the channel. */
export const REFUSED = 'Refused';
/** So many guests that no other file's bookings have them. */
export const LARGE = 90;
/** n8n has more to do than to show tables. */
const TABLE_EVERY_MS = 500;
/** What a guest writes who wishes ill: markup, a direction that turns, what `replace` puts other text for, and a long word. */
export const ILL = `<img src=x>\u202E$&${'W'.repeat(10_000)}`;

/** A booking of the sandbox, as the service shows it. */
export interface Booking extends JsonObject {
	guid: string;
	globalBookingNumber: string;
	start: string;
	guests: number;
	contact: { id: number; fname: string; lname: string; email: string; mobile: string };
	articles: JsonObject[];
	history: JsonObject[];
}

/** The status of a canceled booking. */
export const CANCELED = 5;
const historyOf = (...names: Array<[status: number, statusName: string]>) => ({
	status: names[0]?.[0],
	createdDate: '2026-11-01T10:00:00Z',
	history: names.map(([status, statusName], index) => ({
		status,
		statusName,
		changeDate: `2026-11-0${names.length - index}T10:00:00Z`,
	})),
});
/** Statuses with their history, newest first and in another language, as some services write it. */
export const CONFIRMED = historyOf([2, 'Bekräftad'], [CANCELED, 'Avbokad']);
export const AVBOKAD = historyOf([CANCELED, 'Avbokad'], [2, 'Bekräftad']);

/** Who has booked. */
export const guest = (fname: string, lname = '', email = 'guest@example.com') => ({
	contact: { id: 1, fname, lname, email, mobile: '+46 70 123 45 67' },
});
const visit = (start: DateTime) => ({
	start: start.toUTC().toISO(),
	end: start.plus({ hours: 2 }).toUTC().toISO(),
});
/** The times of a booking so many days from today, by the restaurant's clock, whose days end at five where nothing else is said. */
export const visitIn = (days: number, hour: number, minute = 0, dayEndsAt = 5) =>
	visit(
		DateTime.now()
			.setZone(TIME_ZONE)
			.minus({ hours: dayEndsAt })
			.startOf('day')
			.plus({ days })
			.set({ hour, minute }),
	);
export const inHours = (hours: number) => visit(DateTime.utc().plus({ hours }).startOf('minute'));
/** The time zone in which it is half past one in the night, or a little earlier or later. */
export const inTheNight = () => {
	const ahead = ((13 - DateTime.utc().hour + 24) % 24) - 12;
	return { timeZone: `Etc/GMT${ahead > 0 ? '-' : '+'}${Math.abs(ahead)}` };
};

/** What somebody enters in _Your house_ of a file: the rest stays as it is. */
export function house(file: string, values: JsonObject): Record<string, JsonObject> {
	const node = workflowFile(file).nodes.find(({ name }) => name === 'Your house');
	const { assignments } = node?.parameters.assignments as { assignments: Array<{ name: string }> };
	const entered = assignments.map((one) => {
		const name = one.name.replace('house.', '');
		return name in values ? { ...one, value: values[name] } : one;
	});
	return { 'Your house': { assignments: { assignments: entered } } };
}

/** The header of somebody who is signed in. */
export function basicAuth({ user, password }: typeof LOGIN) {
	return { authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}` };
}

/** A look that all who look at the same moment share: many wait for the same table or inbox. */
function shared<T>(look: () => Promise<T>, leastMs = 0): () => Promise<T> {
	let underWay: Promise<T> | undefined;
	const begin = async () => {
		const [found] = await Promise.all([look(), sleep(leastMs)]);
		underWay = undefined;
		return found;
	};
	return async () => await (underWay ??= begin());
}

/** A service that lists for each system, named as a workflow file, what a test says, of the period that it is asked for. */
async function startListingService() {
	/** What it lists, and the status of its responses. */
	const listed = memoize((_system: string) => ({ bookings: [] as JsonObject[], status: 200 }));
	const server = await startServer((request, response) => {
		const token = tokenFor(request);
		if (token) return sendJson(response, token);
		const { bookings, status } = listed(String(request.headers.system).split(' ')[0] ?? '');
		if (!request.url.includes('WebBookings') || request.method !== 'GET' || status !== 200) {
			return sendJson(response, {}, status);
		}
		const asked = new URL(request.url, server.url).searchParams;
		const from = Date.parse(asked.get('startTime') ?? '');
		const until = Date.parse(asked.get('endTime') ?? '');
		const isIn = ({ start, end }: JsonObject) =>
			!(Date.parse(String(start)) >= Number(until) || Date.parse(String(end)) <= Number(from));
		sendJson(response, bookings.filter(isIn));
	});
	return { listed, server };
}

/** Shared context of the files' tests. */
export type Gallery = Awaited<ReturnType<typeof openGallery>>;

/**
 * For a test file: the n8n and the sandbox that run (whatever version the former has) or those that it reaches, a service that lists what a test says, an
 * inbox, a channel, and no data of an earlier test in the tables named.
 */
export function useGallery(
	tables: string[],
	language: string,
	reach: () => Connection | Promise<Connection> = connect,
): Gallery {
	const gallery = {} as Gallery;
	beforeAll(async () => Object.assign(gallery, await openGallery(tables, language, await reach())));
	afterAll(async () => await gallery.close?.());
	return gallery;
}

async function openGallery(tables: readonly string[], language: string, connection: Connection) {
	const folder = mkdtempSync(join(tmpdir(), 'hospitality-booking-inbox-'));
	const inbox = await startInbox({ folder });
	const gate = await startMailGate(inbox.smtpPort);
	const allMails = shared(() => inbox.mails());
	const { client, sandbox, control } = connection;
	const { listed, server } = await startListingService();
	/** It has had enough of messages that say so. */
	const channel = await startServer(({ body }, response) =>
		response.writeHead(body.includes(REFUSED) ? 429 : 200).end('ok'),
	);
	const imported: StoredWorkflow[] = [];
	for (const table of tables) await dropTable(client, table);
	const [, template] = await control<Array<{ web: Booking }>>('GET', '/state/bookings');
	const account = { ...bookingCredential(sandbox), timeZone: TIME_ZONE };
	const bookings = await client.putCredential('Gallery', 'hospitalityBookingApi', account);
	/** Gives a file a credential for the service that lists. */
	const putListed = (system: string, fields: JsonObject = {}) => {
		const data = { ...account, baseUrl: server.url, authUrl: server.url, system, ...fields };
		return client.putCredential(`Listed for ${system}`, 'hospitalityBookingApi', data);
	};
	const others = [
		await client.putCredential('Gallery', 'hospitalityPaymentApi', paymentCredential(sandbox)),
		await client.putCredential('Gallery', 'smtp', smtpCredential({ smtpPort: gate.port })),
		await client.putCredential('Gallery', 'googleSheetsOAuth2Api', GOOGLE_ACCOUNT),
		await client.putCredential('Gallery', 'twilioApi', TWILIO_ACCOUNT),
		await client.putCredential('Gallery', 'httpBasicAuth', LOGIN),
		await client.putCredential('Gallery', 'httpBearerAuth', { token: AGENT_TOKEN }),
		await client.putCredential('Gallery', 'openAiApi', { apiKey: 'of-the-stand-in' }),
	];
	const { companyId, brandId } = sandbox;
	const document = { __rl: true, mode: 'id', value: 'the-document' };
	const houses = ['Hamnen <1>', 'Kullen'].map((name) => ({
		system: `several-restaurants ${name[0]}`,
		name,
	}));
	/** What a person chooses in a file, besides credentials, addresses and the house. */
	const chosen: Record<string, Record<string, JsonObject>> = {
		'bookings-in-google-sheets': { 'Save or update its line': { documentId: document } },
		'canceled-booking-offer-table': { 'Post it in the channel': { url: channel.url } },
		'closing-time-check-out': house('closing-time-check-out', { statuses: '2, 17', language }),
		'note-what-changed': {
			'A booking changes': { filters: { states: ['expected'], minGuests: LARGE } },
		},
		'payment-to-the-books': { 'Add its line': { documentId: document } },
		'price-list-to-articles': { 'Update 50 articles per call': { companyId, brandId } },
		'several-restaurants': house('several-restaurants', {
			houses: JSON.stringify(houses),
			language,
		}),
		'tell-me-when-something-fails': { 'Wait two hours': { unit: 'seconds', amount: 15 } },
	};
	/** What n8n has of a file that is filled in; `parameters` are those that its note says to choose. */
	const filled = async (name: string, parameters?: Record<string, JsonObject>, isListed = false) =>
		exampleWorkflow(name, {
			credentials: [isListed ? await putListed(name) : bookings, ...others],
			language,
			parameters: { ...chosen[name], ...parameters },
		});
	const create = async (workflow: Workflow) => {
		const stored = await client.createWorkflow(
			await withTables(client, chosenN8n().version, workflow),
		);
		imported.push(stored);
		return stored;
	};
	/** The rows that a data table has. */
	const rowsNow = memoize((table: string) =>
		shared(() => tableRows(client, table), TABLE_EVERY_MS),
	);
	const change = async ({ guid }: Booking, fields: JsonObject) =>
		await control('PATCH', `/bookings/${guid}`, fields);
	return {
		...connection,
		listed,
		putListed,
		filled,
		create,
		rowsNow,
		allMails,
		change,
		/** Imports a file that reads the service that lists. @returns what presses Execute Workflow, and waits until it has ended */
		load: memoize(
			async (name: string, parameters?: Record<string, JsonObject>) => {
				const workflow = await create(await filled(name, parameters, true));
				return async () => await runByHand(client, workflow);
			},
			(...given) => JSON.stringify(given),
		),
		/** Imports a file and publishes it; it reads the sandbox, or what `isListed`. */
		publish: async (
			name: string,
			parameters?: Record<string, JsonObject>,
			{ isListed = false, settings = {} } = {},
		) => {
			const workflow = await filled(name, parameters, isListed);
			const stored = await create({ ...workflow, settings: { ...workflow.settings, ...settings } });
			await client.activate(stored);
			return stored;
		},
		/** The mails to an address whose subject matches, as soon as there is one. */
		mails: async (subject: RegExp, to = ''): Promise<Mail[]> =>
			await eventually(`a mail with the subject ${subject} to ${to}`, async () => {
				const found = (await allMails()).filter(
					(mail) =>
						subject.test(mail.subject) && mail.to.some(({ address }) => address.includes(to)),
				);
				return found.length > 0 && found;
			}),
		/** The mails that an act brings, with subjects that match. */
		mailsOf: async (subject: RegExp, act: () => Promise<unknown>): Promise<Mail[]> => {
			const before = new Set((await allMails()).map(({ id }) => id));
			await act();
			return (await allMails()).filter(
				(mail) => !before.has(mail.id) && subject.test(mail.subject),
			);
		},
		/** The mail server in front of the inbox. */
		gate,
		/** What was posted in the channel. */
		posts: () => channel.received.map(({ body }) => (JSON.parse(body) as { text: string }).text),
		/** Makes a booking in the sandbox. */
		book: async (fields: JsonObject = {}): Promise<Booking> => {
			const [booking] = await control<Booking[]>('POST', '/bookings', { booking: fields });
			if (!booking) throw new Error('The sandbox made no booking.');
			return booking;
		},
		/** Cancels a booking in the sandbox, as its staff does. */
		cancel: async (booking: Booking) => {
			const step = { changeDate: DateTime.utc().toISO(), status: CANCELED, statusName: 'Avbokad' };
			await change(booking, { status: CANCELED, history: [step, ...booking.history] });
		},
		/** The status of a booking in the sandbox. */
		statusOf: async ({ guid }: Booking) => {
			const all = await control<Array<{ web: Booking }>>('GET', '/state/bookings');
			return all.find(({ web }) => web.guid === guid)?.web.status;
		},
		/** A booking as the service would list it, which the sandbox does not hold. */
		sample: (fields: JsonObject = {}): JsonObject => ({
			...template?.web,
			guid: randomUUID(),
			...fields,
		}),
		/** Lets the sandbox respond so from now on, until `respondAsUsual`. @param path part of the address */
		respond: async (path: string, status: number, body?: unknown) =>
			await control('POST', '/faults', { path, fault: { kind: 'status', status, body } }),
		respondAsUsual: async () => await control('DELETE', '/faults'),
		close: async () => {
			for (const workflow of imported) await remove(client, workflow);
			await server.close();
			await channel.close();
			await gate.close();
			await inbox.stop();
			rmSync(folder, { recursive: true, force: true });
		},
	};
}

/** Unpublishes and deletes a workflow, its trigger's state with it. */
export async function remove(client: N8nClient, workflow: StoredWorkflow): Promise<void> {
	await client.deactivate(workflow);
	await client.request('POST', `/rest/workflows/${workflow.id}/archive`, {});
	await client.request('DELETE', `/rest/workflows/${workflow.id}`);
}

/** The first node of a workflow, as n8n has stored it, whose type ends so. */
export async function storedNode(
	client: N8nClient,
	{ id }: StoredWorkflow,
	type: string,
): Promise<WorkflowNode> {
	const { nodes } = (await client.request('GET', `/rest/workflows/${id}`)) as Workflow;
	return nodes.find((node) => node.type.endsWith(type)) as WorkflowNode;
}
