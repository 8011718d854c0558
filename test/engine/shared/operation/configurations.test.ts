import { mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { type INodeParameters, NodeHelpers } from 'n8n-workflow';
import { manifest } from '../../../support/packageSources';
import { hostFolder } from '../../support/environment';
import { answerTo } from '../../support/everyOperation';
import { sendJson } from '../../support/server';
import { useStandIn } from '../../support/standIn';

const GUID = '3f2504e0-4f89-41d3-9a0c-0305e82c3301';

const LAST_CHANGE = { getBy: 'lastChange', changedFrom: '={{ $now.minus({ days: 1 }) }}' };
const SET_ASIDE = { onRejectedBatch: 'setAside', article: { mappingMode: 'autoMapInputData', value: null } };
const SILENTLY = { messages: { disableAllConfirmationMessages: true } };

/** What a person asks n8n's AI builder for, and the parameters that it writes: no more than what the request needs. */
const ASKED: Array<[prompt: string, operation: string, parameters: object, sent: string]> = [
	["list today's bookings", 'webBooking.getAll', {}, 'GET /api/booking/v1/WebBooking'],
	[
		'bookings changed since yesterday, all of them, with the guests',
		'webBooking.getAll',
		{ ...LAST_CHANGE, returnAll: true, include: ['includeContact'] },
		'changedFrom=',
	],
	[
		'cancel the booking of each row without telling the guest',
		'webBooking.cancel',
		{ webBookingId: { __rl: true, mode: 'id', value: '={{ $json.guid }}' }, ...SILENTLY },
		`/${GUID}/Cancel`,
	],
	[
		'check in the booking with the number in the item',
		'checkoutBooking.checkIn',
		{ bookingRootId: '={{ $json.rootId }}' },
		'/CheckIn/7',
	],
	[
		'check out a booking and go on when the service has validation errors',
		'checkoutBooking.checkOut',
		{ bookingRootId: '={{ $json.rootId }}', options: { validationErrors: 'return' } },
		'"bookingRootId":7',
	],
	[
		'all customers, only name and email',
		'customer.getAll',
		{ returnAll: true, output: 'selected', outputFields: ['name', 'email'] },
		'/customers',
	],
	[
		'write the price list into the articles, leave out those that are refused',
		'article.batchUpdate',
		{ companyId: GUID, brandId: GUID, ...SET_ASIDE },
		'"inclVat":120.5',
	],
	[
		'rename a department',
		'department.update',
		{ departmentId: '7', bodyMode: 'json', jsonBody: '={{ { name: "Terrace" } }}' },
		'"name":"Terrace"',
	],
	['who has answered the survey', 'surveyRecipient.getAll', { limit: 10, output: 'raw' }, '/Recipients'],
	[
		'at most 3 calls at a time, on another system',
		'customer.getAll',
		{ options: { concurrencyLimit: 3, system: 'other', timeout: 10000 } },
		'/customers',
	],
];

const parametersOf = (id: string, parameters: object): INodeParameters => {
	const [resource = '', operation = ''] = id.split('.');
	return { resource, operation, ...parameters };
};

/** What n8n's AI builder and its MCP server check a node with: schemas made of the node's description. */
const ofN8n = createRequire(require.resolve('n8n-core'));
const { generateNodeDefinitions } = ofN8n('@n8n/workflow-sdk/dist/generate-types/generate-node-defs-cli') as {
	generateNodeDefinitions(from: {
		nodesJsonPath: string;
		outputDir: string;
		packageName: string;
	}): Promise<void>;
};
const { setSchemaBaseDirs, validateNodeConfig } = ofN8n('@n8n/workflow-sdk') as {
	setSchemaBaseDirs(folders: string[]): void;
	validateNodeConfig(
		type: string,
		version: number,
		config: { parameters: object },
	): { valid: boolean; errors: Array<{ path: string; message: string }> };
};

const NODE = `${manifest.name}.hospitalityBooking`;
const here = useStandIn();

beforeAll(async () => {
	const { description } = here.engine.nodeTypes.getByNameAndVersion(NODE);
	const folder = join(hostFolder, 'definitions');
	const nodesJsonPath = join(folder, 'nodes.json');
	mkdirSync(folder, { recursive: true });
	writeFileSync(nodesJsonPath, JSON.stringify([{ ...description, name: 'hospitalityBooking' }]));
	jest.spyOn(console, 'log').mockReturnValue();
	await generateNodeDefinitions({ nodesJsonPath, outputDir: folder, packageName: manifest.name });
	setSchemaBaseDirs([folder]);
});

test.each([
	['an operation that there is not', 'webBooking.delete', {}, 'operation'],
	['an option of another type', 'customer.getAll', { options: { timeout: 'long' } }, 'options.timeout'],
])("n8n's validator refuses %s", (_, id, parameters, place) => {
	const { valid, errors } = validateNodeConfig(NODE, 1, { parameters: parametersOf(id, parameters) });
	expect(valid).toBe(false);
	expect(errors.map(({ path, message }) => path + message).join()).toContain(place);
});

test.each(ASKED)('%s', async (_, id, given, sent) => {
	const parameters = parametersOf(id, given);
	here.respond = (response, { url, body }) => sendJson(response, answerTo(url, body));
	expect(validateNodeConfig(NODE, 1, { parameters })).toEqual({ valid: true, errors: [] });
	const { description } = here.engine.nodeTypes.getByNameAndVersion(NODE);
	const node = {
		...{ id: '1', name: 'Node', type: NODE, typeVersion: 1, position: [0, 0] as [number, number] },
		parameters,
	};
	const { properties } = description;
	const complete = NodeHelpers.getNodeParameters(properties, node.parameters, true, false, node, description);
	const filledIn = { ...node, parameters: complete ?? {} };

	expect(NodeHelpers.getNodeParametersIssues(properties, filledIn, description)).toBeNull();
	const { error } = await here.engine.execute({
		node: 'hospitalityBooking',
		parameters,
		items: [{ guid: GUID, rootId: 7, articleId: GUID, pricesRegularInclVat: 120.5 }],
	});
	expect(error?.message).toBeUndefined();
	const { method, url, body } = here.server.received.at(-1) ?? {};
	expect(`${method} ${url} ${body}`).toContain(sent);
});
