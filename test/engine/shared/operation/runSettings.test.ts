import mapKeys from 'lodash/mapKeys';
import type { OnError } from 'n8n-workflow';
import type { ExecuteOptions } from '../../support/engine';
import { WAYS, everyOperation } from '../../support/everyOperation';
import { sendJson } from '../../support/server';
import { useStandIn } from '../../support/standIn';

const ITEMS = [{ number: 0 }, { number: 1 }, { number: 2 }];
const THROWING = "={{ $('Nowhere').item.json.value }}";

/** What no call can be made with, and what the person reads. */
const UNUSABLE: Array<[what: string, given: Partial<ExecuteOptions>, said: RegExp]> = [
	['a setting', { parameters: { options: { timeout: 0 } } }, /'Timeout' is 0/],
	['a setting that comes out empty', { parameters: { options: { giveUpAfter: '={{ null }}' } } }, /is empty/],
	[
		'an expression of a setting',
		{ parameters: { options: { concurrencyLimit: THROWING } } },
		/Nowhere|Referenced node doesn't exist/,
	],
	['a credential that is gone', { credentials: { any: 'gone' } }, /gone/],
	['no credential', { credentials: {} }, /credential/i],
];

const here = useStandIn();
let calls = 0;

beforeEach(() => {
	calls = 0;
	here.respond = (response, { url }) => {
		calls++;
		sendJson(response, url.includes('/customers') ? [{ id: 1 }] : { IsAuthenticated: true });
	};
});

describe.each(everyOperation.filter(({ id }) => WAYS.includes(id)))(
	'$id',
	({ node, parameters, credential }) => {
		test.each(UNUSABLE)('%s: each item fails and says so, and no call is made', async (_, given, said) => {
			const run = async (onError: OnError) =>
				await here.engine.execute({
					...{ node, onError, items: ITEMS, parameters: { ...parameters, ...given.parameters } },
					credentials: given.credentials && mapKeys(given.credentials, () => credential),
				});

			expect((await run('stopWorkflow')).error?.message).toMatch(said);
			for (const [onError, output] of [
				['continueErrorOutput', 1],
				['continueRegularOutput', 0],
			] as const) {
				const outcome = await run(onError);
				expect([onError, outcome.error]).toEqual([onError, undefined]);
				expect(outcome.itemsOf(output)).toEqual([[0], [1], [2]]);
				for (const { error } of outcome.json(output)) expect(error).toMatch(said);
				if (output === 1) expect(outcome.output(0)).toEqual([]);
			}
			expect(calls).toBe(0);
		});
	},
);

test("a 'System' of one item concerns that item alone", async () => {
	const { node, parameters } = everyOperation.find(({ id }) => id === 'customer.getAll') ?? {};
	const options = { system: "={{ $json.number === 1 ? undefined : 'mine' }}" };
	const outcome = await here.engine.execute({
		...{ node: String(node), items: ITEMS, parameters: { ...parameters, options } },
		onError: 'continueErrorOutput',
	});

	expect(outcome.error).toBeUndefined();
	expect(outcome.itemsOf(1)).toEqual([[1]]);
	expect(outcome.json(1)[0]?.error).toMatch(/'System' is empty.*\[item 1\]/);
	expect(outcome.itemsOf(0)).toEqual([[0], [2]]);
});
