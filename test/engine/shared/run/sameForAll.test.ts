import { answerTo, everyOperation } from '../../support/everyOperation';
import { sendJson } from '../../support/server';
import { useStandIn } from '../../support/standIn';

const here = useStandIn();

beforeAll(() => {
	here.respond = (response, { url, body }) => sendJson(response, answerTo(url, body || '{}'));
});

/** What was sent for three items, and what came out. */
async function run(node: string, parameters: object) {
	const before = here.server.received.length;
	const outcome = await here.engine.execute({
		node,
		parameters: { ...parameters },
		items: [{ own: 'a' }, { own: 'b' }, { own: 'c' }],
	});
	const calls = here.server.received.slice(before);
	return {
		sent: calls.map(({ method, url, body, headers: { system } }) => [method, url, body, system]),
		output: outcome.error?.message ?? outcome.json(),
	};
}

it.each(everyOperation)(
	'without an expression one request serves all items, the same as if each were read: $id',
	async ({ id, node, parameters }) => {
		const options = { ...Object(parameters.options), giveUpAfter: '={{ 10 }}' };
		// The first call may request a token.
		await run(node, parameters);
		const once = await run(node, parameters);

		// A batch refuses an article that is in it twice.
		expect(once.sent.length > 0).toBe(id !== 'article.batchUpdate');
		expect(once).toEqual(await run(node, { ...parameters, options }));
	},
);
