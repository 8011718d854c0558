import type { INodeParameters } from 'n8n-workflow';
import { bodySchema, operations } from '../../sandbox/support/contract';
import type { Run } from '../support/engine';
import { type ReceivedRequest } from '../support/service';
import { type WireCase, type WireOperation, wireOperations } from './operations';
import { addTool, TOOL } from './tool';
import { useSandbox } from './setUp';

const setting = useSandbox();

const named = wireOperations.map((entry) => ({ ...entry, id: `${entry.resource}.${entry.operation}` }));

async function run(
	{ resource, operation }: WireOperation,
	parameters: INodeParameters,
	node = 'hospitalityBooking',
): Promise<Run> {
	return await setting.engine.execute({
		node,
		parameters: { resource, operation, ...parameters },
	});
}

/** Exactly one request, of exactly this form. */
async function expectOnly(operation: WireOperation, { query = {}, body }: WireCase): Promise<void> {
	const requests = await setting.service.requests();
	expect(requests).toHaveLength(1);
	const [request] = requests as [ReceivedRequest];
	expect({
		method: request.method,
		path: request.path,
		query: request.query,
		body: request.body,
		status: Math.floor(request.status / 100),
	}).toEqual({
		method: operation.method,
		path: operation.path(setting.records),
		query,
		body,
		status: 2,
	});
	const { system, authorization, accept, 'content-type': contentType } = request.headers;
	expect(system).toBe(operation.takesSystem === false ? undefined : setting.service.info.system);
	expect(authorization).toMatch(/^Bearer \S+/);
	expect(accept).toBe('application/json');
	expect(contentType).toBe(body === undefined ? undefined : 'application/json');
}

test('covers every operation of the booking and article services', () => {
	const documented = operations.filter(({ service: name }) => name !== 'auth' && name !== 'pay');

	expect(named.map(({ id }) => id).sort()).toEqual(documented.map(({ id }) => id).sort());
});

test.each(named)('$id sends the smallest input and nothing else', async (operation) => {
	const smallest = operation.smallest(setting.records);
	const { error } = await run(operation, smallest.parameters);

	expect(error).toBeUndefined();
	await expectOnly(operation, smallest);
});

test.each(named)('$id sends the fullest input from fields, every value in its place', async (operation) => {
	const fullest = operation.fullest(setting.records);
	const { error } = await run(operation, fullest.parameters);

	expect(error).toBeUndefined();
	await expectOnly(operation, fullest);
});

test.each(named)('$id sends the same as a tool of an AI agent', async (operation) => {
	addTool(setting.engine);
	const fullest = operation.fullest(setting.records);
	const { error } = await run(operation, fullest.parameters, TOOL);

	expect(error).toBeUndefined();
	await expectOnly(operation, fullest);
});

const withBody = named.filter(({ id }) => {
	const found = operations.find((candidate) => candidate.id === id);
	return found && bodySchema(found) !== undefined;
});

/** The parameters beside the body, and the body as one JSON text. */
function asJson({ parameters, body }: WireCase): INodeParameters {
	return { ...parameters, bodyMode: 'json', jsonBody: JSON.stringify(body) };
}

test.each(
	withBody.flatMap((operation) => [
		{ ...operation, which: 'smallest' as const },
		{ ...operation, which: 'fullest' as const },
	]),
)('$id sends the $which body from JSON as it is', async ({ which, ...operation }) => {
	const wire = operation[which](setting.records);
	const { error } = await run(operation, asJson(wire));

	expect(error).toBeUndefined();
	await expectOnly(operation, wire);
});
