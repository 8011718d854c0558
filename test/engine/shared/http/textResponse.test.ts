import type { INodeParameters } from 'n8n-workflow';

import type { Run } from '../../support/engine';
import { useService } from '../../support/service';

const here = useService();

const sendGuestMessage: INodeParameters = {
	resource: 'contact',
	operation: 'sendGuestMessage',
	sections: {},
};
const connectToCustomer: INodeParameters = {
	resource: 'contact',
	operation: 'connectToCustomer',
	bodyMode: 'json',
	jsonBody: '{ "contactId": 2071, "customerId": 1042 }',
};
const cancelBooking: INodeParameters = {
	resource: 'webBooking',
	operation: 'cancel',
	webBookingId: '3f2504e0-4f89-41d3-9a0c-0305e82c3301',
};

async function runUnder(fault: object, parameters: INodeParameters): Promise<Run> {
	await here.service.control('POST', '/faults', {
		path: '/api/',
		fault: { kind: 'status', status: 200, ...fault },
	});
	return await here.engine.execute({ node: 'hospitalityBooking', parameters });
}

describe.each([
	['Send guest message', sendGuestMessage],
	['Connect contact to customer', connectToCustomer],
])('%s, whose success body the documents do not show,', (_, parameters) => {
	it.each([
		['plain text', { body: 'OK', contentType: 'text/plain' }],
		['a JSON text', { body: '"OK"', contentType: 'application/json' }],
		['text that claims to be JSON', { body: 'OK', contentType: 'application/json' }],
	])('succeeds with %s in the output', async (_kind, fault) => {
		const run = await runUnder(fault, parameters);

		expect(run.error).toBeUndefined();
		expect(run.json()).toEqual([{ success: true, response: 'OK' }]);
	});

	it.each([
		['by its text', { body: '<!doctype html><title>Sign in</title>', contentType: 'text/plain' }],
		['by its type', { body: 'Sign in', contentType: 'text/html' }],
	])('does not take a web page for a success: %s', async (_kind, fault) => {
		const run = await runUnder(fault, parameters);

		expect(run.error?.message).toMatch(/something other than data \(200\)/);
	});
});

it('An operation whose success body the documents show does not take a text for one', async () => {
	const run = await runUnder({ body: 'OK', contentType: 'text/plain' }, cancelBooking);

	expect(run.error?.message).toMatch(/something other than data \(200\)/);
});
