import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import isMatch from 'lodash/isMatch';
import memoize from 'lodash/memoize';
import { DateTime } from 'luxon';
import { type Mail, smtpCredential, startInbox } from '../../../dev/demo/inbox.ts';
import { dropTable, tableRows, withTables } from '../../../dev/demo/table.ts';
import { exampleWorkflow, runsOn } from '../../../dev/demo/workflows.ts';
import type {
	Execution,
	JsonObject,
	N8nClient,
	StoredWorkflow,
	Workflow,
	WorkflowNode,
} from '../../../dev/n8nClient.ts';
import { bookingCredential, paymentCredential } from '../../../dev/sandbox.ts';
import { eventually } from '../../support/progress';
import { chosenN8n, connect, foundStack } from '../support/stack.ts';

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
/** Where the service lists bookings. */
export const LIST = 'WebBookings';
/** An account that does not say yet what its statuses mean. */
export const NO_ROLES = { canceledStatuses: '', noShowStatuses: '', finishedStatuses: '' };
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

/** Fields of a canceled booking; its history is newest first, in another language, as some services write it. */
export const AVBOKAD = {
	status: CANCELED,
	createdDate: '2026-11-01T10:00:00Z',
	history: [
		{ changeDate: '2026-11-02T10:00:00Z', status: CANCELED, statusName: 'Avbokad' },
		{ changeDate: '2026-11-01T10:00:00Z', status: 2, statusName: 'Bekräftad' },
	],
};

/** Who has booked. */
export const guest = (fname: string, lname = '', email = 'guest@example.com') => ({
	contact: { id: 1, fname, lname, email, mobile: '+46 70 123 45 67' },
});

/** A name of what JavaScript's `replace` puts other text for, and how a mail or page must hold it. */
export const PATTERNS = "$& $` $' $$";
export const AS_TEXT = "&#36;&amp; &#36;` &#36;' &#36;&#36;";

/** The times of a booking. */
export const visit = (start: DateTime, hours = 2) => ({
	start: start.toUTC().toISO(),
	end: start.plus({ hours }).toUTC().toISO(),
});

/** The beginning of the restaurant's day. */
export const midnight = () => DateTime.now().setZone(TIME_ZONE).startOf('day');

/** The times of a booking so many days from today, by the restaurant's clock. */
export const visitIn = (days: number, hour: number, minute = 0) =>
	visit(midnight().plus({ days }).set({ hour, minute }));

/** The times of a booking that has just begun: today, whenever a day is said to begin. */
export const justBegan = () => visit(DateTime.utc().minus({ seconds: 1 }), 1);

/** What somebody enters in a node that holds words of the house. */
export const entered = (values: Record<string, string>) => ({
	assignments: {
		assignments: Object.entries(values).map(([name, value]) => ({ id: name, name, value, type: 'string' })),
	},
});

/** Chooses the language of the mails. */
export const inLanguage = (language: string) => ({ 'Say it in this language': entered({ language }) });

/** The header of somebody who is signed in. */
export function basicAuth({ user, password }: typeof FORM_LOGIN) {
	return { authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}` };
}

/** Tests of a workflow file; skipped, visibly, on an n8n that is older than its page says. */
export function describeFile(name: string, tests: () => void): void {
	(runsOn(chosenN8n().version, name) ? describe : describe.skip)(`workflows/${name}.json`, tests);
}

/** A look that all who look at the same moment share: many wait for the same table or inbox. */
function shared<T>(look: () => Promise<T>): () => Promise<T> {
	let underWay: Promise<T> | undefined;
	return async () =>
		await (underWay ??= look().finally(() => {
			underWay = undefined;
		}));
}

/** Shared context of a workflow's tests. */
export type Gallery = Awaited<ReturnType<typeof openGallery>>;

/**
 * For a test file: the n8n and the sandbox that run (whatever version the former has), an inbox, and no data of an
 * earlier test in the tables named.
 */
export function useGallery(...tables: string[]): Gallery {
	const gallery = {} as Gallery;
	beforeAll(async () => Object.assign(gallery, await openGallery(tables)));
	afterAll(async () => await gallery.close?.());
	return gallery;
}

async function openGallery(tables: readonly string[]) {
	const folder = mkdtempSync(join(tmpdir(), 'hospitality-booking-inbox-'));
	const inbox = await startInbox({ folder });
	const allMails = shared(() => inbox.mails());
	const connection = connect();
	const { client, sandbox, control } = connection;
	const { filesFolder } = foundStack();
	const imported: StoredWorkflow[] = [];
	for (const table of tables) await dropTable(client, table);
	const [, template] = await control<StoredBooking[]>('GET', '/state/bookings');
	/** Gives the credential for bookings other values. */
	const putAccount = (fields: JsonObject = {}) => {
		const data = { ...bookingCredential(sandbox), timeZone: TIME_ZONE, ...fields };
		return client.putCredential('Gallery', 'hospitalityBookingApi', data);
	};
	const credentials = [
		await putAccount(),
		await client.putCredential('Gallery', 'hospitalityPaymentApi', paymentCredential(sandbox)),
		await client.putCredential('Gallery', 'smtp', smtpCredential(inbox)),
		await client.putCredential('Gallery', 'googleSheetsOAuth2Api', GOOGLE_ACCOUNT),
		await client.putCredential('Gallery', 'httpBasicAuth', FORM_LOGIN),
		await client.putCredential('Gallery', 'httpBearerAuth', { token: AGENT_TOKEN }),
	];
	/** Imports `workflows/<name>.json` without publishing it; `parameters` are those that its note says to choose. */
	const load = async (name: string, parameters?: Record<string, JsonObject>) => {
		const filled = exampleWorkflow(name, { credentials, filesFolder, parameters });
		const workflow = await client.createWorkflow(await withTables(client, chosenN8n().version, filled));
		imported.push(workflow);
		/** Presses Execute Workflow and returns the execution when it has ended. */
		return { workflow, run: () => runByHand(client, workflow) };
	};
	/** Imports a file and presses Execute Workflow. @returns the execution when it has ended */
	const run = async (name: string, parameters?: Record<string, JsonObject>) =>
		await (await load(name, parameters)).run();
	/** The rows that a data table has. */
	const rowsNow = memoize((table: string) => shared(() => tableRows(client, table)));
	/** The rows of a data table that match, as soon as there is one. */
	const rows = async (table: string, matches: (row: JsonObject) => boolean) =>
		await eventually(`the row of ${table}`, async () => {
			const found = (await rowsNow(table)()).filter(matches);
			return found.length > 0 && found;
		});
	return {
		...connection,
		/** Folder that n8n may write files to. */
		filesFolder,
		putAccount,
		load,
		run,
		rows,
		rowsNow,
		allMails,
		/** Imports a file and publishes it. */
		publish: async (name: string, parameters?: Record<string, JsonObject>) => {
			const { workflow } = await load(name, parameters);
			await client.activate(workflow);
			return workflow;
		},
		/** The mails whose subject matches and whose text holds `text`, as soon as there are `count` of them. */
		mails: async (subject: RegExp, { count = 1, text = '' } = {}): Promise<Mail[]> =>
			await eventually(`a mail with the subject ${subject}`, async () => {
				const found = (await allMails()).filter(
					(mail) => subject.test(mail.subject) && mail.text.includes(text),
				);
				return found.length >= count && found;
			}),
		/** The mails that an act brings, with subjects that match. */
		mailsOf: async (subject: RegExp, act: () => Promise<unknown>): Promise<Mail[]> => {
			const before = new Set((await allMails()).map(({ id }) => id));
			await act();
			return (await allMails()).filter((mail) => !before.has(mail.id) && subject.test(mail.subject));
		},
		/** The row of a booking, as soon as there is one with these values. */
		rowOf: async (table: string, { guid }: Booking, values: JsonObject = {}): Promise<JsonObject> => {
			const [row = {}] = await rows(table, (one) => isMatch(one, { bookingId: guid, ...values }));
			return row;
		},
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
		/** Lets the service respond so from now on, until `respondAsUsual`. @param path part of the address */
		respond: async (path: string, status: number, body?: unknown, method?: string) =>
			await control('POST', '/faults', { path, method, fault: { kind: 'status', status, body } }),
		respondAsUsual: async () => await control('DELETE', '/faults'),
		/** The path of a node's address, which n8n has made up. */
		pathOf: async (workflow: StoredWorkflow, name: string): Promise<string> => {
			const node = await storedNode(client, workflow, (one) => one.name === name);
			return String(node?.parameters.path);
		},
		close: async () => {
			for (const workflow of imported) await remove(client, workflow);
			await inbox.stop();
			rmSync(folder, { recursive: true, force: true });
		},
	};
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
