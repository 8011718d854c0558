import isEqual from 'lodash/isEqual';
import type { WorkflowNode } from '../../harness/n8nClient.ts';
import { HospitalityBooking } from '../../nodes/HospitalityBooking/HospitalityBooking.node';
import { bookingService } from '../../nodes/HospitalityBooking/resources';
import { articleFields, articleMapper } from '../../nodes/HospitalityBooking/resources/article/articleFields';
import { HospitalityBookingTrigger } from '../../nodes/HospitalityBookingTrigger/HospitalityBookingTrigger.node';
import { EVENTS } from '../../nodes/HospitalityBookingTrigger/events';
import { HospitalityPayment } from '../../nodes/HospitalityPayment/HospitalityPayment.node';
import { paymentService } from '../../nodes/HospitalityPayment/resources';
import { formOf, standardLabels, type Place } from '../support/forms';
import { describeInEditor, storeCredentials, useEditor } from './support/editor';

const PACKAGE = 'n8n-nodes-hospitality-booking';
const NODES = {
	hospitalityBooking: { type: new HospitalityBooking(), credential: 'hospitalityBookingApi' },
	hospitalityBookingTrigger: { type: new HospitalityBookingTrigger(), credential: 'hospitalityBookingApi' },
	hospitalityPayment: { type: new HospitalityPayment(), credential: 'hospitalityPaymentApi' },
} as const;

/** What n8n shows for a resource mapper: how to map, and the fields that have to be given. */
const MAPPER_LABELS = [
	'Mapping Column Mode',
	articleMapper.property.typeOptions?.resourceMapper?.valuesLabel,
	...articleFields.filter(({ property }) => property.required).map(({ property }) => property.displayName),
];

const COMES_WITHIN_MS = 10_000;

/** What n8n puts on every form. */
const LABELS_BY_N8N = ['Credential', 'Request Options', 'Poll Times', 'Mode'];

interface Form {
	/** The node's name on the canvas and the picture's. */
	name: string;
	node: keyof typeof NODES;
	/** What is chosen on it. */
	place: Place;
}

/** Each operation's form, with each kind of body, each event's, and what else the forms depend on. */
const forms: Form[] = [
	...(
		[
			['hospitalityBooking', bookingService],
			['hospitalityPayment', paymentService],
		] as const
	).flatMap(([node, { resources }]) =>
		resources.flatMap(({ value: resource, operations }) =>
			operations.flatMap(({ value: operation, body }) => {
				const place = { resource, operation };
				const name = `${resource} ${operation}`;
				return [
					{ name, node, place },
					...(body ? [{ name: `${name} JSON`, node, place: { ...place, bodyMode: 'json' } }] : []),
				];
			}),
		),
	),
	...EVENTS.map(({ value: event }) => ({
		name: `trigger ${event}`,
		node: 'hospitalityBookingTrigger' as const,
		place: { event },
	})),
	{
		name: 'webBooking getAll by last change',
		node: 'hospitalityBooking',
		place: { resource: 'webBooking', operation: 'getAll', getBy: 'lastChange', returnAll: true },
	},
	{
		name: 'webBooking getAll Selected Fields',
		node: 'hospitalityBooking',
		place: { resource: 'webBooking', operation: 'getAll', output: 'selected' },
	},
];

describeInEditor('the form of', () => {
	const here = useEditor();

	beforeAll(async () => {
		const { client } = here.connection;
		const credentials = await storeCredentials(here.connection);
		const nodes: WorkflowNode[] = forms.map(({ name, node, place }, index) => ({
			id: `form${index}`,
			name,
			type: `${PACKAGE}.${node}`,
			typeVersion: 1,
			position: [(index % 8) * 220, Math.floor(index / 8) * 180],
			parameters: { ...place },
			credentials: credentials[NODES[node].credential],
		}));
		const workflow = await client.putWorkflow({ name: 'Forms', nodes, connections: {}, settings: {} });
		await here.editor.openWorkflow(workflow.id);
	});

	test.each(forms)('$name shows the parameters that apply and no other', async ({ name, node, place }) => {
		const { editor } = here;
		const { properties } = NODES[node].type.description;
		const wanted = standardLabels(properties, place).flatMap((label) =>
			label === articleMapper.property.displayName ? MAPPER_LABELS : [label],
		);
		await editor.openNode(name);
		let own: string[] = [];
		// The fields of a mapper come from the node.
		for (const end = Date.now() + COMES_WITHIN_MS; Date.now() < end && !isEqual(own, wanted);) {
			own = (await editor.labels()).filter((label) => !LABELS_BY_N8N.includes(label));
		}
		await editor.picture(`form ${name}`);
		const options = formOf(properties, place).find((property) => property.name === 'options');
		const offered = options ? await editor.offered('Options') : [];
		await editor.closeNode();

		expect(own).toEqual(wanted);
		expect(offered.sort()).toEqual(
			(options?.options ?? []).map((option) => ('displayName' in option ? option.displayName : '')).sort(),
		);
	});
});
