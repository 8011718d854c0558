import times from 'lodash/times';
import { DateTime } from 'luxon';
import { formUrl, openPriceForm, type PriceForm, sendAnswer } from './form';
import { cancelableFor, mailsSoFar, mailsWith, wordsOf } from './situations';
import { type Booking, CANCELED, guest, inHours, useGallery } from './support';

/** Files with a page on which somebody enters something. */
const gallery = useGallery([], 'sv');
const HEADINGS = 'Article ID,Name,Price,Take-Away Price';
const YES = 'Ja, skicka dem';
const COME = 'I am coming · Vi kommer · Wir kommen';
const CANCEL = 'Cancel my booking · Avboka · Buchung stornieren';
let form: PriceForm;
let answerPage: string;

beforeAll(async () => {
	form = await openPriceForm(gallery, await gallery.publish('price-list-to-articles'));
	answerPage = await formUrl(gallery.client, await gallery.publish('one-tap-answers'));
});

afterAll(() => gallery.respondAsUsual());

const idOf = async (index: number) => String((await form.articles())[index]?.articleId);

describe('price-list-to-articles', () => {
	it('lets nobody in without a password, and has an address that nobody guesses', async () => {
		expect(form.url).toMatch(/\/form\/[0-9a-f-]{36}$/);
		expect((await fetch(form.url)).status).toBe(401);
	});

	it('says that there is no row', async () => {
		const { text } = await form.upload(`${HEADINGS}\n`);
		expect(text).toContain('Det finns ingen rad under rubrikerna.');
	});

	it('shows each article with its ID, and sends nothing after a no', async () => {
		const [article] = await form.articles();
		const shown = await form.upload(`${HEADINGS},Color\n${article?.articleId},Soppa,91,,röd`);
		for (const part of ['Artiklar som uppdateras: 1', 'inte läses: Color', 'Soppa', 'som det är']) {
			expect(shown.text).toContain(part);
		}
		expect(shown.text).toContain(String(article?.articleId).toLowerCase());
		expect((await shown.answer('Nej, skicka inget')).text).toContain('Priserna är som förut.');
		expect((await form.articles())[0]).toEqual(article);
	});

	it('sends thirty after a yes, and mails what came of it', async () => {
		const ids = (await form.articles()).map(({ articleId }) => articleId).slice(0, 30);
		const rows = ids.map((id, index) => `${id},A${index},${10 + index},`);
		const shown = await form.upload([HEADINGS, ...rows].join('\n'));
		expect(shown.text).toContain(`uppdateras: ${ids.length}`);
		expect((await shown.answer(YES)).text).toContain(`Uppdaterade: ${ids.length}`);
		expect((await form.articles())[1]).toMatchObject({
			name: 'A1',
			prices: { regular: { inclVat: 11 } },
		});
		await mailsWith(gallery, `Prislista: Uppdaterade: ${ids.length}`);
	});

	it('sends two lists at once, each with its own outcome', async () => {
		const lists = await Promise.all(
			times(2, async (index) => `${HEADINGS}\n${await idOf(index)},Vid ${index},${80 + index},`),
		);
		const pages = await Promise.all(lists.map(form.upload));
		const done = await Promise.all(pages.map((page) => page.answer(YES)));
		for (const { text } of done) expect(text).toContain('Uppdaterade: 1');
		const names = (await form.articles()).map(({ name }) => name);
		expect(names.slice(0, 2)).toEqual(['Vid 0', 'Vid 1']);
	});

	it('reads the letters of a file as its program wrote them, or says why it cannot', async () => {
		const text = `Artikel-ID; Namn;Pris ;Take-away-pris\r\n${await idOf(0)};Räksmörgås;89:-;1 234,50\r\n${await idOf(1)};"Öl; ljus";79 kr;\r\n`;
		const utf16 = Buffer.from(`\uFEFF${text}`, 'utf16le');
		for (const file of [Buffer.from(text), Buffer.from(text, 'latin1'), utf16]) {
			const shown = await form.upload(file);
			for (const part of ['Räksmörgås', 'Öl; ljus', '89.00', '79.00', '1234.50']) {
				expect(shown.text).toContain(part);
			}
		}
		const damaged = Buffer.from(text);
		damaged[damaged.indexOf('Ö')] = 0xff;
		expect((await form.upload(damaged)).text).toContain('skadat på rad 3');
		expect((await form.upload(Buffer.from('PK\u0003\u0004'))).text).toContain('Excel');
	});

	it('leaves out what is not one price or one article, says why, and shows markup as text', async () => {
		const before = await form.articles();
		const rows = [
			`${await idOf(0)},<img src=x>,#N/A,5`,
			`${await idOf(1)},D,"1,234",`,
			`${await idOf(2)},G,1,`,
			`${(await idOf(2)).toUpperCase()},G,2,`,
			'2001,Number,5,',
			`${await idOf(3)},OK,5,`,
		];
		const { text } = await form.upload([HEADINGS, ...rows].join('\n'));
		for (const part of [
			'uppdateras: 1',
			'Rader som utelämnas: 5',
			'inte ett pris',
			'kan vara 1234 / 1.234',
			'raderna 4, 5',
			'är inget artikel-ID',
		]) {
			expect(text).toContain(part);
		}
		expect(text).not.toContain('<img src=x>');
		expect(await form.articles()).toEqual(before);
	});

	it('says of a call that was cut off that it may have acted, once, and not that nothing was updated', async () => {
		const shown = await form.upload(
			`${HEADINGS}\n${await idOf(0)},Soppa,93,\n${await idOf(1)},Bröd,94,`,
		);
		await gallery.respond('batch-update', 500);
		const done = await shown.answer(YES).finally(gallery.respondAsUsual);
		expect(done.text).toContain('Uppdaterade: 0, kan ha uppdaterats: 2');
		expect(done.text).toContain('Rader 2, 3: ');
		expect(done.text).not.toMatch(/\[item|inte uppdaterade/);
	});

	it('updates the prices while no mail can be sent, and says that the mail is missing', async () => {
		const shown = await form.upload(`${HEADINGS}\n${await idOf(0)},Soppa,92,`);
		await gallery.gate.shut();
		const done = await shown.answer(YES).finally(gallery.gate.open);
		expect(done.text).toContain('Mejlet med resultatet kunde inte skickas.');
		expect((await form.articles())[0]).toMatchObject({ prices: { regular: { inclVat: 92 } } });
	});
});

describe('one-tap-answers', () => {
	const bookingFor = (name: string, hours = 20) =>
		gallery.book(
			Object.assign(
				{},
				inHours(hours),
				guest(name, '', `${name}@example.com`),
				{ language: 'de-AT' },
				cancelableFor(9),
			),
		);
	const answer = ({ guid, start }: Booking, choice: string) =>
		sendAnswer(answerPage, { booking: guid, start, choice });
	const isCanceled = async (booking: Booking) => (await gallery.statusOf(booking)) === CANCELED;
	const toldOf = async ({ globalBookingNumber }: Booking) => {
		const [mail] = await mailsWith(gallery, globalBookingNumber, 'manager@');
		return mail ? wordsOf(mail) : '';
	};

	it('does nothing when its page is only looked at', async () => {
		const booking = await bookingFor('look');
		const link = `${answerPage}?booking=${booking.guid}&start=${booking.start}`;
		const page = await (await fetch(link)).text();
		expect(page).toContain(CANCEL);
		expect(page).toContain(booking.guid);
		expect(await isCanceled(booking)).toBe(false);
	});

	it('thanks who comes, and tells the house', async () => {
		const booking = await bookingFor('comes');
		expect(await answer(booking, COME)).toContain('Danke, bis bald.');
		expect(await toldOf(booking)).toMatch(/^Kommer: /);
		expect(await isCanceled(booking)).toBe(false);
	});

	it('cancels once, says so, and tells the house', async () => {
		const booking = await bookingFor('cancels');
		expect(await answer(booking, CANCEL)).toContain('Ihre Buchung ist storniert.');
		expect(await toldOf(booking)).toMatch(/^Avbokad av gästen: /);
		expect(await isCanceled(booking)).toBe(true);
		expect(await answer(booking, COME)).toContain('Diese Buchung gilt nicht mehr.');
		await mailsWith(gallery, 'gäller inte längre', 'manager@');
	});

	it('shows both of two taps at once what came of them', async () => {
		const booking = await bookingFor('twice');
		const pages = await Promise.all(times(2, () => answer(booking, CANCEL)));
		for (const page of pages) expect(page).toMatch(/storniert|gilt nicht mehr/);
		expect(await isCanceled(booking)).toBe(true);
		expect(await toldOf(booking)).toMatch(/^Avbokad av gästen: /);
	});

	it('asks to call where the booking has moved, whatever the answer', async () => {
		const booking = await bookingFor('moved');
		await gallery.change(booking, inHours(22));
		for (const choice of [COME, CANCEL]) {
			const page = await answer(booking, choice);
			expect(page).toContain('hat jetzt eine andere Zeit');
			expect(page).toContain('+46 40 123 45 67');
		}
		expect(await isCanceled(booking)).toBe(false);
		expect(await toldOf(booking)).toMatch(/har en annan tid nu/);
	});

	it('cancels nothing where it is too late', async () => {
		const booking = await bookingFor('late');
		await gallery.change(booking, cancelableFor(-1));
		expect(await answer(booking, CANCEL)).toContain('kann nicht mehr storniert werden');
		expect(await isCanceled(booking)).toBe(false);
	});

	it('finds no booking by a name or a number in the place of its ID', async () => {
		const booking = await bookingFor('Eve');
		const { start, globalBookingNumber } = booking;
		for (const other of ['Eve', globalBookingNumber, '']) {
			const page = await sendAnswer(answerPage, { booking: other, start, choice: CANCEL });
			expect(page).toContain('not valid any more');
		}
		expect(await isCanceled(booking)).toBe(false);
	});

	it('asks to call where the service is down, and where the house cannot be told', async () => {
		const booking = await bookingFor('outage');
		await gallery.respond('/api/', 500);
		const down = await answer(booking, CANCEL).finally(gallery.respondAsUsual);
		expect(down).toContain('Please call us. +46 40 123 45 67');
		await gallery.gate.shut();
		const untold = await answer(booking, COME).finally(gallery.gate.open);
		expect(untold).toContain('unser Team konnte nicht verständigt werden');
		expect(await mailsSoFar(gallery, booking.globalBookingNumber)).toEqual([]);
		expect(DateTime.fromISO(booking.start).isValid).toBe(true);
	});
});
