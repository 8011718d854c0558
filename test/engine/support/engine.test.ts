import {
	type IDataObject,
	type INodeExecutionData,
	type INodeType,
	type INode,
	type IPollFunctions,
	NodeOperationError,
} from 'n8n-workflow';
import { createEngine, type Engine } from './engine';
import { plainDescription } from './nodeTypes';
import { takeRawErrors, watchForRawErrors } from './rawErrors';

function nodeType(name: string, rest: Partial<INodeType>): INodeType {
	return { description: plainDescription(name), ...rest };
}

let engine: Engine;

beforeEach(async () => {
	engine = await createEngine();
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
	/** Counts its polls, in its state and in its items; returns null on each second one. */
	const counting = nodeType('test.counting', {
		async poll(this: IPollFunctions) {
			const state = this.getWorkflowStaticData('node');
			const polls = Number(state.polls ?? 0) + 1;
			state.polls = polls;
			return polls % 2 === 0
				? [[{ json: { polls, mode: this.getMode(), activation: this.getActivationMode() } }]]
				: null;
		},
	});

	const json = (items: INodeExecutionData[] | null): IDataObject[] | undefined =>
		items?.map((item) => item.json);

	beforeEach(() => engine.nodeTypes.add('test.counting', counting));

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
});
