import { everyOperation } from '../../support/everyOperation';
import { OTHER_TYPES, type Respond, flood, text } from '../../support/hostileResponses';
import { cancelBooking, getCustomers, getSubscription, shown, useStandIn } from '../../support/standIn';

const here = useStandIn();

const typed =
	(type: string, body: string | Buffer, status = 200): Respond =>
	(response) =>
		void response.writeHead(status, { 'content-type': type }).end(body);

it('A response larger than its bound is told with what to do', async () => {
	here.respond = flood(33).respond;

	expect(shown(await getCustomers(here))).toMatch(
		/^The response is larger than 32 MB – .*Request less data at a time/,
	);
});

it('A response of 204 yields no items for a list', async () => {
	here.respond = (response) => void response.writeHead(204).end();

	expect((await getCustomers(here)).json()).toEqual([]);
});

describe('a hostile response', () => {
	it.each(OTHER_TYPES)('of another type does no more than an error to read: %s', async (body) => {
		here.respond = text(body);
		for (const run of [
			await getCustomers(here),
			await getCustomers(here, { output: 'simplified' }),
			await cancelBooking(here),
			await getSubscription(here),
		])
			expect(shown(run)).not.toMatch(/TypeError|Cannot read|is not a function|not iterable/);
		expect(({} as Record<string, unknown>).polluted).toBeUndefined();
	});
});

const contacts = everyOperation.filter(({ parameters }) => parameters.resource === 'contact');

describe.each(contacts)('$id, whose success body the API documentation does not show,', (own) => {
	const run = async () => await here.engine.execute({ node: own.node, parameters: own.parameters });

	it.each([
		['plain text', 'text/plain', 'OK'],
		['a JSON text', 'application/json', '"OK"'],
		['text that claims to be JSON', 'application/json', 'OK'],
		['a long number in a text', 'text/plain', 'OK', ', sent as 12345678901234567890'],
	])('succeeds with %s in the output, as it came', async (_kind, type, body, more = '') => {
		here.respond = typed(type, body + more);
		const outcome = await run();

		expect(outcome.error).toBeUndefined();
		expect(outcome.json()).toEqual([{ success: true, response: `OK${more}` }]);
	});

	it.each([
		['by its text', 'text/plain', '<!doctype html><title>Sign in</title>'],
		['by its type', 'text/html', 'Sign in'],
	])('does not take a web page for a success: %s', async (_kind, type, body) => {
		here.respond = typed(type, body);

		expect(shown(await run())).toMatch(/something other than data \(200\)/);
	});
});

it('An operation whose success body the API documentation shows does not take a text for one', async () => {
	here.respond = typed('text/plain', 'OK');

	expect(shown(await cancelBooking(here))).toMatch(/something other than data \(200\)/);
});
