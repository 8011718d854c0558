import { AsyncLocalStorage } from 'node:async_hooks';
import { Container } from '@n8n/di';
import { PollContext, PollTriggerExecutor } from 'n8n-core';
import {
	deepCopy,
	type IDataObject,
	type IConnections,
	type INode,
	type INodeExecutionData,
	type INodeParameters,
	type IWorkflowExecuteAdditionalData,
	type Workflow,
	type WorkflowActivateMode,
} from 'n8n-workflow';

/** What one poll came to. */
export interface Poll {
	/** The items that start a run; null when the poll returned null. */
	items: INodeExecutionData[] | null;
	/** What a scheduled poll threw: n8n shows it as a failed execution. */
	error?: Error;
}

/** What runs the polls. */
interface Host {
	workflow(nodes: INode[], connections: IConnections, staticData: IDataObject): Workflow;
	runPollNode(workflow: Workflow, node: INode): Promise<Poll>;
	withIsolate<T>(workflow: Workflow, act: () => Promise<T>): Promise<T>;
	additionalData(options: { node: INode }): IWorkflowExecuteAdditionalData;
}

interface Activation {
	workflow: Workflow;
	/** @param first whether it is the poll of the activation, whose error is not caught */
	run(first: boolean): Promise<void>;
	outcomes: AsyncLocalStorage<Poll>;
}

/**
 * A published workflow with a poll trigger of this package, polled by n8n-core's own `PollTriggerExecutor` whenever
 * the test says so. What n8n keeps is kept as n8n keeps it: the state lives in memory, and is stored with the workflow
 * (`stored`) on activation and after a poll that emits, not after one that returns null or throws.
 */
export class PollingWorkflow {
	/** Static data as in the workflow's row of n8n's database. */
	stored: IDataObject = {};
	/** What n8n tells a poll it may take, in milliseconds; undefined for an n8n that does not tell. */
	budgetMs: number | undefined = 300_000;
	private active: Activation | undefined;

	constructor(
		private readonly engine: Host,
		private readonly node: INode,
	) {}

	/** Publishes the workflow: its first poll runs at once. @throws what that poll throws; then it is not published */
	async activate(mode: WorkflowActivateMode = 'activate'): Promise<Poll> {
		const active = this.build(mode);
		const poll = await this.run(active, true);
		this.active = active;
		if (poll.items === null) this.store();
		return poll;
	}

	/** Runs a poll as the schedule does. */
	async poll(): Promise<Poll> {
		return await this.run(this.running(), false);
	}

	/** Unpublishes the workflow: what is only in memory is gone. */
	deactivate(): void {
		this.active = undefined;
	}

	/** Ends n8n without warning and starts it again: active workflows are published again from what is stored. */
	async restart(): Promise<Poll> {
		this.deactivate();
		return await this.activate('init');
	}

	/** Changes the trigger's parameters and publishes the new version. */
	async reconfigure(parameters: INodeParameters): Promise<Poll> {
		this.deactivate();
		this.node.parameters = { ...this.node.parameters, ...parameters };
		return await this.activate('update');
	}

	/** "Fetch test event" in the editor. @returns what it shows, and the state it leaves behind, which n8n may store */
	async fetchTestEvent(): Promise<Poll & { state: IDataObject }> {
		const workflow = this.engine.workflow([this.node], {}, deepCopy(this.stored));
		const poll = await this.engine.runPollNode(workflow, this.node);
		return { ...poll, state: workflow.getStaticData('node', this.node) };
	}

	/** The trigger's state in memory while published, else the stored one. */
	get state(): IDataObject {
		return deepCopy(this.active?.workflow.getStaticData('node', this.node) ?? this.storedState);
	}

	/** The trigger's part of what is stored. */
	get storedState(): IDataObject {
		return (this.stored[`node:${this.node.name}`] ?? {}) as IDataObject;
	}

	private build(mode: WorkflowActivateMode): Activation {
		const workflow = this.engine.workflow([this.node], {}, deepCopy(this.stored));
		const outcomes = new AsyncLocalStorage<Poll>();
		const outcome = () => {
			const current = outcomes.getStore();
			if (!current) throw new Error('The trigger emitted outside of a poll.');
			return current;
		};
		const context = new PollContext(
			workflow,
			this.node,
			this.engine.additionalData({ node: this.node }),
			'trigger',
			mode,
			(data) => {
				outcome().items = data[0] ?? [];
				this.store(workflow);
			},
			(error) => {
				outcome().error = error;
			},
			undefined,
			undefined,
			undefined,
			() => this.budgetMs ?? 0,
		);
		if (this.budgetMs === undefined) {
			Object.defineProperty(context, 'getPollBudgetMs', { value: undefined });
		}
		const isCurrent = () => this.active?.workflow === workflow;
		const run = Container.get(PollTriggerExecutor).create(workflow, this.node, context, isCurrent);
		return { workflow, run, outcomes };
	}

	private async run(active: Activation, first: boolean): Promise<Poll> {
		const poll: Poll = { items: null };
		await active.outcomes.run(poll, async () => {
			if (first) await this.engine.withIsolate(active.workflow, async () => await active.run(true));
			else await active.run(false);
		});
		return poll;
	}

	private running(): Activation {
		if (!this.active) throw new Error('The workflow is not published.');
		return this.active;
	}

	/** n8n's `saveStaticData`: only what changed is written. */
	private store(workflow: Workflow = this.running().workflow): void {
		if (workflow.staticData.__dataChanged !== true) return;
		this.stored = deepCopy(workflow.staticData);
		workflow.staticData.__dataChanged = false;
	}
}
