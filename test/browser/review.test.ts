import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import pick from 'lodash/pick';
import { bookingCredential } from '../../dev/sandbox.ts';
import { keepPicture, textsOf, type Subject } from '../support/pictures';
import { manifest, root } from '../support/packageSources';
import { describeInEditor, openNodes, useEditor } from './support/editor';

const FOLDER = 'docs/review';
const GET_MANY = { resource: 'webBooking', operation: 'getAll' };
const CANCEL = { resource: 'webBooking', operation: 'cancel' };
const CREATED = { event: 'bookingCreated' };
const GET_SUBSCRIPTION = { resource: 'subscription', operation: 'get' };
const NO_GUID = 'tonight at eight';
const REFUSAL = { form: CANCEL, refuses: { label: 'Web Booking', value: NO_GUID } };
const page = readFileSync(join(root, FOLDER, 'README.md'), 'utf8');

/** The steps of the video as docs/review/README.md numbers them. */
const STEPS = [...page.matchAll(/^## (\d+)\. .+ \(\d+ s\)$/gm)].map(([, number]) => Number(number));

describeInEditor('the script of the review video (docs/review/README.md)', () => {
	const here = useEditor();

	/** Keeps the picture of a step, which the script shows. */
	async function keep(step: number, shows: Subject): Promise<string> {
		const name = `step-${step}.png`;
		expect(page).toContain(`](${name})`);
		const taken = await here.editor.picture(`review ${name}`);
		keepPicture(taken, `${FOLDER}/${name}`, shows);
		return taken;
	}

	/** Executes a node. @returns the rows of its output */
	async function execute(
		name: string,
		step: number,
		shows: Subject,
		fillIn?: () => Promise<void>,
	): Promise<string[]> {
		const { editor } = here;
		await editor.openNode(name);
		await fillIn?.();
		await editor.execute();
		const rows = await editor.outputTable();
		await keep(step, shows);
		await editor.closeNode();
		return rows;
	}

	beforeAll(async () => {
		const period = { startTime: '={{ $now.minus({ days: 2 }) }}', endTime: '={{ $now.plus({ days: 7 }) }}' };
		const byHand = [
			{ name: 'Get many web bookings', parameters: { ...GET_MANY, ...period } },
			{
				name: 'Cancel web booking',
				parameters: { ...CANCEL, webBookingId: { __rl: true, mode: 'list', value: '' } },
			},
			{
				name: 'Wrong on purpose',
				parameters: { ...CANCEL, webBookingId: { __rl: true, mode: 'id', value: NO_GUID } },
			},
			{
				name: 'Get subscription',
				type: 'hospitalityPayment',
				parameters: { ...GET_SUBSCRIPTION, id: 'plan-basic' },
			},
		];
		const trigger = { name: 'On booking created', type: 'hospitalityBookingTrigger', parameters: CREATED };
		const following = { name: 'One of them', parameters: byHand[1]?.parameters };
		await openNodes(
			here,
			'Review',
			[{ name: 'Start', type: 'manualTrigger' }, ...byHand, trigger, following],
			{ Start: byHand.map(({ name }) => name), 'Get many web bookings': [following.name] },
		);
	});

	test('has steps in their order, each with a picture', () => {
		expect(STEPS).toEqual(STEPS.map((_, index) => index + 1));
		expect(STEPS.length).toBeGreaterThan(6);
		expect([...page.matchAll(/^!\[.+\]\(.+\.png\)$/gm)]).toHaveLength(STEPS.length);
	});

	test('shows the following node what an operation usually outputs before it has run', async () => {
		const { editor } = here;
		await editor.openNode('One of them');
		const fields = await editor.inputFields();
		await editor.closeNode();

		expect(fields).toEqual(textsOf({ form: CANCEL, output: GET_MANY }));
	});

	test('finds bookings of a period', async () => {
		const rows = await execute('Get many web bookings', 4, { form: GET_MANY, output: GET_MANY });

		expect(rows.length).toBeGreaterThan(5);
	});

	test('cancels one that is chosen from the list, which shows time, guest and number', async () => {
		let choices: string[] = [];
		const choose = async () => {
			choices = await here.editor.chooseFirst('webBookingId');
		};

		expect(await execute('Cancel web booking', 5, { form: CANCEL }, choose)).toHaveLength(1);
		expect(choices.length).toBeGreaterThan(5);
		for (const choice of choices)
			expect(choice).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d · .+ · \d+ guests? · B\d+ · \w+/);
	});

	test('says what is wrong, where, and how to go on', async () => {
		const { editor } = here;
		await editor.openNode('Wrong on purpose');
		await editor.execute();
		const { message, description } = await editor.errorBox();
		keepPicture(await keep(6, REFUSAL), 'docs/images/error.png', REFUSAL);
		await editor.closeNode();

		const [said = '', hint = ''] = textsOf(REFUSAL);
		expect(message).toContain(said);
		expect(message).toContain('[item 0]');
		expect(description).toContain(hint);
	});

	test('lets the trigger fetch an event', async () => {
		const shows = { form: CREATED, node: 'hospitalityBookingTrigger' };

		expect(await execute('On booking created', 7, shows)).toHaveLength(1);
	});

	test('reads a subscription', async () => {
		const shows = { form: GET_SUBSCRIPTION, node: 'hospitalityPayment' };

		expect(await execute('Get subscription', 8, shows)).toHaveLength(1);
	});

	test('finds the nodes in the panel, with all they can do', async () => {
		const { editor } = here;
		await editor.search('hotel');
		const actions = await editor.actionsOf('Hospitality Booking');
		await keep(3, { actions: true });
		await editor.closePanel();

		expect(actions).toEqual(
			expect.arrayContaining(['Get many web bookings', 'Cancel web booking', 'Update articles in batches']),
		);
		expect(actions).toHaveLength(new Set(actions).size);
	});

	test('connects with a credential that is tested as it is saved', async () => {
		const { editor } = here;
		await editor.openNewCredential('Hospitality Booking API');
		const account = bookingCredential(here.connection.sandbox);
		await editor.fillCredential(pick(account, ['baseUrl', 'authUrl', 'clientId', 'clientSecret', 'system']));
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
