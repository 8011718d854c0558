import escapeRegExp from 'lodash/escapeRegExp';
import mapValues from 'lodash/mapValues';
import type { INodeParameters, OnError } from 'n8n-workflow';
import { createEngine, type Engine, type Run } from '../../support/engine';
import { WAYS, everyOperation } from '../../support/everyOperation';
import { credentialsAt, sendJson } from '../../support/server';
import { useStandIn } from '../../support/standIn';

const ITEMS = 3;
const BAD = 1;
const THROWING = "={{ $('Nowhere').item.json.value }}";
/** What n8n says of an expression over a node that is not there. */
const NOWHERE = /Nowhere|Referenced node doesn't exist/;

const options = (set: object) => ({ options: set }) as unknown as INodeParameters;

/** Settings of the node that no call can be made with: its name on the form, what is set, what the person reads. */
const UNUSABLE: Array<[label: string, set: object, said: RegExp]> = [
	['System', { system: THROWING }, NOWHERE],
	['Concurrency Limit', { concurrencyLimit: 'many' }, /is not a number \('many'\)/],
	['Give Up After (Minutes)', { giveUpAfter: '={{ null }}' }, /is empty/],
	['Timeout', { timeout: 0 }, /is 0/],
];

type Row = (typeof everyOperation)[number];

const here = useStandIn();
let calls = 0;

beforeAll(() => {
	here.respond = (response, { url }) => {
		calls++;
		const isList = /WebBookings\?|\/customers|\/Recipients(\?|$)/.test(url);
		sendJson(response, isList ? [{ id: 1 }] : { IsAuthenticated: true });
	};
});

/** What a run uses in place of the account that works. */
interface Using {
	engine?: Engine;
	credentials?: Record<string, string>;
}

async function run(row: Row, parameters: INodeParameters, onError: OnError, using: Using = {}): Promise<Run> {
	calls = 0;
	return await (using.engine ?? here.engine).execute({
		node: row.node,
		parameters: { ...row.parameters, ...parameters },
		items: Array.from({ length: ITEMS }, (_, number) => ({ number })),
		onError,
		credentials: using.credentials,
	});
}

const ALL = Array.from({ length: ITEMS }, (_, index) => index);

/** Accounts that no call can be made with: what there is, what the person reads, how it comes about. */
const UNUSABLE_ACCOUNTS: Array<[what: string, said: RegExp, using: (row: Row) => Promise<Using>]> = [
	[
		'a credential that is gone',
		/gone/,
		async ({ credential }) => ({ credentials: { [credential]: 'gone' } }),
	],
	['a credential that was not chosen', /credential/i, async () => ({ credentials: {} })],
	[
		'a credential with an unusable address',
		/URL' is 'x'/,
		async () => ({ engine: await engineWith({ baseUrl: 'x', payUrl: 'x' }) }),
	],
	[
		'a credential with a time zone that does not exist',
		/'Time Zone' is 'Mars\/Base'/,
		async () => ({ engine: await engineWith({ timeZone: 'Mars/Base' }) }),
	],
];
const engineWith = async (changes: object): Promise<Engine> => {
	return await createEngine(mapValues(credentialsAt(here.server.url), (data) => ({ ...data, ...changes })));
};

/** Each item has failed, says so, and nothing was sent. */
async function expectAllFailed(row: Row, said: RegExp, runWith: (onError: OnError) => Promise<Run>) {
	const stopped = await runWith('stopWorkflow');
	expect(stopped.status).toBe('error');
	expect(stopped.error?.message).toMatch(said);
	for (const [onError, output] of [
		['continueErrorOutput', 1],
		['continueRegularOutput', 0],
	] as const) {
		const outcome = await runWith(onError);
		expect([onError, outcome.error]).toEqual([onError, undefined]);
		expect(outcome.itemsOf(output)).toEqual(ALL.map((item) => [item]));
		for (const { error } of outcome.json(output)) expect(error).toMatch(said);
		if (output === 1) expect(outcome.output(0)).toEqual([]);
	}
	expect([row.id, calls]).toEqual([row.id, 0]);
}

describe.each(everyOperation.filter(({ id }) => WAYS.includes(id)))('$id', (row) => {
	const takesSystem = row.node === 'hospitalityBooking' && row.operation.takesSystem !== false;
	const possible = UNUSABLE.filter(([label]) => takesSystem || label !== 'System');

	test.each(possible)("'%s' of %j: each item fails, and no call is made", async (label, set, said) => {
		const named = said === NOWHERE ? said : new RegExp(`'${escapeRegExp(label)}' ${said.source}`);
		await expectAllFailed(row, named, async (onError) => await run(row, options(set), onError));
	});

	if (takesSystem)
		test("a 'System' of one item concerns that item alone", async () => {
			const system = `={{ $json.number === ${BAD} ? undefined : 'mine' }}`;
			const outcome = await run(row, options({ system }), 'continueErrorOutput');

			expect(outcome.error).toBeUndefined();
			expect(outcome.itemsOf(1)).toEqual([[BAD]]);
			expect(outcome.json(1)[0]?.error).toMatch(/'System' is empty.*\[item 1\]/);
			expect([...new Set(outcome.itemsOf(0).flat())]).toEqual([0, 2]);
		});

	const accounts = UNUSABLE_ACCOUNTS.filter(
		([what]) => row.node === 'hospitalityBooking' || !what.includes('time zone'),
	);

	test.each(accounts)('%s: each item fails, and no call is made', async (_, said, using) => {
		const given = await using(row);
		await expectAllFailed(row, said, async (onError) => await run(row, {}, onError, given));
	});
});
