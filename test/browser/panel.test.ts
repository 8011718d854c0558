import { keepPicture } from '../support/pictures';
import { describeInEditor, openNodes, useEditor } from './support/editor';

const NODES = ['Hospitality Booking', 'Hospitality Payment'];

describeInEditor('the nodes panel', () => {
	const here = useEditor();

	beforeAll(() => openNodes(here, 'Panel', [{ name: 'Start', type: 'manualTrigger' }]));

	test.each([
		['booking', NODES],
		['reservation', NODES],
		['restaurant', NODES],
		['hotel', NODES],
		['subscription', ['Hospitality Payment']],
		['survey', ['Hospitality Booking']],
	])('finds by "%s"', async (word, names) => {
		const { editor } = here;
		const found = await editor.search(word);
		await editor.picture(`panel ${word}`);
		await editor.closePanel();

		expect(found).toEqual(expect.arrayContaining(names));
	});

	test('lists the operations of a node under what it works on, to be chosen at once', async () => {
		const { editor } = here;
		await editor.search('hotel');
		const actions = await editor.actionsOf('Hospitality Booking');
		keepPicture(await editor.picture('panel actions'), 'docs/images/actions.png', { actions: true });
		await editor.closePanel();

		expect(actions).toEqual(
			expect.arrayContaining(['Get many web bookings', 'Cancel web booking', 'Update articles in batches']),
		);
		expect(actions).toHaveLength(new Set(actions).size);
	});
});
