import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import memoize from 'lodash/memoize';
import { DateTime } from 'luxon';
import { type Inbox, type Mail, smtpCredential, startInbox } from '../../../dev/demo/inbox.ts';
import { dropTable, tableRows, withTables } from '../../../dev/demo/table.ts';
import { exampleWorkflow, runsOn, workflowFile } from '../../../dev/demo/workflows.ts';
import type {
	Execution,
	JsonObject,
	N8nClient,
	StoredWorkflow,
	Workflow,
	WorkflowNode,
} from '../../../dev/n8nClient.ts';
import { bookingCredential, paymentCredential } from '../../../dev/sandbox.ts';
import { sendJson, startServer, type TestServer, tokenFor } from '../../engine/support/server';
import { eventually } from '../../support/progress';
import { chosenN8n, connect } from '../support/stack.ts';

/** As after signing in with Google; what it opens is a stand-in. */
const GOOGLE_ACCOUNT = {
	clientId: 'of-the-stand-in',
	clientSecret: 'of-the-stand-in',
	oauthTokenData: { access_token: 'of-the-stand-in', token_type: 'Bearer', expires_in: 3600 },
};
/** Of the restaurant; n8n itself, which knows nothing of it, runs in the zone of the machine. */
export const TIME_ZONE = 'Europe/Stockholm';
/** Of the form that takes price lists, and of the chat. */
export const LOGIN = { user: 'owner', password: 'of-the-house' };
/** Of the agent that may use the tools. */
export const AGENT_TOKEN = 'of-the-agent';
const UNFINISHED = ['new', 'running', 'waiting'];
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

/** A booking as the sandbox keeps it. */
interface StoredBooking {
	rootId: number;
	mustBeInvoiced: boolean;
	web: Booking;
}

/** The status of a canceled booking. */
export const CANCELED = 5;
const historyOf = (...names: Array<[status: number, statusName: string]>) => ({
	status: names[0]?.[0],
	createdDate: '2026-11-01T10:00:00Z',
	history: names.map(([status, statusName], index) => ({
		...{ status, statusName, changeDate: `2026-11-0${names.length - index}T10:00:00Z` },
	})),
});
/** Statuses with their history, newest first and in another language, as some services write it. */
export const CONFIRMED = historyOf([2, 'Bekräftad'], [CANCELED, 'Avbokad']);
export const AVBOKAD = historyOf([CANCELED, 'Avbokad'], [2, 'Bekräftad']);

/** Who has booked. */
export const guest = (fname: string, lname = '', email = 'guest@example.com') => ({
	contact: { id: 1, fname, lname, email, mobile: '+46 70 123 45 67' },
});

/** The times of a booking. */
export const visit = (start: DateTime, hours = 2) => ({
	start: start.toUTC().toISO(),
	end: start.plus({ hours }).toUTC().toISO(),
});

/** The times of a booking so many days from today, by the restaurant's clock, whose days end at five. */
export const visitIn = (days: number, hour: number, minute = 0) =>
	visit(
		DateTime.now().setZone(TIME_ZONE).minus({ hours: 5 }).startOf('day').plus({ days }).set({ hour, minute }),
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
	const { assignments } = node?.parameters.assignments as { assignments: JsonObject[] };
	const entered = assignments.map((one) => {
		const name = String(one.name);
		return name in values ? { ...one, value: values[name] } : one;
	});
	return { 'Your house': { assignments: { assignments: entered } } };
}

/** The header of somebody who is signed in. */
export function basicAuth({ user, password }: typeof LOGIN) {
	return { authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}` };
}

/** A test of a workflow file; skipped, visibly, on an n8n that is older than the gallery says. */
export const testOf = (file: string) => (runsOn(chosenN8n().version, file) ? test : test.skip);

/** A look that all who look at the same moment share: many wait for the same table or inbox. */
function shared<T>(look: () => Promise<T>): () => Promise<T> {
	let underWay: Promise<T> | undefined;
	return async () =>
		await (underWay ??= look().finally(() => {
			underWay = undefined;
		}));
}

/** A service that lists what a test says, of the period that it is asked for, and takes no change. */
export interface ListingService extends TestServer {
	bookings: JsonObject[];
	/** The status of its responses. */
	status: number;
}

async function startListingService(): Promise<ListingService> {
	const state = { bookings: [] as JsonObject[], status: 200 };
	const server = await startServer((request, response) => {
		const token = tokenFor(request);
		if (token) return sendJson(response, token);
		if (!request.url.includes('WebBookings') || request.method !== 'GET' || state.status !== 200)
			return sendJson(response, {}, state.status);
		const asked = new URL(request.url, server.url).searchParams;
		const [from, until] = ['startTime', 'endTime'].map((name) => Date.parse(asked.get(name) ?? ''));
		const isIn = ({ start, end }: JsonObject) =>
			!(Date.parse(String(start)) >= Number(until) || Date.parse(String(end)) <= Number(from));
		sendJson(response, state.bookings.filter(isIn));
	});
	return Object.assign(state, server);
}

/** Shared context of the files' tests. */
export type Gallery = Awaited<ReturnType<typeof openGallery>>;

/**
 * For a test file: the n8n and the sandbox that run (whatever version the former has), a service that lists what a test says, an
 * inbox, and no data of an earlier test in the tables named.
 */
export function useGallery(...tables: string[]): Gallery {
	const gallery = {} as Gallery;
	beforeAll(async () => Object.assign(gallery, await openGallery(tables)));
	afterAll(async () => await gallery.close?.());
	return gallery;
}

async function openGallery(tables: readonly string[]) {
	const folder = mkdtempSync(join(tmpdir(), 'hospitality-booking-inbox-'));
	let inbox: Inbox = await startInbox({ folder });
	const mailPorts = { smtpPort: inbox.smtpPort, webPort: Number(new URL(inbox.url).port) };
	const allMails = shared(() => inbox.mails());
	const connection = connect();
	const { client, sandbox, control } = connection;
	const listing = await startListingService();
	const imported: StoredWorkflow[] = [];
	for (const table of tables) await dropTable(client, table);
	const [, template] = await control<StoredBooking[]>('GET', '/state/bookings');
	const account = { ...bookingCredential(sandbox), timeZone: TIME_ZONE };
	const bookings = await client.putCredential('Gallery', 'hospitalityBookingApi', account);
	/** Gives the credential for the service that lists other values. */
	const putListed = (fields: JsonObject = {}) => {
		const data = { ...account, baseUrl: listing.url, authUrl: listing.url, ...fields };
		return client.putCredential('Listed', 'hospitalityBookingApi', data);
	};
	const listed = await putListed();
	const others = [
		await client.putCredential('Gallery', 'hospitalityPaymentApi', paymentCredential(sandbox)),
		await client.putCredential('Gallery', 'smtp', smtpCredential(inbox)),
		await client.putCredential('Gallery', 'googleSheetsOAuth2Api', GOOGLE_ACCOUNT),
		await client.putCredential('Gallery', 'httpBasicAuth', LOGIN),
		await client.putCredential('Gallery', 'httpBearerAuth', { token: AGENT_TOKEN }),
		await client.putCredential('Gallery', 'openAiApi', { apiKey: 'of-the-stand-in' }),
	];
	/** What n8n has of a file that is filled in; `parameters` are those that its note says to choose. */
	const filled = (name: string, parameters?: Record<string, JsonObject>, isListed = false) =>
		exampleWorkflow(name, { credentials: [isListed ? listed : bookings, ...others], parameters });
	const create = async (workflow: Workflow) => {
		const stored = await client.createWorkflow(await withTables(client, chosenN8n().version, workflow));
		imported.push(stored);
		return stored;
	};
	/** Imports a file that reads the service that lists. @returns what presses Execute Workflow, and waits until it has ended */
	const load = memoize(
		async (name: string, parameters?: Record<string, JsonObject>) => {
			const workflow = await create(filled(name, parameters, true));
			return async () => await runByHand(client, workflow);
		},
		(...given) => JSON.stringify(given),
	);
	/** The rows that a data table has. */
	const rowsNow = memoize((table: string) => shared(() => tableRows(client, table)));
	return {
		...connection,
		listing,
		putListed,
		filled,
		create,
		load,
		rowsNow,
		allMails,
		/** Imports a file and publishes it; it reads the sandbox, or what `isListed`. */
		publish: async (name: string, parameters?: Record<string, JsonObject>, isListed = false) => {
			const workflow = await create(filled(name, parameters, isListed));
			await client.activate(workflow);
			return workflow;
		},
		/** The mails to an address whose subject matches, as soon as there is one. */
		mails: async (subject: RegExp, to = ''): Promise<Mail[]> =>
			await eventually(`a mail with the subject ${subject} to ${to}`, async () => {
				const found = (await allMails()).filter(
					(mail) => subject.test(mail.subject) && mail.to.some(({ address }) => address.includes(to)),
				);
				return found.length > 0 && found;
			}),
		/** The mails that an act brings, with subjects that match. */
		mailsOf: async (subject: RegExp, act: () => Promise<unknown>): Promise<Mail[]> => {
			const before = new Set((await allMails()).map(({ id }) => id));
			await act();
			return (await allMails()).filter((mail) => !before.has(mail.id) && subject.test(mail.subject));
		},
		/** No mail can be sent while an act runs. */
		withoutMailServer: async (act: () => Promise<unknown>) => {
			await inbox.stop();
			await act();
			inbox = await startInbox({ folder, ...mailPorts });
		},
		/** The rows of a data table that match, as soon as there is one. */
		rows: async (table: string, matches: (row: JsonObject) => boolean) =>
			await eventually(`the row of ${table}`, async () => {
				const found = (await rowsNow(table)()).filter(matches);
				return found.length > 0 && found;
			}),
		/** Makes a booking in the sandbox. */
		book: async (fields: JsonObject = {}): Promise<Booking> => {
			const [booking] = await control<Booking[]>('POST', '/bookings', { booking: fields });
			if (!booking) throw new Error('The sandbox made no booking.');
			return booking;
		},
		/** Changes a booking in the sandbox. */
		change: async ({ guid }: Booking, fields: JsonObject) =>
			await control('PATCH', `/bookings/${guid}`, fields),
		/** A booking as the sandbox keeps it now. */
		stored: async ({ guid }: Booking): Promise<StoredBooking> => {
			const all = await control<StoredBooking[]>('GET', '/state/bookings');
			const found = all.find(({ web }) => web.guid === guid);
			if (!found) throw new Error(`The sandbox has no booking ${guid}.`);
			return found;
		},
		/** A booking as the service would list it, which the sandbox does not hold. */
		sample: (fields: JsonObject = {}): JsonObject => ({ ...template?.web, guid: randomUUID(), ...fields }),
		/** Lets the sandbox respond so from now on, until `respondAsUsual`. @param path part of the address */
		respond: async (path: string, status: number, body?: unknown) =>
			await control('POST', '/faults', { path, fault: { kind: 'status', status, body } }),
		respondAsUsual: async () => await control('DELETE', '/faults'),
		close: async () => {
			for (const workflow of imported) await remove(client, workflow);
			await listing.close();
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

/** The first such node of a workflow as n8n has stored it. */
export async function storedNode(
	client: N8nClient,
	{ id }: StoredWorkflow,
	isWanted: (node: WorkflowNode) => boolean,
): Promise<WorkflowNode | undefined> {
	const { nodes } = (await client.request('GET', `/rest/workflows/${id}`)) as Workflow;
	return nodes.find(isWanted);
}

/** Presses Execute Workflow and returns the execution when it has ended. */
export async function runByHand(client: N8nClient, stored: StoredWorkflow): Promise<Execution> {
	const workflow = (await client.request('GET', `/rest/workflows/${stored.id}`)) as Workflow;
	const trigger = workflow.nodes.find(({ type }) => /\.(schedule|manual)Trigger$/.test(type));
	if (!trigger) throw new Error(`"${stored.name}" has nothing to run by hand.`);
	const { executionId } = (await client.request('POST', `/rest/workflows/${stored.id}/run`, {
		workflowData: workflow,
		triggerToStartFrom: { name: trigger.name },
	})) as { executionId: string };
	return await eventually(`the execution ${executionId} has ended`, async () => {
		const summary = (await client.executions(stored.id)).find(({ id }) => id === executionId);
		const hasEnded = summary !== undefined && !UNFINISHED.includes(summary.status);
		return hasEnded && (await client.execution(executionId));
	});
}
