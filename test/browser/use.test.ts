import { keepPicture, textsOf } from '../support/pictures';
import { describeInEditor, openNodes, useEditor } from './support/editor';

const cancel = { resource: 'webBooking', operation: 'cancel' };
const getMany = { resource: 'webBooking', operation: 'getAll' };
const NO_GUID = 'tonight at eight';
const PREVIEW = { form: cancel, output: getMany };
const TABLE = { form: getMany, output: getMany };
const REFUSAL = { form: cancel, refuses: { label: 'Web Booking', value: NO_GUID } };

describeInEditor('a workflow in the editor', () => {
	const here = useEditor();

	beforeAll(async () => {
		const webBookingId = { __rl: true, mode: 'id', value: NO_GUID };
		await openNodes(
			here,
			'Use',
			[
				{ name: 'Start', type: 'manualTrigger' },
				{ name: 'Bookings', parameters: getMany },
				{ name: 'Cancel', parameters: { ...cancel, webBookingId } },
				{ name: 'End', type: 'noOp' },
			],
			{ Start: ['Bookings'], Bookings: ['Cancel'], Cancel: ['End'] },
		);
	});

	test('shows what an operation usually outputs before it has run', async () => {
		const { editor } = here;
		await editor.openNode('Cancel');
		const fields = await editor.inputFields();
		keepPicture(await editor.picture('preview'), 'docs/images/preview.png', PREVIEW);
		await editor.closeNode();

		expect(fields).toEqual(textsOf(PREVIEW));
	});

	test('lists the bookings to choose from, with time, guest and number', async () => {
		const { editor } = here;
		await editor.openNode('Cancel');
		const choices = await editor.choicesOf('webBookingId');
		await editor.picture('from list');
		await editor.page.keyboard.press('Escape');
		await editor.closeNode();

		expect(choices.length).toBeGreaterThan(5);
		for (const choice of choices)
			expect(choice).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d · .+ · \d+ guests? · B\d+ · \w+/);
	});

	test("runs as it is added and shows a table of today's bookings", async () => {
		const { editor } = here;
		await editor.openNode('Bookings');
		await editor.execute();
		const rows = await editor.outputTable();
		keepPicture(await editor.picture('table'), 'docs/images/table.png', TABLE);
		await editor.closeNode();

		expect(rows.length).toBeGreaterThan(2);
	});

	test('explains a bad value where it is, and how to go on', async () => {
		const { editor } = here;
		await editor.openNode('Cancel');
		await editor.execute();
		const { message, description } = await editor.errorBox();
		keepPicture(await editor.picture('error'), 'docs/images/error.png', REFUSAL);
		await editor.closeNode();

		const [said = '', hint = ''] = textsOf(REFUSAL);
		expect(message).toContain(said);
		expect(message).toContain('[item 0]');
		expect(description).toContain(hint);
	});
});
