import { takePicture } from './support/browser';
import { keepPicture } from '../support/pictures';
import { useGallery, visitIn } from '../e2e/workflows/support';
import { describeInEditor, useEditor } from './support/editor';

/** A phone, in pixels. */
const PHONE = { width: 390, height: 844 };

describeInEditor('the arrivals of the day on a phone', () => {
	const here = useEditor();
	const gallery = useGallery();

	test('fit its width, and a phone number can be tapped', async () => {
		await gallery.book({ ...visitIn(0, 18), guests: 2 });
		await gallery.book({ ...visitIn(0, 18, 30), guests: 6, message: 'One of us is allergic to nuts.' });
		await gallery.book({
			...visitIn(0, 19),
			guests: 4,
			guestsChildren: 2,
			message: 'Two high chairs, please.',
		});
		const [mail] = await gallery.mailsOf(/^Arrivals /, () => gallery.run('arrivals-every-morning'));
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
