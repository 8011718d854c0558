import { GUID } from '../../../support/sampleForm';
import { everyOperation } from '../../support/everyOperation';
import { sendJson } from '../../support/server';
import { useStandIn } from '../../support/standIn';

/** With backslashes, which each way of writing a text doubles. */
const SECRET = 'a\\\\\\\\\\\\\\\\secret<b>';
const TOKEN = 'a-token-of-the-test';
const SESSION = 'a-session-of-the-test';
const BACKSLASHES = '\\'.repeat(40_000);
const LINK = '<a href="https://evil.example.com" style="position:fixed;inset:0">\u202e\u0007x</a>';
/** Far more than any of it takes: with patterns that backtrack it took minutes. */
const MOST_MS = 10_000;

const here = useStandIn();

beforeAll(async () => {
	await here.engine.credentials.edit('hospitalityBookingApi', { clientSecret: SECRET });
	await here.engine.credentials.edit('hospitalityPaymentApi', { password: SECRET });
});

async function timed<T>(run: () => Promise<T>): Promise<T> {
	const start = performance.now();
	const result = await run();
	expect(performance.now() - start).toBeLessThan(MOST_MS);
	return result;
}

it.each(everyOperation.filter(({ operation }) => operation.output.schema !== undefined))(
	'$id: what a call succeeds with comes out as it came, whatever it holds',
	async ({ node, parameters, operation: { output, value } }) => {
		const record = {
			articleId: GUID,
			name: SECRET,
			message: BACKSLASHES,
			html: LINK,
			echoed: { client_secret: SECRET, [SECRET]: [TOKEN, SESSION] },
		};
		const answer = output.kind === 'list' ? [record] : value === 'batchUpdate' ? { items: [record] } : record;
		here.respond = (response) => sendJson(response, answer);
		const run = await timed(
			async () =>
				await here.engine.execute({
					node,
					parameters: { ...parameters, output: 'raw' },
				}),
		);

		expect(run.error).toBeUndefined();
		expect(run.json()[0]).toMatchObject(record);
	},
);
