import isEqual from 'lodash/isEqual';
import { packageNode } from '../../dev/runner.ts';
import { bookingCredential, paymentCredential } from '../../dev/sandbox.ts';
import { HospitalityBooking } from '../../nodes/HospitalityBooking/HospitalityBooking.node';
import {
	articleFields,
	articleMapper,
} from '../../nodes/HospitalityBooking/resources/article/articleFields';
import { HospitalityBookingTrigger } from '../../nodes/HospitalityBookingTrigger/HospitalityBookingTrigger.node';
import { HospitalityPayment } from '../../nodes/HospitalityPayment/HospitalityPayment.node';
import { standardLabels } from '../support/forms';
import { describeInEditor, useEditor } from './support/browser';

const NODES = {
	hospitalityBooking: new HospitalityBooking(),
	hospitalityBookingTrigger: new HospitalityBookingTrigger(),
	hospitalityPayment: new HospitalityPayment(),
} as const;

/** What n8n shows for a resource mapper: how to map, and the fields that have to be given. */
const MAPPER_LABELS = [
	'Mapping Column Mode',
	articleMapper.property.typeOptions?.resourceMapper?.valuesLabel,
	...articleFields
		.filter(({ property }) => property.required)
		.map(({ property }) => property.displayName),
];

const COMES_WITHIN_MS = 10_000;

/** What n8n puts on every form. */
const LABELS_BY_N8N = ['Credential', 'Request Options', 'Poll Times', 'Mode'];

/** One of each kind of form; what n8n shows of all others, test/unit/coverage.test.ts asks n8n's own function. */
const forms = [
	['hospitalityBooking', { resource: 'article', operation: 'batchUpdate' }],
	['hospitalityBooking', { resource: 'webBooking', operation: 'getAll' }],
	['hospitalityBooking', { resource: 'campaign', operation: 'update', bodyMode: 'json' }],
	['hospitalityPayment', { resource: 'customer', operation: 'authenticate' }],
	['hospitalityBookingTrigger', { event: 'bookingStartsSoon' }],
] as const;
const nameOf = (chosen: object) => Object.values(chosen).join(' ');

describeInEditor('the form of', () => {
	const here = useEditor();

	beforeAll(async () => {
		const { client, sandbox } = here.connection;
		const booking = bookingCredential(sandbox);
		const payment = paymentCredential(sandbox);
		const account = await client.putCredential('Forms', 'hospitalityBookingApi', booking);
		const customer = await client.putCredential('Forms', 'hospitalityPaymentApi', payment);
		const nodes = forms.map(([type, chosen], index) => {
			const credential = type === 'hospitalityPayment' ? customer : account;
			const place = { id: nameOf(chosen), name: nameOf(chosen), position: [index * 240, 0] };
			return packageNode(type, chosen, credential, place);
		});
		const { id } = await client.createWorkflow({
			name: 'Forms',
			nodes,
			connections: {},
			settings: {},
		});
		await here.editor.openWorkflow(id);
	});

	test.each(forms)(
		'%s shows the parameters that apply to %j and no other',
		async (type, chosen) => {
			const { editor } = here;
			const wanted = standardLabels(NODES[type].description.properties, chosen).flatMap((label) =>
				label === articleMapper.property.displayName ? MAPPER_LABELS : [label],
			);
			await editor.openNode(nameOf(chosen));
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
