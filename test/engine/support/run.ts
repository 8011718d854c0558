import type {
	ExecutionError,
	IDataObject,
	INodeExecutionData,
	IRun,
	ITaskData,
} from 'n8n-workflow';

/** Names of the nodes around the node under test. */
export const names = { start: 'Start', before: 'Before', node: 'Node', after: 'After' } as const;

/** The name of the node behind one output of the node under test. */
export function afterName(output: number): string {
	return `${names.after} ${output}`;
}

/** What one execution left behind. */
export class Run {
	/** @param data the run as n8n's engine returned it */
	constructor(readonly data: IRun) {}

	/** The engine's verdict, e.g. `success`, `error`, `canceled`. */
	get status(): string {
		return this.data.status;
	}

	/** What the node under test failed with: a plain object, its class in `name`. Undefined when its setting let it go on. */
	get error(): ExecutionError | undefined {
		const { error, lastNodeExecuted } = this.data.data.resultData;
		return (
			this.task(names.node)?.error ??
			(lastNodeExecuted?.startsWith(names.after) ? undefined : error)
		);
	}

	/**
	 * Items of one main output of the node under test: 0, or 1 for the error output.
	 *
	 * @throws what the node failed with
	 */
	output(index = 0): INodeExecutionData[] {
		if (this.error) throw this.error;
		return this.task(names.node)?.data?.main?.[index] ?? [];
	}

	/** The `json` of each item of one main output. */
	json(index = 0): IDataObject[] {
		return this.output(index).map((item) => item.json);
	}

	/** For each item of one main output the numbers of the input items it comes from, by its `pairedItem`. */
	itemsOf(index = 0): number[][] {
		return this.output(index).map(({ pairedItem }) =>
			[pairedItem ?? []]
				.flat()
				.map((source) => (typeof source === 'number' ? source : source.item)),
		);
	}

	/**
	 * What the expressions of `after` came to, one object for each item of one main output.
	 *
	 * @throws what the node behind that output stopped with, as when an expression cannot find its item
	 */
	after(index = 0): IDataObject[] {
		const task = this.task(afterName(index));
		const { error, lastNodeExecuted } = this.data.data.resultData;
		if (error && lastNodeExecuted === afterName(index)) {
			throw new Error(`${error.message} ${error.description ?? ''}`, { cause: error });
		}
		return (task?.data?.main?.[0] ?? []).map((item) => item.json);
	}

	/** What the node under test says beside its output. */
	get hints(): string[] {
		return (this.task(names.node)?.hints ?? []).map(({ message }) => message);
	}

	private task(name: string): ITaskData | undefined {
		return this.data.data.resultData.runData[name]?.[0];
	}
}
