import {
	type IDataObject,
	type INodeExecutionData,
	type INodeType,
	type INode,
	type IPollFunctions,
	NodeOperationError,
} from 'n8n-workflow';
import { createEngine, type Engine } from './engine';
import { useExpressionEngine } from './host';
import { plainDescription } from './nodeTypes';
import { takeRawErrors, watchForRawErrors } from './rawErrors';

function nodeType(
	name: string,
	rest: Partial<INodeType>,
	properties: INodeType['description']['properties'] = [],
): INodeType {
	return { description: { ...plainDescription(name), properties }, ...rest };
}

/** Answers with its parameter 'value' doubled; refuses what is not a number, in whatever way On Error asks for. */
const doubling = nodeType(
	'test.doubling',
	{
		async execute() {
			const items: INodeExecutionData[] = [];
			this.getInputData().forEach((_, item) => {
				const value = this.getNodeParameter('value', item);
				if (typeof value === 'number') items.push({ json: { doubled: value * 2 }, pairedItem: { item } });
				else if (this.continueOnFail()) items.push({ json: { error: 'refused' }, pairedItem: { item } });
				else throw new Error(`refused ${String(value)}`);
			});
			return [items];
		},
	},
	[{ displayName: 'Value', name: 'value', type: 'string', default: '' }],
);

let engine: Engine;

beforeEach(async () => {
	engine = await createEngine();
	engine.nodeTypes.add('test.doubling', doubling);
});

describe('with the isolates that n8n starts with', () => {
	useExpressionEngine('vm');

	test('evaluates expressions', async () => {
		const run = await engine.execute({
			node: 'test.doubling',
			parameters: { value: '={{ $json.number + 1 }}' },
			items: [{ number: 1 }, { number: 2 }],
		});

		expect(run.status).toBe('success');
		expect(run.json()).toEqual([{ doubled: 4 }, { doubled: 6 }]);
	});
});

test('follows item links over both outputs', async () => {
	const run = await engine.execute({
		node: 'test.doubling',
		parameters: { value: '={{ $json.value }}' },
		items: [
			{ id: 'a', value: 1 },
			{ id: 'b', value: 'x' },
			{ id: 'c', value: 3 },
		],
		onError: 'continueErrorOutput',
		after: { id: "={{ $('Before').item.json.id }}" },
	});

	expect(run.error).toBeUndefined();
	expect(run.after(0)).toEqual([{ id: 'a' }, { id: 'c' }]);
	expect(run.after(1)).toEqual([{ id: 'b' }]);
	expect(run.itemsOf(1)).toEqual([[1]]);
});

test('reports a link that is missing', async () => {
	engine.nodeTypes.add(
		'test.unlinked',
		nodeType('test.unlinked', { execute: async () => [[{ json: {} }, { json: {} }]] }),
	);
	const run = await engine.execute({
		node: 'test.unlinked',
		items: [{}, {}, {}],
		after: { id: "={{ $('Before').item.json.id }}" },
	});

	expect(run.error).toBeUndefined();
	expect(() => run.after(0)).toThrow(/Paired item data .* is unavailable/);
});

test('ends with what the node failed with', async () => {
	const run = await engine.execute({ node: 'test.doubling', parameters: { value: 'x' } });

	expect(run.status).toBe('error');
	expect(run.error?.message).toBe('refused x');
	expect(run.output()).toEqual([]);
});

describe('the watch over errors that are none of n8n', () => {
	const failing = (error: Error) =>
		nodeType('test.failing', {
			async execute() {
				throw error;
			},
			async poll() {
				throw error;
			},
			customOperations: {
				booking: {
					get: async () => {
						throw error;
					},
				},
			},
			methods: {
				listSearch: {
					async searchBookings() {
						throw error;
					},
				},
			},
		});
	const node = { id: '', name: 'Node', type: '', typeVersion: 1, position: [0, 0], parameters: {} };

	async function callAll(error: Error): Promise<unknown[]> {
		const watched = failing(error);
		watchForRawErrors(watched);
		const calls = [
			watched.execute,
			watched.poll,
			watched.customOperations?.booking?.get,
			watched.methods?.listSearch?.searchBookings,
		] as Array<(() => Promise<unknown>) | undefined>;
		for (const call of calls) await expect(call?.()).rejects.toBe(error);
		return takeRawErrors();
	}

	test('sees a plain error in whatever n8n calls', async () => {
		expect(await callAll(new Error('plain'))).toHaveLength(4);
	});

	test("lets n8n's own pass", async () => {
		expect(await callAll(new NodeOperationError(node as INode, 'explained'))).toEqual([]);
	});
});

describe('a published poll trigger', () => {
	/** Counts its polls, in its state and in its items; returns null on each second one and throws when told to. */
	let fails = false;
	const counting = nodeType('test.counting', {
		async poll(this: IPollFunctions) {
			const state = this.getWorkflowStaticData('node');
			const polls = Number(state.polls ?? 0) + 1;
			state.polls = polls;
			if (fails) throw new Error('out of order');
			return polls % 2 === 0
				? [[{ json: { polls, mode: this.getMode(), activation: this.getActivationMode() } }]]
				: null;
		},
	});

	const json = (items: INodeExecutionData[] | null): IDataObject[] | undefined =>
		items?.map((item) => item.json);

	beforeEach(() => {
		fails = false;
		engine.nodeTypes.add('test.counting', counting);
	});

	test('stores its state when activated and after emitting, not after null', async () => {
		const trigger = engine.trigger({ node: 'test.counting' });

		expect(await trigger.activate()).toEqual({ items: null });
		expect(trigger.storedState).toEqual({ polls: 1 });
		expect(json((await trigger.poll()).items)).toEqual([
			{ polls: 2, mode: 'trigger', activation: 'activate' },
		]);
		expect(trigger.storedState).toEqual({ polls: 2 });
		expect((await trigger.poll()).items).toBeNull();
		expect(trigger.state).toEqual({ polls: 3 });
		expect(trigger.storedState).toEqual({ polls: 2 });
		await trigger.restart();
		expect(trigger.state).toEqual({ polls: 3 });
	});

	test('loses what it had not stored when the host dies', async () => {
		const trigger = engine.trigger({ node: 'test.counting' });
		await trigger.activate();
		await trigger.poll({ crashAfterEmitting: true });

		expect(trigger.storedState).toEqual({ polls: 1 });
		expect(json((await trigger.restart()).items)).toEqual([
			{ polls: 2, mode: 'trigger', activation: 'init' },
		]);
	});

	test('shows a failed poll and refuses to be activated by one', async () => {
		const trigger = engine.trigger({ node: 'test.counting' });
		await trigger.activate();
		fails = true;

		expect((await trigger.poll()).error?.message).toBe('out of order');
		await expect(trigger.restart()).rejects.toThrow('out of order');
		await expect(trigger.poll()).rejects.toThrow('not published');
	});

	test('hands out test events as a manual execution', async () => {
		const trigger = engine.trigger({ node: 'test.counting' });
		await trigger.activate();
		const event = await trigger.fetchTestEvent();

		expect(json(event.items)).toEqual([{ polls: 2, mode: 'manual', activation: 'manual' }]);
		expect(event.state).toEqual({ polls: 2 });
		expect(trigger.storedState).toEqual({ polls: 1 });
	});
});
