import { parse as parseFlatted } from 'flatted';
import get from 'lodash/get.js';
import has from 'lodash/has.js';
import { eventually } from './eventually.ts';

const PUBLICATION_MS = 60_000;
/** n8n's message when it rejects a call, without effect, because its database is too busy to respond. */
const DATABASE_BUSY = 'Database is not ready!';
const DATABASE_READY_WITHIN_MS = 60_000;
const DATA_STORED_WITHIN_MS = 30_000;
/** n8n ties a session to the browser it was made in. */
export const BROWSER_ID = 'hospitality-booking-dev';

/** A JSON object as n8n's REST interface takes and gives it. */
export type JsonObject = Record<string, unknown>;

/** The account of a fresh n8n's owner. */
export interface Owner {
	email: string;
	firstName: string;
	lastName: string;
	password: string;
}

/** A node of a workflow, as in an exported workflow file. */
export interface WorkflowNode {
	id?: string;
	name: string;
	type: string;
	typeVersion: number;
	position: [number, number];
	parameters: JsonObject;
	credentials?: Record<string, { id: string; name: string }>;
	[setting: string]: unknown;
}

/** A workflow, as in an exported workflow file. */
export interface Workflow {
	name: string;
	nodes: WorkflowNode[];
	connections: JsonObject;
	settings?: JsonObject;
	[setting: string]: unknown;
}

export interface StoredWorkflow {
	id: string;
	name: string;
	versionId: string;
	active: boolean;
}

export interface StoredCredential {
	id: string;
	name: string;
	type: string;
}

export interface ExecutionSummary {
	id: string;
	status: string;
	startedAt: string;
}

/** One node's run in an execution: its items by output, or its error. */
export interface NodeRun {
	executionTime: number;
	error?: { message: string; description?: string | null; [detail: string]: unknown };
	data?: {
		main?: Array<Array<{ json: JsonObject; pairedItem?: unknown; error?: unknown }> | null>;
	};
}

export interface Execution extends ExecutionSummary {
	/** Runs by node name. */
	runs: Record<string, NodeRun[]>;
	/** The error of the execution as a whole. */
	error?: { message: string; description?: string | null; [detail: string]: unknown };
}

/** Drives n8n over the REST interface that its editor uses: one signed-in person, one session. */
export class N8nClient {
	readonly url: string;
	private cookie: string;

	/**
	 * @param url where n8n is, without a trailing slash, e.g. `http://127.0.0.1:5678`
	 * @param session of a client that has signed in before: n8n takes five sign-ins of a person a minute
	 */
	constructor(url: string, session = '') {
		this.url = url;
		this.cookie = session;
	}

	/** The cookie of the signed-in person, as `name=value`. */
	get session(): string {
		return this.cookie;
	}

	/** Makes the owner account of a fresh n8n, or signs in where it exists already. */
	async signIn(owner: Owner): Promise<void> {
		const settings = await this.request('GET', '/rest/settings');
		if (get(settings, 'userManagement.showSetupOnFirstLoad') === true) {
			await this.request('POST', '/rest/owner/setup', owner);
		}
		await this.request('POST', '/rest/login', {
			emailOrLdapLoginId: owner.email,
			password: owner.password,
		});
	}

	/** Every credential of the signed-in person, without its data. */
	async credentials(): Promise<StoredCredential[]> {
		return (await this.request('GET', '/rest/credentials')) as StoredCredential[];
	}

	createCredential(name: string, type: string, data: JsonObject): Promise<StoredCredential> {
		return this.request('POST', '/rest/credentials', {
			name,
			type,
			data,
		}) as Promise<StoredCredential>;
	}

	/** Creates the credential of this name and type, or gives the existing one new data. */
	async putCredential(name: string, type: string, data: JsonObject): Promise<StoredCredential> {
		const existing = (await this.credentials()).find(
			(one) => one.name === name && one.type === type,
		);
		if (!existing) return await this.createCredential(name, type, data);
		const path = `/rest/credentials/${existing.id}`;
		return (await this.request('PATCH', path, { name, type, data })) as StoredCredential;
	}

	async workflows(): Promise<StoredWorkflow[]> {
		return (await this.request('GET', '/rest/workflows')) as StoredWorkflow[];
	}

	createWorkflow(workflow: Workflow): Promise<StoredWorkflow> {
		return this.request('POST', '/rest/workflows', {
			...workflow,
			active: false,
		}) as Promise<StoredWorkflow>;
	}

	/**
	 * Publishes a workflow and waits until its triggers are on: n8n starts them after it has responded.
	 *
	 * @throws when a trigger does not start; the message carries n8n's
	 */
	async activate(workflow: StoredWorkflow): Promise<StoredWorkflow> {
		const active = (await this.request('POST', `/rest/workflows/${workflow.id}/activate`, {
			versionId: workflow.versionId,
		})) as StoredWorkflow;
		await this.settlePublication(workflow);
		return active;
	}

	/** Unpublishes a workflow and waits until its triggers are off. */
	async deactivate(workflow: StoredWorkflow): Promise<StoredWorkflow> {
		const inactive = await this.request('POST', `/rest/workflows/${workflow.id}/deactivate`, {});
		await this.settlePublication(workflow);
		return inactive as StoredWorkflow;
	}

	/** The latest executions of a workflow, newest first. */
	async executions(workflowId: string, limit = 20): Promise<ExecutionSummary[]> {
		const filter = encodeURIComponent(JSON.stringify({ workflowId }));
		const list = await this.request('GET', `/rest/executions?filter=${filter}&limit=${limit}`);
		return (list as { results: ExecutionSummary[] }).results;
	}

	/** One execution with what every node did in it. n8n may say that it has ended before its data is stored. */
	async execution(id: string): Promise<Execution> {
		const find = async () => {
			const found = (await this.request('GET', `/rest/executions/${id}`)) as ExecutionSummary & {
				data?: string;
			};
			return found.data !== undefined && { ...found, data: found.data };
		};
		const stored = await eventually(
			`n8n has the data of execution ${id}`,
			find,
			DATA_STORED_WITHIN_MS,
			100,
		);
		const { resultData } = parseFlatted(stored.data) as {
			resultData: { runData?: Record<string, NodeRun[]>; error?: Execution['error'] };
		};
		const { runData = {}, error } = resultData;
		return { ...stored, runs: runData, error };
	}

	/** Calls a published workflow's Webhook node, whatever comes of it. */
	async callWebhook(path: string, body: unknown): Promise<void> {
		const headers = { 'content-type': 'application/json' };
		const init = { method: 'POST', headers, body: JSON.stringify(body) };
		await (await fetch(`${this.url}/webhook/${path}`, init)).text();
	}

	/** @throws when a trigger does not start, or nothing is decided after a minute */
	private async settlePublication({ id, name }: StoredWorkflow): Promise<void> {
		type Publication = { status: string; triggers: Array<{ errorMessage: string | null }> };
		const isSettled = async () => {
			const path = `/rest/workflows/${id}/publication-status`;
			const found = await this.request('GET', path).catch((error: Error) => {
				// Older versions start triggers before they respond, and know no such path.
				if (error.message.startsWith('n8n answered 404')) {
					return { status: 'published', triggers: [] };
				}
				throw error;
			});
			const { status, triggers } = found as Publication;
			if (status === 'in_progress') return false;
			if (status === 'published' || status === 'not_published') return true;
			const reasons = triggers.map(({ errorMessage }) => errorMessage).filter(Boolean);
			throw new Error(`"${name}" could not be published: ${reasons.join('; ')}`);
		};
		await eventually(`"${name}" is published`, isSettled, PUBLICATION_MS, 100);
	}

	/**
	 * Any other call of the interface.
	 *
	 * @param path from the root, e.g. `/types/nodes.json`
	 * @returns the response's `data` if it has one, otherwise the whole response
	 * @throws on a status that is not 2xx
	 */
	async request(method: string, path: string, body?: unknown): Promise<unknown> {
		const headers = {
			'browser-id': BROWSER_ID,
			...(this.cookie === '' ? {} : { cookie: this.cookie }),
			...(body === undefined ? {} : { 'content-type': 'application/json' }),
		};
		const ask = async () => {
			const response = await fetch(this.url + path, {
				method,
				headers,
				body: JSON.stringify(body),
			});
			const text = await response.text();
			return !text.includes(DATABASE_BUSY) && { response, text };
		};
		const { response, text } = await eventually(
			"n8n's database is ready",
			ask,
			DATABASE_READY_WITHIN_MS,
		);
		const cookie = response.headers.getSetCookie().find((one) => one.startsWith('n8n-auth='));
		if (cookie !== undefined) this.cookie = cookie.split(';', 1)[0] ?? '';
		if (!response.ok) {
			throw new Error(`n8n answered ${response.status} to ${method} ${path}: ${text}`);
		}
		const parsed: unknown = text === '' ? undefined : JSON.parse(text);
		return has(parsed, 'data') ? get(parsed, 'data') : parsed;
	}
}
