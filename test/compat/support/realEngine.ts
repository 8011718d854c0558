import { randomUUID } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import type { ICredentialDataDecryptedObject, INodeParameters, IRun } from 'n8n-workflow';
import type { N8nClient, StoredCredential, WorkflowNode } from '../../../dev/n8nClient.ts';
import { packageNode, plainNode, publishRunner, type Runner } from '../../../dev/runner.ts';
import { ACCOUNT } from '../../../sandbox/account.ts';
import type { LoggedRequest } from '../../../sandbox/control/requestLog.ts';
import { connect } from '../../e2e/support/stack';
import type { ExecuteOptions } from '../../engine/support/engine';
import { afterName, names, Run } from '../../engine/support/run';
import { onTheWire, WIRE_LOG } from '../../../compat/wire.ts';

export type { ExecuteOptions, Run };

const ofSandbox: string[] = [ACCOUNT.clientId, ACCOUNT.paymentCustomerId];

/** Behind one output: evaluates the expressions of `after` for each item. */
function nodeAfter(output: number, values: INodeParameters): WorkflowNode {
	const assignments = Object.entries(values).map(([name, value]) => ({
		id: name,
		name,
		value,
		type: 'string',
	}));
	return {
		...plainNode(afterName(output), 'set', 600),
		typeVersion: 3.4,
		parameters: { assignments: { assignments }, options: {} },
	};
}

function nodesAfter({ after, onError }: ExecuteOptions): WorkflowNode[] {
	const outputs = onError === 'continueErrorOutput' ? [0, 1] : [0];
	return after ? outputs.map((output) => nodeAfter(output, after)) : [];
}

/** Of this test file: what was made once serves again, as publishing a workflow takes longer than running it. */
const storedCredentials = new Map<string, Promise<StoredCredential>>();
const runners = new Map<string, Promise<Runner>>();

function once<T>(made: Map<string, Promise<T>>, what: unknown, make: () => Promise<T>): Promise<T> {
	const key = JSON.stringify(what);
	const kept = made.get(key) ?? make();
	made.set(key, kept);
	return kept;
}

/** In place of the engine of test/engine: runs nodes in the real n8n that was started for these tests. */
export class Engine {
	readonly credentials = {
		add: async (id: string, type: string, data: ICredentialDataDecryptedObject) => {
			const make = () => this.client.createCredential(`${id} ${randomUUID()}`, type, data);
			this.stored.set(id, await once(storedCredentials, [type, data], make));
			if (ofSandbox.includes(String(data.clientId ?? data.customerId)))
				this.origin = new URL(String(data.baseUrl ?? data.payUrl)).origin;
		},
	};
	private readonly client: N8nClient = connect().client;
	private readonly stored = new Map<string, StoredCredential>();
	/** That of the sandbox; empty where a test's own server stands in for the service. */
	private origin = '';

	/** Runs Webhook → Items → Before → the node → After, and notes what arrived at the service. */
	async execute(options: ExecuteOptions): Promise<Run> {
		const seen = (await this.requests()).length;
		const node = this.nodeUnderTest(options);
		const around = { before: names.before, after: nodesAfter(options) };
		const runner = await once(runners, [node, around], () => publishRunner(this.client, node, around));
		const execution = await runner.run(options.items ?? [{}]);
		this.noteRequests((await this.requests()).slice(seen));
		return new Run({
			status: execution.status,
			data: {
				resultData: {
					runData: execution.runs,
					error: execution.error,
					lastNodeExecuted: execution.lastNodeExecuted,
				},
			},
		} as unknown as IRun);
	}

	private nodeUnderTest({ node, parameters = {}, credentials = {}, onError }: ExecuteOptions): WorkflowNode {
		const type = `${node}Api`;
		const credential = this.stored.get(credentials[type] ?? type);
		if (!credential) throw new Error(`There is no credential for ${type}.`);
		return packageNode(node, parameters, credential, { id: names.node, name: names.node, onError });
	}

	private async requests(): Promise<LoggedRequest[]> {
		if (this.origin === '') return [];
		return (await (await fetch(`${this.origin}/__control/requests`)).json()) as LoggedRequest[];
	}

	private noteRequests(requests: LoggedRequest[]): void {
		const file = process.env[WIRE_LOG];
		if (file === undefined) return;
		const { currentTestName, testPath = '' } = expect.getState();
		// What is sent while a test is being set up is no promise of its own.
		if (currentTestName === undefined) return;
		const operation = `${basename(dirname(testPath))}.${basename(testPath, '.test.ts')}`;
		const sent = requests.filter(({ tokenRequest }) => !tokenRequest).map(onTheWire);
		appendFileSync(file, `${JSON.stringify({ test: `${operation}: ${currentTestName}`, sent })}\n`);
	}
}

/** An engine with a credential of each type given. */
export async function createEngine(
	credentials: Record<string, ICredentialDataDecryptedObject>,
): Promise<Engine> {
	const engine = new Engine();
	for (const [type, data] of Object.entries(credentials)) await engine.credentials.add(type, type, data);
	return engine;
}
