import { setImmediate } from 'node:timers/promises';
import type { IDataObject, IExecuteFunctions, INode, INodeExecutionData } from 'n8n-workflow';
import get from 'lodash/get';
import map from 'lodash/map';

import { type Account, type ServiceRequest, openAccount } from '../../../nodes/shared/auth/account';
import type { CallError } from '../../../nodes/shared/errors/failure';
import { type ErrorContext, toNodeError } from '../../../nodes/shared/errors/nodeErrors';
import { executeNode } from '../../../nodes/shared/run/run';
import { type Form, type Row, rows } from '../../support/sampleForm';

/** What a service was asked. */
export interface Asked {
	requests: ServiceRequest[];
	/** Most calls at once. */
	mostAtOnce: number;
}

/** Lets the account give each call a response; a test file mocks `auth/account` for it. */
export function serviceThatAnswers(
	body: unknown,
	headers: IDataObject = { location: '/v1/x' },
): Asked {
	return serviceThat(() => body, headers);
}

/** Lets each call of the account fail. */
export function serviceThatFails(error: CallError): Asked {
	return serviceThat((context) => {
		throw toNodeError(context, error);
	});
}

function serviceThat(answer: (context: ErrorContext) => unknown, headers: IDataObject = {}): Asked {
	const asked: Asked = { requests: [], mostAtOnce: 0 };
	let inFlight = 0;
	const account = {
		credentials: { customerId: 'a', password: 'b' },
		statusRoles: {},
		timeZone: 'UTC',
		queue: { ready: async () => {} },
		currentSecrets: () => [],
		deployment: {},
		async call(request: ServiceRequest, context: ErrorContext) {
			asked.requests.push(request);
			inFlight++;
			asked.mostAtOnce = Math.max(asked.mostAtOnce, inFlight);
			await setImmediate();
			inFlight--;
			return { status: 200, headers, body: answer(context) };
		},
	};
	jest.mocked(openAccount).mockResolvedValue(account as unknown as Account);
	return asked;
}

/** One execution of a node. */
export interface Execution {
	/** As in the contract: `webBooking.cancel`. */
	id: string;
	/** What the parameters come to, for each input item. */
	items: readonly Form[];
	/** The parameters as they stand in the workflow; by default those of the first item. */
	stored?: Form;
	/** The data of the input items; empty by default. */
	inputs?: readonly IDataObject[];
	/** Settings of the node. */
	node?: Partial<INode>;
	/** Cancels the execution. */
	signal?: AbortSignal;
}

export interface Executed {
	/** With the items that they are linked to. */
	rows: INodeExecutionData[];
	/** Their data. */
	output: IDataObject[];
	/** What n8n shows beside the output. */
	hints: string[];
}

/** Runs an operation as n8n does: its parameters are evaluated for each item. */
export async function execute(execution: Execution): Promise<Executed> {
	const { id, items, inputs = [], node: settings = {} } = execution;
	const [resource, operation] = id.split('.');
	const stored = execution.stored ?? items[0];
	const parameters = { ...stored, resource, operation } as INode['parameters'];
	const node = { name: 'Node', type: 'x.node', parameters, ...settings } as INode;
	const hints: string[] = [];
	const context = {
		getNode: () => node,
		getInputData: () => items.map((_, item) => ({ json: inputs[item] ?? {} })),
		getNodeParameter(name: string, item: number) {
			if (name === 'resource') return resource;
			return name === 'operation' ? operation : (get(items[item], name) as unknown);
		},
		getExecutionCancelSignal: () => execution.signal,
		continueOnFail: () => settings.onError !== undefined,
		addExecutionHints: (hint: { message: string }) => void hints.push(hint.message),
	};
	const output = await executeNode(context as unknown as IExecuteFunctions, rowOf(id).service);
	const outputRows = output[0] ?? [];
	return { rows: outputRows, output: map(outputRows, 'json'), hints };
}

/** Runs an operation for one item. */
export async function executeOne(
	id: string,
	form: Form,
	node: Partial<INode> = {},
): Promise<Executed> {
	return await execute({ id, items: [form], node });
}

export const AS_TOOL = { type: 'x.nodeTool' };

export function rowOf(id: string): Row {
	const row = rows.find((one) => one.id === id);
	if (row) return row;
	throw new Error(`${id} is no operation`);
}
