import './environment';
import { Container } from '@n8n/di';
import {
	CredentialTestContext,
	ExecutionLifecycleHooks,
	ExternalSecretsProxy,
	LoadOptionsContext,
	WorkflowExecute,
} from 'n8n-core';
import {
	createRunExecutionData,
	NodeConnectionTypes,
	UnexpectedError,
	Workflow,
	type IConnections,
	type ICredentialDataDecryptedObject,
	type ICredentialTestFunctions,
	type IDataObject,
	type ILoadOptionsFunctions,
	type INode,
	type INodeCredentialTestResult,
	type INodeExecutionData,
	type INodeListSearchResult,
	type INodeParameters,
	type INodeType,
	type IRun,
	type IWorkflowExecuteAdditionalData,
	type OnError,
	type ResourceMapperFields,
	type WorkflowExecuteMode,
} from 'n8n-workflow';
import { MemoryCredentials } from './credentials';
import { logged, type LogLine } from './host';
import { fullNodeName, PackageNodeTypes } from './nodeTypes';
import { PollingWorkflow, type Poll } from './polling';
import { afterName, names, Run } from './run';

export { PollingWorkflow, Run, type Poll };

export interface NodeOptions {
	/** The node's type, with or without the package's name: `hospitalityBooking`. */
	node: string;
	parameters?: INodeParameters;
	/** Ids of the credentials by type; unless set, the one added under the type's own name for each type of the node. */
	credentials?: Record<string, string>;
}

interface EditorOptions extends NodeOptions {
	/** The node's name for the method. */
	method: string;
}

export interface ExecuteOptions extends NodeOptions {
	/** The input: objects that become the items' `json`. One empty item unless set. */
	items?: IDataObject[];
	/** The node's setting On Error. */
	onError?: OnError;
	/** Expressions evaluated in a node behind each output: `{ guest: "={{ $('Before').item.json.guest }}" }`. */
	after?: INodeParameters;
	/** Cancels the execution as the stop button does. */
	signal?: AbortSignal;
}

/** A node's place among the other nodes of a test workflow. */
function makeNode(name: string, type: string, parameters: INodeParameters = {}): INode {
	return { id: name, name, type, typeVersion: 1, position: [0, 0], parameters };
}

let engines = 0;

/** Runs workflows with nodes of this package through n8n's own engine; nothing between it and the network is replaced. */
export class Engine {
	/** The credentials, as n8n stores them. */
	readonly credentials = new MemoryCredentials();
	readonly nodeTypes = new PackageNodeTypes();
	private executions = 0;
	/** Of its own for each engine: what a trigger remembers in the process belongs to one workflow. */
	private readonly workflowId = `engine-test-${++engines}`;

	/** Everything n8n and the nodes logged in this test file. */
	get log(): readonly LogLine[] {
		return logged;
	}

	/** Runs Start → Before → the node → After, with the items as Start's output. Does not throw when the node fails. */
	async execute(options: ExecuteOptions): Promise<Run> {
		const node = this.makeNodeUnderTest(options);
		const start = makeNode(names.start, 'test.passOn');
		const before = makeNode(names.before, 'test.passOn');
		const outputs = options.onError === 'continueErrorOutput' ? 2 : 1;
		const after = options.after
			? Array.from({ length: outputs }, (_, output) =>
					makeNode(afterName(output), 'test.evaluate', { values: options.after ?? {} }),
				)
			: [];
		const to = (name: string) => [{ node: name, type: NodeConnectionTypes.Main, index: 0 }];
		const workflow = this.workflow([start, before, node, ...after], {
			[names.start]: { main: [to(names.before)] },
			[names.before]: { main: [to(names.node)] },
			[names.node]: { main: after.map(({ name }) => to(name)) },
		});
		const items = (options.items ?? [{}]).map((json) => ({ json }));
		return new Run(await this.run(workflow, start, items, 'trigger', options.signal));
	}

	/** A workflow with a poll trigger, not published yet. */
	trigger(options: NodeOptions): PollingWorkflow {
		return new PollingWorkflow(this, this.makeNodeUnderTest(options));
	}

	/** What the editor gets for a resource locator's list. */
	async listSearch(
		options: EditorOptions & { filter?: string; paginationToken?: string },
	): Promise<INodeListSearchResult> {
		const { method, filter, paginationToken } = options;
		return await this.askNode(
			options,
			({ listSearch }) => listSearch?.[method],
			filter,
			paginationToken,
		);
	}

	/** What the editor gets for a resource mapper's fields. */
	async resourceMapping(options: EditorOptions): Promise<ResourceMapperFields> {
		return await this.askNode(options, ({ resourceMapping }) => resourceMapping?.[options.method]);
	}

	/**
	 * What the editor shows when a credential is saved, decided as n8n's `CredentialsTester` does for a type without a test
	 * of its own: by the function that a node of this package names in `testedBy`.
	 */
	async testCredential(
		id: string,
		node = 'hospitalityBooking',
	): Promise<INodeCredentialTestResult> {
		const type = this.credentials.typeOf(id);
		const additionalData = this.additionalData();
		const data = await this.credentials.getDecrypted(
			additionalData,
			{ id, name: id },
			type,
			'internal',
		);
		const { description, methods } = this.nodeTypes.getByNameAndVersion(fullNodeName(node));
		const testedBy = description.credentials?.find(({ name }) => name === type)?.testedBy;
		const method = methods?.credentialTest?.[String(testedBy)];
		if (!method) {
			return { status: 'Error', message: 'No testing function found for this credential.' };
		}
		const context: ICredentialTestFunctions = new CredentialTestContext(additionalData);
		return await method.call(context, { id, name: id, type, data });
	}

	/** A workflow of these nodes, as n8n makes it of its row. */
	workflow(nodes: INode[], connections: IConnections = {}, staticData?: IDataObject): Workflow {
		return new Workflow({
			id: this.workflowId,
			name: 'Engine test',
			nodes,
			connections,
			active: true,
			nodeTypes: this.nodeTypes,
			staticData,
			settings: { executionOrder: 'v1', timezone: 'UTC' },
		});
	}

	/** Runs a poll trigger as a manual execution does: once, its items shown. */
	async runPollNode(workflow: Workflow, node: INode): Promise<Poll> {
		const run = new Run(await this.run(workflow, node, [{ json: {} }], 'manual'));
		const { error } = run;
		return { items: error ? null : run.output(), ...(error && { error }) };
	}

	/** Runs something that evaluates expressions of a workflow. */
	async withIsolate<T>(workflow: Workflow, act: () => Promise<T>): Promise<T> {
		const acquired = await workflow.expression.acquireIsolate();
		try {
			return await act();
		} finally {
			if (acquired) await workflow.expression.releaseIsolate();
		}
	}

	/** As much of n8n's `WorkflowExecuteAdditionalData.getBase` as these nodes need. */
	additionalData(
		options: { node?: INode; executionId?: string } = {},
	): IWorkflowExecuteAdditionalData {
		return {
			currentNodeExecutionIndex: 0,
			credentialsHelper: this.credentials,
			externalSecretsProxy: Container.get(ExternalSecretsProxy),
			executionId: options.executionId,
			currentNodeParameters: options.node?.parameters,
			variables: {},
			formWaitingBaseUrl: 'http://localhost:5678/form-waiting',
			webhookWaitingBaseUrl: 'http://localhost:5678/webhook-waiting',
			setExecutionStatus: () => undefined,
		} as unknown as IWorkflowExecuteAdditionalData;
	}

	private async run(
		workflow: Workflow,
		start: INode,
		items: INodeExecutionData[],
		mode: WorkflowExecuteMode,
		signal?: AbortSignal,
	): Promise<IRun> {
		this.executions += 1;
		const executionId = String(this.executions);
		const additionalData = this.additionalData({ executionId });
		const { id, name = '', nodes, connectionsBySourceNode: connections, settings } = workflow;
		const now = new Date();
		additionalData.hooks = new ExecutionLifecycleHooks(mode, executionId, {
			id,
			name,
			nodes: Object.values(nodes),
			connections,
			settings,
			active: true,
			activeVersionId: null,
			isArchived: false,
			createdAt: now,
			updatedAt: now,
		});
		const data = createRunExecutionData({
			executionData: {
				nodeExecutionStack: [{ node: start, data: { main: [items] }, source: null }],
			},
		});
		const execution = new WorkflowExecute(additionalData, mode, data).processRunExecutionData(
			workflow,
		);
		signal?.addEventListener('abort', () => execution.cancel());
		return await execution;
	}

	private makeNodeUnderTest(options: ExecuteOptions): INode {
		const type = fullNodeName(options.node);
		const { description } = this.nodeTypes.getByNameAndVersion(type);
		const typeVersion = description.defaultVersion ?? [description.version].flat().at(-1);
		const types = (description.credentials ?? []).map(({ name }) => name);
		const stored = types.filter((name) => this.credentials.has(name));
		const ids = options.credentials ?? Object.fromEntries(stored.map((name) => [name, name]));
		return {
			...makeNode(names.node, type, options.parameters),
			typeVersion: typeVersion ?? 1,
			credentials: Object.fromEntries(
				Object.entries(ids).map(([name, id]) => [name, { id, name: id }]),
			),
			...(options.onError && { onError: options.onError }),
		};
	}

	/** Calls a method of a node as the editor does. */
	private async askNode<Given extends unknown[], Result>(
		options: EditorOptions,
		choose: (
			methods: NonNullable<INodeType['methods']>,
		) => ((this: ILoadOptionsFunctions, ...given: Given) => Promise<Result>) | undefined,
		...given: Given
	): Promise<Result> {
		const node = this.makeNodeUnderTest(options);
		const workflow = this.workflow([node]);
		const method = choose(this.nodeTypes.getByNameAndVersion(node.type).methods ?? {});
		if (!method) throw new UnexpectedError(`${options.node} has no method ${options.method}.`);
		const context = new LoadOptionsContext(
			workflow,
			node,
			this.additionalData({ node }),
			'parameters',
		);
		return await this.withIsolate(workflow, async () => await method.call(context, ...given));
	}
}

/** An engine with these credentials, each under its type's name: `{ hospitalityBookingApi: { baseUrl: … } }`. */
export async function createEngine(
	credentials: Record<string, ICredentialDataDecryptedObject>,
): Promise<Engine> {
	const engine = new Engine();
	for (const [type, data] of Object.entries(credentials)) {
		await engine.credentials.add(type, type, data);
	}
	return engine;
}
