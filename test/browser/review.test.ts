import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { bookingCredential } from '../../harness/sandbox.ts';
import type { JsonObject, WorkflowNode } from '../../harness/n8nClient.ts';
import { plainNode } from '../../harness/runner.ts';
import { keepPicture, type Subject } from '../support/pictures';
import { manifest, root } from '../support/packageSources';
import { describeInEditor, storeCredentials, useEditor } from './support/editor';

const FOLDER = 'docs/review';
const GET_MANY = { resource: 'webBooking', operation: 'getAll' };
const CANCEL = { resource: 'webBooking', operation: 'cancel' };
const NO_GUID = 'tonight at eight';
const page = readFileSync(join(root, FOLDER, 'README.md'), 'utf8');

/** The steps of the video as docs/review/README.md numbers them. */
const STEPS = [...page.matchAll(/^## (\d+)\. .+ \(\d+ s\)$/gm)].map(([, number]) => Number(number));

describeInEditor('the script of the review video (docs/review/README.md)', () => {
	const here = useEditor();

	/** Keeps the picture of a step, which the script shows. */
	async function keep(step: number, shows: Subject): Promise<void> {
		const name = `step-${step}.png`;
		expect(page).toContain(`](${name})`);
		keepPicture(await here.editor.picture(`review ${name}`), `${FOLDER}/${name}`, shows);
	}

	beforeAll(async () => {
		const { client } = here.connection;
		const credentials = await storeCredentials(here.connection);
		const bookingNode = (name: string, parameters: JsonObject, type = 'hospitalityBooking') => ({
			name,
			type: `${manifest.name}.${type}`,
			parameters,
			credentials: credentials.hospitalityBookingApi,
		});
		const nodes: Array<Pick<WorkflowNode, 'name' | 'type' | 'parameters' | 'credentials'>> = [
			plainNode('Start', 'manualTrigger'),
			bookingNode('Get many web bookings', {
				resource: 'webBooking',
				operation: 'getAll',
				startTime: '={{ $now.minus({ days: 2 }) }}',
				endTime: '={{ $now.plus({ days: 7 }) }}',
			}),
			bookingNode('Cancel web booking', {
				resource: 'webBooking',
				operation: 'cancel',
				webBookingId: { __rl: true, mode: 'list', value: '' },
			}),
			bookingNode('Wrong on purpose', {
				resource: 'webBooking',
				operation: 'cancel',
				webBookingId: { __rl: true, mode: 'id', value: NO_GUID },
			}),
			bookingNode('On booking created', { event: 'bookingCreated' }, 'hospitalityBookingTrigger'),
			{
				name: 'Get subscription',
				type: `${manifest.name}.hospitalityPayment`,
				parameters: { resource: 'subscription', operation: 'get', id: 'plan-basic' },
				credentials: credentials.hospitalityPaymentApi,
			},
		];
		const workflow = await client.putWorkflow({
			name: 'Review',
			nodes: nodes.map((node, index) => ({
				...node,
				id: `review${index}`,
				typeVersion: 1,
				position: [(index % 4) * 260, Math.floor(index / 4) * 260],
			})),
			connections: {
				Start: {
					main: [
						nodes
							.filter(({ type }) => !/trigger$/i.test(type))
							.map(({ name }) => ({ node: name, type: 'main', index: 0 })),
					],
				},
			},
			settings: {},
		});
		await here.editor.openWorkflow(workflow.id);
	});

	test('has steps in their order, each with a picture', () => {
		expect(STEPS).toEqual(STEPS.map((_, index) => index + 1));
		expect(STEPS.length).toBeGreaterThan(6);
		expect([...page.matchAll(/^!\[.+\]\(.+\.png\)$/gm)]).toHaveLength(STEPS.length);
	});

	test('finds bookings of a period', async () => {
		const { editor } = here;
		await editor.openNode('Get many web bookings');
		await editor.execute();
		const rows = await editor.outputTable();
		await keep(4, { form: GET_MANY, output: GET_MANY });
		await editor.closeNode();

		expect(rows.length).toBeGreaterThan(5);
	});

	test('cancels one that is chosen from the list', async () => {
		const { editor } = here;
		await editor.openNode('Cancel web booking');
		await editor.chooseFirst('webBookingId');
		await editor.execute();
		const rows = await editor.outputTable();
		await keep(5, { form: CANCEL });
		await editor.closeNode();

		expect(rows).toHaveLength(1);
	});

	test('says what is wrong, where, and how to go on', async () => {
		const { editor } = here;
		await editor.openNode('Wrong on purpose');
		await editor.execute();
		const { message } = await editor.errorBox();
		await keep(6, { form: CANCEL, refuses: { label: 'Web Booking', value: NO_GUID } });
		await editor.closeNode();

		expect(message).toContain("'Web Booking' must be a GUID, not 'tonight at eight'");
	});

	test('lets the trigger fetch an event', async () => {
		const { editor } = here;
		await editor.openNode('On booking created');
		await editor.execute();
		const rows = await editor.outputTable();
		await keep(7, { form: { event: 'bookingCreated' }, node: 'hospitalityBookingTrigger' });
		await editor.closeNode();

		expect(rows).toHaveLength(1);
	});

	test('reads a subscription', async () => {
		const { editor } = here;
		await editor.openNode('Get subscription');
		await editor.execute();
		const rows = await editor.outputTable();
		await keep(8, { form: { resource: 'subscription', operation: 'get' }, node: 'hospitalityPayment' });
		await editor.closeNode();

		expect(rows).toHaveLength(1);
	});

	test('finds the nodes in the panel, with all they can do', async () => {
		const { editor } = here;
		await editor.search('hotel');
		const actions = await editor.actionsOf('Hospitality Booking');
		await keep(3, { actions: true });
		await editor.closePanel();

		expect(actions).toContain('Get many web bookings');
	});

	test('connects with a credential that is tested as it is saved', async () => {
		const { editor, connection } = here;
		await editor.openNewCredential('Hospitality Booking API');
		const values = bookingCredential(connection.sandbox);
		for (const name of ['baseUrl', 'authUrl', 'clientId', 'clientSecret', 'system'])
			await editor.fillCredential(name, values[name] ?? '');
		await editor.saveCredential(/Connection tested successfully/);
		await keep(2, { credential: 'hospitalityBookingApi' });
	});

	test('begins with the installation from npm', async () => {
		const { editor } = here;
		await editor.openInstallation(manifest.name);
		await keep(1, { package: manifest.name });

		expect(await editor.page.locator('[role="dialog"]:visible').last().innerText()).toMatch(/npm/i);
	});
});
