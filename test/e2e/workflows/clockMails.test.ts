import times from 'lodash/times';
import type { JsonObject } from '../../../dev/n8nClient.ts';
import { evening, listFor, withAccount, withFailing, wordsOf } from './situations';
import { AVBOKAD, guest, house, ILL, inHours, inTheNight, useGallery } from './support';

/** Files that a clock starts, and that send one email. */
const gallery = useGallery([], 'sv');
const NO_ROLES = { canceledStatuses: '', noShowStatuses: '', finishedStatuses: '' };
const HOSTILE: JsonObject = Object.assign(guest(ILL, ILL, `${ILL}@example.com`), { message: ILL });
/** Canceled, and the hours around the end of a day: three of these bookings are in it. */
const MIXED = [
	evening({ hour: 12, minute: 0 }, guest('Åsa')),
	evening({ hour: 12, minute: 0 }, Object.assign(guest('Off'), AVBOKAD)),
	evening({ hour: 12, minute: 0 }, HOSTILE),
	evening({ hour: 4, minute: 59 }, guest('Early')),
	evening({ hour: 5, minute: 0 }, guest('First')),
	evening({ hour: 0, minute: 30, days: 1 }, guest('Night')),
	evening({ hour: 5, minute: 0, days: 1 }, guest('Late')),
];

async function run(name: string, parameters?: Record<string, JsonObject>) {
	const start = await gallery.load(name, parameters);
	return await start();
}

/** The mails of a run of a file. */
async function mailsOf(name: string, bookings: JsonObject[]): Promise<string[]> {
	listFor(gallery, name, bookings);
	const mails = await gallery.mailsOf(/./, async () => {
		const { status, error } = await run(name);
		expect(`${status} ${error?.message ?? ''}`).toBe('success ');
	});
	return mails.map(wordsOf);
}

/** The one mail of a run of a file. */
async function mailOf(name: string, bookings: JsonObject[]): Promise<string> {
	const mails = await mailsOf(name, bookings);
	expect(mails).toHaveLength(1);
	return String(mails[0]);
}

describe('arrivals-every-morning', () => {
	const NAME = 'arrivals-every-morning';

	it('says that nobody comes', async () => {
		const mail = await mailOf(NAME, []);
		expect(mail).toContain('Ankomster i dag: 0 bokningar, 0 gäster');
		expect(mail).toContain('Inga bokningar i dag.');
	});

	it('shows one guest with time, phone to tap, table and wish', async () => {
		const anna = { guests: 1, guestsChildren: 1, message: 'Nötter!' };
		const mail = await mailOf(NAME, [
			evening({ hour: 19 }, Object.assign(guest('Anna', 'Lind'), anna)),
		]);
		expect(mail).toContain('1 bokning, 1 gäst ');
		for (const part of [
			'19:15',
			'1 gäst, 1 barn',
			'href="tel:+46701234567"',
			'Anna Lind',
			'Nötter!',
		]) {
			expect(mail).toContain(part);
		}
		expect(mail).toMatch(/Först: \p{L}+day,? /u);
	});

	it('adds up 59 of them by time, in order, until the night ends', async () => {
		const hours = [21, 11, 17];
		const many = times(54, (index) => evening({ hour: Number(hours[index % 3]) }));
		const mail = await mailOf(NAME, [...many, ...MIXED]);
		expect(mail).toContain('58 bokningar, 116 gäster');
		expect(mail).toMatch(/11:15.*36 gäster.*17:15.*21:15/);
		for (const name of ['Åsa', 'First', 'Night']) expect(mail).toContain(`<bdi>${name}</bdi>`);
		for (const name of ['Off', 'Early', 'Late']) expect(mail).not.toContain(`<bdi>${name}</bdi>`);
	});

	it('shows what a hostile guest wrote as text', async () => {
		const mail = await mailOf(NAME, MIXED);
		expect(mail).toContain('&lt;img src=x');
		expect(mail).not.toMatch(/<img|\u202E|W{2001}/);
	});

	it('takes the day of a run in the night for the one that began before midnight', async () => {
		const at = (hours: number, name: string) =>
			evening({ hour: 12 }, Object.assign(guest(name), inHours(-hours)));
		const mail = await withAccount(gallery, NAME, inTheNight(), () =>
			mailOf(NAME, [at(3, 'Evening'), at(26, 'Yesterday')]),
		);
		expect(mail).toContain('Evening');
		expect(mail).not.toContain('Yesterday');
	});

	it('names the status field that the credential lacks', async () => {
		listFor(gallery, NAME, [evening({ hour: 12 })]);
		const { error } = await withAccount(gallery, NAME, NO_ROLES, () => run(NAME));
		expect(`${error?.message} ${error?.description}`).toContain('Canceled Statuses');
	});

	it('fails once while no mail can be sent, and sends one mail when it can', async () => {
		listFor(gallery, NAME, []);
		await gallery.gate.shut();
		const down = await run(NAME);
		await gallery.gate.open();
		expect(down.status).toBe('error');
		await mailOf(NAME, []);
	});

	it('sends two whole mails where two runs begin at once', async () => {
		listFor(gallery, NAME, MIXED);
		const mails = await gallery.mailsOf(/./, () => Promise.all([run(NAME), run(NAME)]));
		expect(mails).toHaveLength(2);
		for (const mail of mails) expect(wordsOf(mail)).toMatch(/4 bokningar.*Åsa/);
	});

	it('says that the service is down', async () => {
		const { status, error } = await withFailing(gallery, NAME, () => run(NAME));
		expect(status).toBe('error');
		expect(error?.message).toContain('500');
	});
});

describe('several-restaurants', () => {
	const NAME = 'several-restaurants';

	it('lists the houses, also without bookings', async () => {
		const mail = await mailOf(NAME, []);
		expect(mail).toContain('I dag: 0 bokningar');
		expect(mail).toContain('Hamnen &lt;1> · 0 bokningar');
		expect(mail).toContain('Kullen · 0 bokningar');
	});

	it('lists the bookings of each house, up to the end of the night', async () => {
		const mail = await mailOf(NAME, [evening({ hour: 18 }), ...MIXED]);
		expect(mail).toContain('I dag: 10 bokningar, 20 gäster');
		expect(mail).toMatch(/Kullen · 5 bokningar · 10 gäster.*18:15.*Night/);
		expect(mail).toContain('&lt;img src=x');
		expect(mail).not.toMatch(/<img|>Off<|>Late</);
	});

	it('says why a house could not be read, with what to do', async () => {
		const mail = await withFailing(gallery, NAME, () => mailOf(NAME, []));
		expect(mail).toMatch(/⚠ .*500/);
	});

	it('stops before it lists the bookings of one system twice', async () => {
		const houses = JSON.stringify([
			{ system: 'one', name: 'A' },
			{ system: 'one', name: 'B' },
		]);
		const { error } = await run(NAME, house(NAME, { houses }));
		expect(error?.message).toContain("The system 'one' stands twice");
	});
});

describe('deposits', () => {
	const NAME = 'deposits';
	const owing = (fields: JsonObject) =>
		evening(
			{ hour: 19, minute: 0, days: 1 },
			Object.assign(
				{ chargeShouldPayAmount: 5, chargePayedAmount: 0, chargeAuthorizedAmount: 0 },
				fields,
			),
		);

	it('sends nothing where nothing is owed', async () => {
		expect(await mailsOf(NAME, [owing({ chargePayedAmount: 5 })])).toEqual([]);
	});

	it('lists who owes, with currency and day; what is authorized is not owed', async () => {
		const mail = await mailOf(NAME, [
			owing({ chargeAuthorizedAmount: 5 }),
			owing({ chargeShouldPayAmount: null }),
			owing(
				Object.assign(guest('Anna'), {
					guests: 1,
					chargePayedAmount: 1,
					chargePaymentLinkExpirationDate: '2026-12-01T10:00:00',
				}),
			),
			owing(HOSTILE),
			owing(Object.assign(guest('Off'), AVBOKAD)),
		]);
		expect(mail).toContain('Obetalda handpenningar: 2');
		expect(mail).toContain('att betala: 5 EUR, betalt: 1 EUR');
		expect(mail).toContain('länken går ut: 2026-12-01 10:00');
		expect(mail).toContain('tel:+46701234567');
		expect(mail).not.toContain('Off');
	});

	it('names the currency where it is not entered', async () => {
		const { error } = await run(NAME, house(NAME, { currency: '' }));
		expect(error?.message).toContain('currency');
	});
});

describe('closing-time-check-out', () => {
	const NAME = 'closing-time-check-out';

	it('sends nothing where nothing is left', async () => {
		expect(await mailsOf(NAME, [])).toEqual([]);
	});

	it('checks out what has ended since yesterday, just before midnight too, and says what was not and why', async () => {
		const late = Object.assign(guest('Late'), { paymentEvents: [{ bookingRootId: 7 }] });
		// The file goes by the days of the calendar.
		const noon = { hour: 12, days: -1, dayEndsAt: 0 };
		const mail = await mailOf(NAME, [
			evening({ hour: 21, minute: 50, days: -1, dayEndsAt: 0 }, late),
			evening(noon, Object.assign(guest('Hand'), { paymentEvents: [] })),
			evening(noon, Object.assign(guest('Off'), AVBOKAD)),
			evening({ hour: 23, days: 1, dayEndsAt: 0 }, guest('Next')),
		]);
		expect(mail).toContain('Stängning: 1 av 2');
		expect(mail).toMatch(/Hand.* INTE UTCHECKAD .*checka ut för hand/);
		expect(mail).toMatch(/Late.* Utcheckad/);
		expect(mail).not.toMatch(/Off|Next/);
	});
});

describe('closing-time-check-out, without a status', () => {
	it('checks out nothing, and names the field', async () => {
		const NAME = 'closing-time-check-out';
		listFor(gallery, NAME, [evening({ hour: 12, days: -1, dayEndsAt: 0 }, guest('Left'))]);
		const { status, error, runs } = await run(NAME, house(NAME, { statuses: '' }));
		expect(status).toBe('error');
		expect(error?.message).toContain('Status Names or IDs');
		expect(runs).not.toHaveProperty('Check them out');
	});
});

describe('weekly-figures', () => {
	const NAME = 'weekly-figures';

	it('says that nothing was booked', async () => {
		expect(await mailOf(NAME, [])).toContain('Förra veckan: 0 Bokningar, 0 gäster');
	});

	it('adds up the week by day, without canceled bookings', async () => {
		const mail = await mailOf(NAME, [
			evening({ hour: 18, days: -1 }),
			evening({ hour: 19, days: -1 }),
			evening({ hour: 18, days: -3 }),
			evening({ hour: 18, days: -2 }, AVBOKAD),
		]);
		expect(mail).toContain('3 Bokningar, 6 gäster');
		expect(mail).toContain('Avbokade: 1');
		expect(mail).toMatch(/dag \d{4}-\d\d-\d\d: 2 Bokningar, 4 gäster/);
	});
});
