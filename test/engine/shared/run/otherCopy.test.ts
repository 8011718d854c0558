import type { INodeType } from 'n8n-workflow';
import { makeNode, registeredPath, manifest } from '../../../support/packageSources';
import type { ExecuteOptions } from '../../support/engine';
import { sendJson } from '../../support/server';
import { useStandIn } from '../../support/standIn';

const BESIDE = 'test.beside';
const here = useStandIn();

const checkIn = {
	resource: 'checkoutBooking',
	operation: 'checkIn',
	bookingRootId: '={{ $json.id }}',
};
const FAILURES: Array<[what: string, options: Partial<ExecuteOptions>]> = [
	['a refused call', { parameters: checkIn }],
	[
		'an expression that fails',
		{ parameters: { ...checkIn, bookingRootId: "={{ $('Nowhere').item.json.id }}" } },
	],
	[
		'a credential that is gone',
		{ parameters: checkIn, credentials: { hospitalityBookingApi: 'gone' } },
	],
	['a setting that cannot be used', { parameters: { ...checkIn, options: { timeout: 'soon' } } }],
];

beforeAll(() => {
	here.respond = (response, { url }) => {
		const isKnown = !url.endsWith('/13');
		sendJson(response, isKnown ? {} : { title: 'No such booking' }, isKnown ? 200 : 404);
	};
	let beside: INodeType | undefined;
	// A registry of its own loads n8n-workflow once more, as npm does that puts another one beside the package.
	jest.isolateModules(
		() => (beside = makeNode(registeredPath(manifest.n8n.nodes, 'hospitalityBooking'))),
	);
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
						const items = [7, 13, 8].map((id) => ({ id }));
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
