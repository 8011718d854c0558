import { DateTime } from 'luxon';
import { takePicture } from '../support/browser';
import { keepPicture } from '../support/pictures';
import { useGallery } from '../e2e/workflows/support';
import { describeInEditor, useEditor } from './support/editor';

/** A phone, in pixels. */
const PHONE = { width: 390, height: 844 };

describeInEditor('the arrivals of the day on a phone', () => {
	const here = useEditor();
	const gallery = useGallery();

	test('fit its width, and a phone number can be tapped', async () => {
		const at = (hour: number, minute: number) => {
			const start = DateTime.now().set({ hour, minute, second: 0, millisecond: 0 });
			return { start: start.toUTC().toISO(), end: start.plus({ hours: 2 }).toUTC().toISO() };
		};
		await gallery.book({ ...at(18, 0), guests: 2 });
		await gallery.book({ ...at(18, 30), guests: 6, message: 'One of us is allergic to nuts.' });
		await gallery.book({ ...at(19, 0), guests: 4, guestsChildren: 2, message: 'Two high chairs, please.' });
		const { run } = await gallery.load('arrivals-every-morning');
		await run();
		const [mail] = await gallery.mails(/^Arrivals /);
		const page = await here.editor.page.context().newPage();
		await page.setViewportSize(PHONE);
		await page.setContent(`<meta name="viewport" content="width=device-width">${mail?.html ?? ''}`);
		const width = await page.evaluate('document.documentElement.scrollWidth');
		const phones = await page.locator('a[href^="tel:+"]').count();
		keepPicture(
			await takePicture('arrivals phone', page),
			'docs/workflows/images/arrivals-every-morning-result.png',
			{ workflow: 'arrivals-every-morning' },
		);
		await page.close();

		expect(width).toBe(PHONE.width);
		expect(phones).toBeGreaterThanOrEqual(3);
	});
});
