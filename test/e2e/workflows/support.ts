import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import isMatch from 'lodash/isMatch';
import { DateTime } from 'luxon';
import pWaitFor from 'p-wait-for';
import { type Inbox, type Mail, smtpCredential, startInbox } from '../../../demo/inbox.ts';
import { dropTable, tableRows, withTables } from '../../../demo/table.ts';
import { exampleWorkflow, runsOn } from '../../../demo/workflows.ts';
import type {
	Execution,
	JsonObject,
	N8nClient,
	StoredWorkflow,
	Workflow,
} from '../../../harness/n8nClient.ts';
import { bookingCredential, paymentCredential } from '../../../harness/sandbox.ts';
import { chosenN8n, type Connection, connect, foundStack } from '../support/stack.ts';

const COMES_WITHIN_MS = 120_000;
const LOOK_EVERY_MS = 250;
/** As after signing in with Google; what it opens is a stand-in. */
const GOOGLE_ACCOUNT = {
	clientId: 'of-the-stand-in',
	clientSecret: 'of-the-stand-in',
	oauthTokenData: { access_token: 'of-the-stand-in', token_type: 'Bearer', expires_in: 3600 },
};
/** Of the restaurant; n8n itself, which knows nothing of it, runs in the zone of the machine. */
export const TIME_ZONE = 'Europe/Stockholm';
/** Of the form that takes price lists. */
export const FORM_LOGIN = { user: 'owner', password: 'of-the-price-list' };
/** Of the agent that may use the tools. */
export const AGENT_TOKEN = 'of-the-agent';
const UNFINISHED = ['new', 'running', 'waiting'];

/** Parameters of a trigger that a test waits for again and again. */
export const POLLS_OFTEN = {
	pollTimes: {
		item: Array.from({ length: 30 }, (_, index) => ({
			mode: 'custom',
			cronExpression: `${index * 2} * * * * *`,
		})),
	},
};

/** A booking of the sandbox, as the service shows it. */
export interface Booking {
	guid: string;
	globalBookingNumber: string;
	start: string;
	end: string;
	guests: number;
	contact: { id: number; fname: string; lname: string; email: string; mobile: string };
	[field: string]: unknown;
}

/** A booking as the sandbox keeps it. */
export interface StoredBooking {
	rootId: number;
	mustBeInvoiced: boolean;
	web: Booking;
}

/** The status of a canceled booking. */
export const CANCELED = 5;

/** One of the workflows that people import, in the running n8n with its credentials chosen. */
export interface Imported {
	workflow: StoredWorkflow;
	/** Presses Execute Workflow and returns the execution when it has ended. */
	run(): Promise<Execution>;
}

/** Shared context of a workflow's tests. */
export interface Gallery extends Connection {
	inbox: Inbox;
	/** Imports `workflows/<name>.json` and publishes it; `parameters` are those that its note says to choose. */
	publish(name: string, parameters?: Record<string, JsonObject>): Promise<Imported>;
	/** Imports `workflows/<name>.json` without publishing it. */
	load(name: string, parameters?: Record<string, JsonObject>): Promise<Imported>;
	/** The mails whose subject matches and whose text holds `text`, as soon as there are `count` of them. */
	mails(subject: RegExp, wanted?: { count?: number; text?: string }): Promise<Mail[]>;
	/** The rows of a data table that match, as soon as there is one. */
	rows(table: string, matches: (row: JsonObject) => boolean): Promise<JsonObject[]>;
	/** The row of a booking, as soon as there is one with these values. */
	rowOf(table: string, booking: Booking, values?: JsonObject): Promise<JsonObject>;
	/** Makes a booking in the sandbox. */
	book(fields?: JsonObject): Promise<Booking>;
	/** Changes a booking in the sandbox. */
	change(booking: Booking, fields: JsonObject): Promise<unknown>;
	/** A booking as the sandbox keeps it now. */
	stored(booking: Booking): Promise<StoredBooking>;
	/** A booking as the service would list it, which the sandbox does not hold. */
	sample(fields?: JsonObject): JsonObject;
	/** Lets the service respond so from now on, until `respondAsUsual`. @param path part of the address */
	respond(path: string, status: number, body?: unknown): Promise<unknown>;
	respondAsUsual(): Promise<unknown>;
	/** Gives the credential for bookings other values. */
	putAccount(fields?: JsonObject): Promise<unknown>;
	/** The parameters of a node in a workflow as n8n has stored it. */
	parametersOf(workflow: StoredWorkflow, node: string): Promise<JsonObject>;
	/** Folder that n8n may write files to. */
	filesFolder: string;
}

/**
 * Asks again until there is an answer.
 *
 * @param what is waited for, for the message
 */
export async function eventually<T>(what: string, look: () => Promise<T | undefined>): Promise<T> {
	return await pWaitFor<T>(
		async () => {
			const found = await look();
			return found !== undefined && pWaitFor.resolveWith(found);
		},
		{
			interval: LOOK_EVERY_MS,
			timeout: {
				milliseconds: COMES_WITHIN_MS,
				message: `${what} did not come within ${COMES_WITHIN_MS / 1000} s.`,
			},
		},
	);
}

/** A look that all who look at the same moment share. */
function shared<T>(look: () => Promise<T>): () => Promise<T> {
	let underWay: Promise<T> | undefined;
	return async () =>
		await (underWay ??= look().finally(() => {
			underWay = undefined;
		}));
}

/** The times of a booking that has just begun: today, whenever a day is said to begin. */
export function justBegan(): { start: string | null; end: string | null } {
	const start = DateTime.utc().minus({ seconds: 1 });
	return { start: start.toISO(), end: start.plus({ hours: 1 }).toISO() };
}

/** Tests of a workflow file; skipped, visibly, on an n8n that is older than its page says. */
export function describeFile(name: string, tests: () => void): void {
	(runsOn(chosenN8n().version, name) ? describe : describe.skip)(`workflows/${name}.json`, tests);
}

/**
 * For a test file: the n8n and the sandbox that run (whatever version the former has), an inbox, and no data of an
 * earlier test in the tables named.
 */
export function useGallery(...tables: string[]): Gallery {
	const gallery = {} as Gallery;
	const imported: StoredWorkflow[] = [];
	let folder: string;

	beforeAll(async () => {
		folder = mkdtempSync(join(tmpdir(), 'hospitality-booking-inbox-'));
		const started = await startInbox({ folder });
		const inbox = { ...started, mails: shared(() => started.mails()) };
		const connection = connect();
		const { client, sandbox, control } = connection;
		for (const table of tables) await dropTable(client, table);
		const putAccount = (fields: JsonObject = {}) => {
			const data = { ...bookingCredential(sandbox), timeZone: TIME_ZONE, ...fields };
			return client.putCredential('Gallery', 'hospitalityBookingApi', data);
		};
		const [template] = await control<StoredBooking[]>('GET', '/state/bookings').then((all) =>
			all.slice(1).map(({ web }) => web),
		);
		const credentials = [
			await putAccount(),
			await client.putCredential('Gallery', 'hospitalityPaymentApi', paymentCredential(sandbox)),
			await client.putCredential('Gallery', 'smtp', smtpCredential(inbox)),
			await client.putCredential('Gallery', 'googleSheetsOAuth2Api', GOOGLE_ACCOUNT),
			await client.putCredential('Gallery', 'httpBasicAuth', FORM_LOGIN),
			await client.putCredential('Gallery', 'httpBearerAuth', { token: AGENT_TOKEN }),
		];
		const { filesFolder } = foundStack();
		const load: Gallery['load'] = async (name, parameters) => {
			const filled = exampleWorkflow(name, { credentials, filesFolder, parameters });
			const workflow = await client.createWorkflow(await withTables(client, chosenN8n().version, filled));
			imported.push(workflow);
			return { workflow, run: () => runByHand(client, workflow) };
		};
		const rows: Gallery['rows'] = (table, matches) =>
			eventually(`The row of ${table}`, async () => {
				const found = (await tableRows(client, table)).filter(matches);
				return found.length > 0 ? found : undefined;
			});
		Object.assign(gallery, connection, {
			inbox,
			filesFolder,
			load,
			publish: async (name: string, parameters?: Record<string, JsonObject>) => {
				const loaded = await load(name, parameters);
				await client.activate(loaded.workflow);
				return loaded;
			},
			mails: (subject: RegExp, { count = 1, text = '' } = {}) =>
				eventually(`A mail with the subject ${subject}`, async () => {
					const found = (await inbox.mails()).filter(
						(mail) => subject.test(mail.subject) && mail.text.includes(text),
					);
					return found.length >= count ? found : undefined;
				}),
			rows,
			rowOf: async (table: string, { guid }: Booking, values: JsonObject = {}) => {
				const [row] = await rows(table, (one) => isMatch(one, { bookingId: guid, ...values }));
				return row ?? {};
			},
			book: async (fields: JsonObject = {}) => {
				const [booking] = await control<Booking[]>('POST', '/bookings', { booking: fields });
				if (!booking) throw new Error('The sandbox made no booking.');
				return booking;
			},
			change: ({ guid }: Booking, fields: JsonObject) => control('PATCH', `/bookings/${guid}`, fields),
			stored: async ({ guid }: Booking) => {
				const all = await control<StoredBooking[]>('GET', '/state/bookings');
				const found = all.find(({ web }) => web.guid === guid);
				if (!found) throw new Error(`The sandbox has no booking ${guid}.`);
				return found;
			},
			sample: (fields: JsonObject = {}) => ({ ...template, guid: randomUUID(), ...fields }),
			respond: (path: string, status: number, body?: unknown) =>
				control('POST', '/faults', { path, fault: { kind: 'status', status, body } }),
			respondAsUsual: () => control('DELETE', '/faults'),
			putAccount,
			parametersOf: async ({ id }: StoredWorkflow, node: string) => {
				const { nodes } = (await client.request('GET', `/rest/workflows/${id}`)) as Workflow;
				return nodes.find(({ name }) => name === node)?.parameters ?? {};
			},
		} satisfies Partial<Gallery>);
	});

	afterAll(async () => {
		await Promise.all(imported.map(async (workflow) => await remove(gallery.client, workflow)));
		await gallery.inbox?.stop();
		rmSync(folder, { recursive: true, force: true });
	});

	return gallery;
}

/** A time as the workflows write it for people: that of the restaurant, wherever n8n runs. */
export function readable(time: string): string {
	return DateTime.fromISO(time, { zone: TIME_ZONE }).toFormat('yyyy-MM-dd HH:mm');
}

/** Unpublishes and deletes a workflow, its trigger's state with it. */
async function remove(client: N8nClient, workflow: StoredWorkflow): Promise<void> {
	await client.deactivate(workflow);
	await client.request('POST', `/rest/workflows/${workflow.id}/archive`, {});
	await client.request('DELETE', `/rest/workflows/${workflow.id}`);
}

/** Presses Execute Workflow and returns the execution when it has ended. */
export async function runByHand(client: N8nClient, stored: StoredWorkflow): Promise<Execution> {
	const workflow = (await client.request('GET', `/rest/workflows/${stored.id}`)) as {
		nodes: Array<{ name: string; type: string }>;
	};
	const trigger = workflow.nodes.find(({ type }) => /\.(schedule|manual)Trigger$/.test(type));
	if (!trigger) throw new Error(`"${stored.name}" has nothing to run by hand.`);
	const { executionId } = (await client.request('POST', `/rest/workflows/${stored.id}/run`, {
		workflowData: workflow,
		triggerToStartFrom: { name: trigger.name },
	})) as { executionId: string };
	return await eventually(`The execution ${executionId}`, async () => {
		const summary = (await client.executions(stored.id)).find(({ id }) => id === executionId);
		const hasEnded = summary !== undefined && !UNFINISHED.includes(summary.status);
		return hasEnded ? await client.execution(executionId) : undefined;
	});
}
