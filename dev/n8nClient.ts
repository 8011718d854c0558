import { parse as parseFlatted } from 'flatted';
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
	data?: { main?: Array<Array<{ json: JsonObject; pairedItem?: unknown; error?: unknown }> | null> };
}

export interface Execution extends ExecutionSummary {
	/** Runs by node name. */
	runs: Record<string, NodeRun[]>;
	/** The error of the execution as a whole. */
	error?: { message: string; description?: string | null; [detail: string]: unknown };
}

/** A response of n8n that is not 2xx. */
export class N8nError extends Error {
	override name = 'N8nError';
	readonly status: number;

	constructor(status: number, message: string) {
		super(message);
		this.status = status;
	}
}

function isObject(value: unknown): value is JsonObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
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
		const management = isObject(settings) ? settings.userManagement : undefined;
		if (isObject(management) && management.showSetupOnFirstLoad === true) {
			await this.request('POST', '/rest/owner/setup', owner);
		}
		await this.request('POST', '/rest/login', { emailOrLdapLoginId: owner.email, password: owner.password });
	}

	/** Every credential of the signed-in person, without its data. */
	async credentials(): Promise<StoredCredential[]> {
		return (await this.request('GET', '/rest/credentials')) as StoredCredential[];
	}

	createCredential(name: string, type: string, data: JsonObject): Promise<StoredCredential> {
		return this.request('POST', '/rest/credentials', { name, type, data }) as Promise<StoredCredential>;
	}

	updateCredential(id: string, name: string, type: string, data: JsonObject): Promise<StoredCredential> {
		const body = { name, type, data };
		return this.request('PATCH', `/rest/credentials/${id}`, body) as Promise<StoredCredential>;
	}

	/** Creates the credential of this name and type, or gives the existing one new data. */
	async putCredential(name: string, type: string, data: JsonObject): Promise<StoredCredential> {
		const existing = (await this.credentials()).find((one) => one.name === name && one.type === type);
		return existing
			? await this.updateCredential(existing.id, name, type, data)
			: await this.createCredential(name, type, data);
	}

	async workflows(): Promise<StoredWorkflow[]> {
		return (await this.request('GET', '/rest/workflows')) as StoredWorkflow[];
	}

	createWorkflow(workflow: Workflow): Promise<StoredWorkflow> {
		return this.request('POST', '/rest/workflows', { ...workflow, active: false }) as Promise<StoredWorkflow>;
	}

	/** Replaces a workflow's content. */
	updateWorkflow(id: string, workflow: Workflow): Promise<StoredWorkflow> {
		const path = `/rest/workflows/${id}?forceSave=true`;
		return this.request('PATCH', path, workflow) as Promise<StoredWorkflow>;
	}

	/** Creates the workflow of this name, or replaces the content of the existing one. */
	async putWorkflow(workflow: Workflow): Promise<StoredWorkflow> {
		const existing = (await this.workflows()).find((one) => one.name === workflow.name);
		return existing ? await this.updateWorkflow(existing.id, workflow) : await this.createWorkflow(workflow);
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
		const stored = await eventually(`n8n has the data of execution ${id}`, find, DATA_STORED_WITHIN_MS, 100);
		const { resultData } = parseFlatted(stored.data) as {
			resultData: { runData?: Record<string, NodeRun[]>; error?: Execution['error'] };
		};
		const { runData = {}, error } = resultData;
		return { ...stored, runs: runData, error };
	}

	/**
	 * Calls a published workflow's Webhook node.
	 *
	 * @returns the HTTP status and the parsed JSON response, or the text if it is not JSON
	 */
	async callWebhook(path: string, body: unknown = {}): Promise<{ status: number; body: unknown }> {
		const headers = { 'content-type': 'application/json' };
		const init = { method: 'POST', headers, body: JSON.stringify(body) };
		const response = await fetch(`${this.url}/webhook/${path}`, init);
		const { status } = response;
		const text = await response.text();
		try {
			return { status, body: JSON.parse(text) };
		} catch {
			return { status, body: text };
		}
	}

	/** @throws when a trigger does not start, or nothing is decided after a minute */
	private async settlePublication({ id, name }: StoredWorkflow): Promise<void> {
		type Publication = { status: string; triggers: Array<{ errorMessage: string | null }> };
		const isSettled = async () => {
			const path = `/rest/workflows/${id}/publication-status`;
			const found = await this.request('GET', path).catch((error: unknown) => {
				// Older versions start triggers before they respond, and know no such path.
				if (error instanceof N8nError && error.status === 404) return { status: 'published', triggers: [] };
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
	 * @throws {N8nError} on a status that is not 2xx
	 */
	async request(method: string, path: string, body?: unknown): Promise<unknown> {
		const ask = async () => {
			try {
				return { response: await this.requestOnce(method, path, body) };
			} catch (error) {
				if (error instanceof N8nError && error.message.includes(DATABASE_BUSY)) return false;
				throw error;
			}
		};
		const { response } = await eventually("n8n's database is ready", ask, DATABASE_READY_WITHIN_MS, 500);
		return response;
	}

	private async requestOnce(method: string, path: string, body: unknown): Promise<unknown> {
		const response = await fetch(`${this.url}${path}`, {
			method,
			headers: {
				'browser-id': BROWSER_ID,
				...(this.cookie === '' ? {} : { cookie: this.cookie }),
				...(body === undefined ? {} : { 'content-type': 'application/json' }),
			},
			body: body === undefined ? undefined : JSON.stringify(body),
		});
		for (const cookie of response.headers.getSetCookie()) {
			if (cookie.startsWith('n8n-auth=')) this.cookie = cookie.split(';', 1)[0] ?? '';
		}
		const text = await response.text();
		if (!response.ok)
			throw new N8nError(response.status, `n8n answered ${response.status} to ${method} ${path}: ${text}`);
		const parsed: unknown = text === '' ? undefined : JSON.parse(text);
		return isObject(parsed) && 'data' in parsed ? parsed.data : parsed;
	}
}
