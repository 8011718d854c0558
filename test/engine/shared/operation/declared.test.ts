import { type INodeType, NodeHelpers } from 'n8n-workflow';
import { answerTo, everyOperation } from '../../support/everyOperation';
import { sendJson } from '../../support/server';
import { useStandIn } from '../../support/standIn';

const here = useStandIn();

beforeAll(() => {
	here.respond = (response, { url, body }) => sendJson(response, answerTo(url, body || '{}'));
	for (const name of ['hospitalityBooking', 'hospitalityPayment']) {
		// Without `execute`, n8n's engine for declarative nodes makes the call that the description states.
		const { description, methods } = NodeHelpers.getVersionedNodeType(
			here.engine.nodeTypes.getByName(`n8n-nodes-hospitality-booking.${name}`),
		);
		const declared: INodeType = { description: { ...description, name: `test.${name}` }, methods };
		here.engine.nodeTypes.add(`test.${name}`, declared);
	}
});

test.each(everyOperation)(
	'$id sends the call that its description declares',
	async ({ node, credential, operation, parameters }) => {
		const calls = [];
		for (const type of [node, `test.${node}`]) {
			const { error } = await here.engine.execute({
				node: type,
				parameters,
				credentials: { [credential]: credential },
			});
			expect([type, error?.message]).toEqual([type, undefined]);
			const { method, url, headers } = here.server.received.at(-1) ?? {};
			calls.push([method, url?.split('?')[0], headers?.accept]);
		}
		expect(calls[0]?.[0]).toBe(operation.method);
		expect(calls[1]).toEqual(calls[0]);
	},
);
