import type { INodeParameters, INodeType } from 'n8n-workflow';
import { makeNode, registeredPath, manifest } from '../../../support/packageSources';
import type { ExecuteOptions } from '../../support/engine';
import { answerTo } from '../../support/everyOperation';
import { sendJson } from '../../support/server';
import { useStandIn } from '../../support/standIn';

const GUID = '3f2504e0-4f89-41d3-9a0c-0305e82c3301';
const BESIDE = 'test.beside';
const here = useStandIn();

const checkIn = { resource: 'checkoutBooking', operation: 'checkIn', bookingRootId: '={{ $json.id }}' };
const articles = {
	resource: 'article',
	operation: 'batchUpdate',
	companyId: GUID,
	brandId: GUID,
	onRejectedBatch: 'setAside',
	article: { mappingMode: 'autoMapInputData', value: null },
};
const FAILURES: Array<[what: string, options: Partial<ExecuteOptions>]> = [
	['a refused call', { parameters: checkIn }],
	[
		'an expression that fails',
		{ parameters: { ...checkIn, bookingRootId: "={{ $('Nowhere').item.json.id }}" } },
	],
	['a credential that is gone', { parameters: checkIn, credentials: { hospitalityBookingApi: 'gone' } }],
	['a setting that cannot be used', { parameters: { ...checkIn, options: { timeout: 'soon' } } }],
	['articles set aside', { parameters: articles as unknown as INodeParameters }],
];

beforeAll(() => {
	here.respond = (response, { url, body }) => {
		if (url.includes('batch-update')) {
			const { items } = JSON.parse(body) as { items: Array<{ articleId: string }> };
			const bad = items.findIndex(({ articleId }) => articleId !== GUID);
			if (bad < 0) return sendJson(response, answerTo(url, body));
			const validationErrors = [{ field: `items[${bad}].articleId`, errorId: 'NotFound' }];
			return sendJson(response, { message: 'Not valid', validationErrors }, 400);
		}
		sendJson(
			response,
			url.endsWith('/13') ? { title: 'No such booking' } : {},
			url.endsWith('/13') ? 404 : 200,
		);
	};
	let beside: INodeType | undefined;
	// A registry of its own loads n8n-workflow once more, as npm does that puts another one beside the package.
	jest.isolateModules(() => (beside = makeNode(registeredPath(manifest.n8n.nodes, 'hospitalityBooking'))));
	if (beside) here.engine.nodeTypes.add(BESIDE, beside);
});

describe.each(['stopWorkflow', 'continueErrorOutput', 'continueRegularOutput'] as const)(
	'with %s',
	(onError) => {
		test.each(FAILURES)(
			'%s comes out the same with another copy of n8n-workflow beside',
			async (_, options) => {
				const [own, other] = await Promise.all(
					['hospitalityBooking', BESIDE].map(async (node) => {
						const items = [7, 13, 8].map((id) => ({
							id,
							articleId: id === 13 ? GUID.replace('3f', '4f') : GUID,
							name: 'x',
						}));
						const { hospitalityBookingApi = 'hospitalityBookingApi' } = options.credentials ?? {};
						const run = await here.engine.execute({
							...options,
							node,
							items,
							onError,
							credentials: { hospitalityBookingApi },
						});
						const { name, message, description } = run.error ?? {};
						const error = { name, message, description };
						if (run.error) return { error };
						return { error, out: run.json(0), failed: run.json(1), links: run.itemsOf(1) };
					}),
				);

				expect(other).toEqual(own);
				if (onError === 'continueErrorOutput') expect(own?.failed?.length).toBeGreaterThan(0);
				if (onError === 'stopWorkflow') expect(own?.error.message).toBeDefined();
			},
		);
	},
);
