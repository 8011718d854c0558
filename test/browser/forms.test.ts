import isEqual from 'lodash/isEqual';
import { HospitalityBooking } from '../../nodes/HospitalityBooking/HospitalityBooking.node';
import { articleFields, articleMapper } from '../../nodes/HospitalityBooking/resources/article/articleFields';
import { HospitalityBookingTrigger } from '../../nodes/HospitalityBookingTrigger/HospitalityBookingTrigger.node';
import { HospitalityPayment } from '../../nodes/HospitalityPayment/HospitalityPayment.node';
import { standardLabels, type Place } from '../support/forms';
import { describeInEditor, openNodes, useEditor } from './support/editor';

const NODES = {
	hospitalityBooking: new HospitalityBooking(),
	hospitalityBookingTrigger: new HospitalityBookingTrigger(),
	hospitalityPayment: new HospitalityPayment(),
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
	type: keyof typeof NODES;
	/** What is chosen on it. */
	parameters: Place;
}

/** One of each kind of form; what n8n shows of all others, test/unit/coverage.test.ts asks n8n's own function. */
const forms: Form[] = (
	[
		{ type: 'hospitalityBooking', parameters: { resource: 'article', operation: 'batchUpdate' } },
		{ type: 'hospitalityBooking', parameters: { resource: 'webBooking', operation: 'getAll' } },
		{
			type: 'hospitalityBooking',
			parameters: { resource: 'campaign', operation: 'update', bodyMode: 'json' },
		},
		{ type: 'hospitalityPayment', parameters: { resource: 'customer', operation: 'authenticate' } },
		{ type: 'hospitalityBookingTrigger', parameters: { event: 'bookingStartsSoon' } },
	] satisfies Array<Omit<Form, 'name'>>
).map((form) => ({ ...form, name: Object.values(form.parameters).join(' ') }));

describeInEditor('the form of', () => {
	const here = useEditor();

	beforeAll(() => openNodes(here, 'Forms', forms));

	test.each(forms)(
		'$name shows the parameters that apply and no other',
		async ({ name, type, parameters }) => {
			const { editor } = here;
			const { properties } = NODES[type].description;
			const wanted = standardLabels(properties, parameters).flatMap((label) =>
				label === articleMapper.property.displayName ? MAPPER_LABELS : [label],
			);
			await editor.openNode(name);
			let own: string[] = [];
			// The fields of a mapper come from the node.
			for (const end = Date.now() + COMES_WITHIN_MS; Date.now() < end && !isEqual(own, wanted);) {
				own = (await editor.labels()).filter((label) => !LABELS_BY_N8N.includes(label));
			}
			await editor.closeNode();

			expect(own).toEqual(wanted);
		},
	);
});
