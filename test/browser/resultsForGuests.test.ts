import { DateTime } from 'luxon';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { startServer } from '../engine/support/server';
import { formUrl } from '../e2e/workflows/form';
import { enteredBy } from '../e2e/workflows/oneTap';
import { order, type Review, StaffChat } from '../e2e/workflows/staffChat';
import { eventually, FORM_LOGIN, TIME_ZONE, useGallery } from '../e2e/workflows/support';
import { launchBrowser, takePicture } from '../support/browser';
import { keepPicture, TAKES_PICTURES } from '../support/pictures';
import { describeInEditor } from './support/editor';

const PHONE = { width: 390, height: 560 };
const BOOKINGS = 'Hospitality Bookings';
const NEWSLETTER = 'Hospitality Newsletter';
const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
const framed = (title: string, text: string) =>
	`<div style="font:15px/1.5 -apple-system,Segoe UI,Roboto,sans-serif;padding:16px"><b>${escaped(title)}</b><pre style="white-space:pre-wrap;font:inherit">${escaped(text)}</pre></div>`;

/** Only for the documents: what comes of the files is tested in test/e2e/workflows. */
(TAKES_PICTURES ? describeInEditor : describe.skip)('what guests, staff and the owner see of', () => {
	const gallery = useGallery(BOOKINGS, NEWSLETTER);
	let browser: Awaited<ReturnType<typeof launchBrowser>>;

	beforeAll(async () => {
		browser = await launchBrowser();
		await gallery.control('POST', '/reset');
	});
	afterAll(async () => await browser?.close());

	/** Takes a picture of a page, or of HTML. */
	async function keep(workflow: string, show: string | ((page: Page) => Promise<unknown>), options = {}) {
		const settings: BrowserContextOptions = { viewport: { width: 620, height: 300 }, ...options };
		const page = await browser.newPage(settings);
		await (typeof show === 'string' ? page.setContent(show) : show(page));
		const ending = settings.colorScheme === 'dark' ? '-dark' : '';
		const what = settings.viewport === PHONE ? page : page.locator('body');
		const taken = await takePicture(`result ${workflow}${ending}`, what);
		keepPicture(taken, `docs/workflows/images/${workflow}-result${ending}.png`, { workflow });
		await page.close();
	}
	const tomorrow = (hour: number, minute: number) => {
		const start = DateTime.now().setZone(TIME_ZONE).startOf('day').plus({ days: 1 }).set({ hour, minute });
		return { start: start.toUTC().toISO(), end: start.plus({ hours: 2 }).toUTC().toISO(), status: 2 };
	};
	const mailOf = async (subject: RegExp) => (await gallery.mails(subject)).at(-1);

	test('one-tap-answers: the page on a phone', async () => {
		await gallery.publish('one-tap-answers', enteredBy('Harbour House', '+46 8 12 34 56'));
		const start = DateTime.utc().plus({ hours: 20 }).startOf('hour');
		const times = { start: start.toISO(), end: start.plus({ hours: 2 }).toISO() };
		await gallery.book({ ...times, language: 'en', cancelAllowedBeforeUtc: times.start });
		const mail = await mailOf(/^Your table at Harbour House$/);
		const [, link = ''] = /href="([^"]*do=cancel[^"]*)"/.exec(mail?.html ?? '') ?? [];
		for (const colorScheme of ['light', 'dark'] as const)
			await keep('one-tap-answers', (page) => page.goto(link.replaceAll('&amp;', '&')), {
				...{ viewport: PHONE, colorScheme, isMobile: true },
			});
	});

	test('chat-that-waits-for-a-person: the review', async () => {
		const chat = await StaffChat.publish(gallery);
		const { guid, globalBookingNumber, contact } = await gallery.book();
		const booking = `${globalBookingNumber}, ${contact.fname} ${contact.lname}`;
		const asked = order('Cancel_booking', { toolParameters: { guid, booking } });
		const { text, buttons } = (await chat.ask(asked)) as Review;
		await chat.close();
		const labels = buttons.map((button) => `[ ${button.text} ]`).join('   ');
		await keep('chat-that-waits-for-a-person', framed('In the chat', `${text}\n\n${labels}`));
	});

	test('several-restaurants: the morning mail', async () => {
		const { system } = gallery.sandbox;
		const today = (hour: number) => ({
			...{ start: DateTime.now().setZone(TIME_ZONE).startOf('day').set({ hour }).toUTC().toISO() },
			...{
				end: DateTime.now().setZone(TIME_ZONE).startOf('day').plus({ days: 1 }).toUTC().toISO(),
				status: 2,
			},
		});
		for (const [hour, guests] of [
			[18, 4],
			[19, 2],
		] as const)
			await gallery.book({ ...today(hour), guests });
		const value = `${system} = Harbour House\nhill = Hill Top`;
		const assignments = [{ id: 'houses', name: 'houses', value, type: 'string' }];
		const { run } = await gallery.load('several-restaurants', {
			'Enter your houses': { assignments: { assignments } },
		});
		await run();
		await keep('several-restaurants', (await mailOf(/^Today in 2 houses/))?.html ?? '');
	});

	test('deposits: the mail to the guest', async () => {
		const hours = (count: number) => DateTime.utc().plus({ hours: count }).startOf('hour').toISO();
		await gallery.book({
			...{ start: hours(100), end: hours(102), chargeShouldPayAmount: 500, chargePayedAmount: 0 },
			chargePaymentLinkExpirationDate: hours(24),
		});
		await (await gallery.load('deposits')).run();
		const mail = await mailOf(/^Your deposit$/);
		await keep('deposits', framed(mail?.subject ?? '', mail?.text ?? ''));
	});

	test('newsletter-consent: what the mail service gets', async () => {
		const got: string[] = [];
		const service = await startServer(({ method, url: path, body }, response) => {
			got.push(`${method} ${path}\n${JSON.stringify(JSON.parse(body), null, 2)}`);
			response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
		});
		const url = `${service.url}/contacts`;
		await gallery.publish('newsletter-consent', { 'Add to the list': { url }, 'Take off the list': { url } });
		const booking = await gallery.book();
		const contact = { ...booking.contact, newsletter: true, email: 'anna.lind@example.com' };
		await gallery.change(booking, { contact });
		await gallery.rows(NEWSLETTER, ({ email }) => email === contact.email);
		await gallery.change(booking, { contact: { ...contact, newsletter: false } });
		await eventually('Off the list', async () => (got.length > 1 ? got : undefined));
		await service.close();
		await keep('newsletter-consent', framed('Your mail service gets', got.join('\n\n')));
	});

	test('forget-one-guest: what it has found', async () => {
		const { workflow } = await gallery.publish('forget-one-guest');
		const { contact } = await gallery.book({ ...tomorrow(19, 0) });
		await gallery.publish('bookings-in-a-table');
		const booking = await gallery.book({ ...tomorrow(19, 30), contact });
		await gallery.rowOf(BOOKINGS, booking);
		const url = await formUrl(gallery, workflow);
		const show = async (page: Page) => {
			await page.goto(url);
			await page.locator('input[type=email]').fill(contact.email);
			await page.getByRole('button').first().click();
			await page.getByText('Hospitality Bookings').first().waitFor();
		};
		const httpCredentials = { username: FORM_LOGIN.user, password: FORM_LOGIN.password };
		await keep('forget-one-guest', show, { httpCredentials, viewport: { width: 620, height: 500 } });
	});
});
