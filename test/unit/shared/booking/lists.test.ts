import type { IDataObject, ILoadOptionsFunctions } from 'n8n-workflow';
import get from 'lodash/get';
import times from 'lodash/times';
import { openAccount } from '../../../../nodes/shared/auth/account';
import {
	searchArticleGroups,
	searchCheckoutBookings,
	searchContacts,
	searchCustomers,
	searchRules,
	searchSurveyRecipients,
	searchWebBookings,
} from '../../../../nodes/shared/booking/lists';
import { getBookingStatuses } from '../../../../nodes/shared/booking/recentNames';
import { expectLinear } from '../../../support/cpu';

jest.mock('../../../../nodes/shared/auth/account');

const SEARCHES = { searchContacts, searchCustomers, searchSurveyRecipients, searchWebBookings };
const call = jest.fn();

/** A node's form before a service that has these records. */
function before(records: unknown[], options: unknown = {}): ILoadOptionsFunctions {
	call.mockReset().mockResolvedValue({ status: 200, headers: {}, body: records });
	jest
		.mocked(openAccount)
		.mockResolvedValue({ call, timeZone: 'Asia/Tokyo', language: 'en-GB' } as unknown as Awaited<
			ReturnType<typeof openAccount>
		>);
	return {
		getNode: () => ({ name: 'Node' }),
		getCurrentNodeParameter: (path: string) => get({ options }, path) as unknown,
	} as unknown as ILoadOptionsFunctions;
}

const asked = () =>
	call.mock.calls.map(([request]) => request as { query: IDataObject; system?: string });
const bookings = ['2026-03-02T18:00:00Z', '2026-03-01T18:00:00', 'soon'].map((start, index) => ({
	guid: `guid-${index}`,
	start,
	guests: index,
	globalBookingNumber: `B${index}`,
	contact: { fname: 'Anna', lname: 'Lind' },
	status: 4,
	history: [{ status: 4, statusName: 'Left' }],
}));
const customers = times(230, (id) => ({
	id,
	name: `Åsa ${String(id).padStart(3, '0')}`,
	city: 'Lund',
}));

test('web bookings are listed by their start in the zone of the credential, from two days ago to 90 days ahead, in one call', async () => {
	jest.useFakeTimers({ now: new Date('2026-03-03T12:00:00Z') });
	const { results } = await searchWebBookings.call(before(bookings));
	jest.useRealTimers();

	expect(results).toEqual([
		{ name: '2026-03-01 18:00 · Anna Lind · 1 guest · B1 · Left', value: 'guid-1' },
		{ name: '2026-03-03 03:00 · Anna Lind · 0 guests · B0 · Left', value: 'guid-0' },
		{ name: 'Anna Lind · 2 guests · B2 · Left', value: 'guid-2' },
	]);
	const period = {
		startTime: '2026-03-01T21:00:00+09:00',
		endTime: '2026-06-01T21:00:00+09:00',
	};
	expect(asked().map(({ query }) => query)).toEqual([{ ...period, includeContact: true }]);
});

test("the checkout's list has today's bookings with a root ID, and counts the others last", async () => {
	jest.useFakeTimers({ now: new Date('2026-03-02T23:00:00Z') });
	const paid = { paymentEvents: [{ bookingRootId: 7, subPaymentEvents: [{ bookingRootId: 7 }] }] };
	const [first = {}, ...others] = bookings;
	const records = [{ ...first, ...paid }, ...others];
	const { results } = await searchCheckoutBookings.call(before(records));
	const found = await searchCheckoutBookings.call(before(records), 'b0');
	jest.useRealTimers();

	expect(results).toEqual([
		{ name: '2026-03-03 03:00 · Anna Lind · 0 guests · B0 · Left', value: '7' },
		{ name: '2 more have no checkout number yet', value: '' },
	]);
	expect(found.results).toEqual(results.slice(0, 1));
	const today = { startTime: '2026-03-03T00:00:00+09:00', endTime: '2026-03-04T00:00:00+09:00' };
	expect(asked()[0]?.query).toEqual({ ...today, includeContact: true });
});

test.each([
	['other', 'other'],
	[' other ', 'other'],
	['={{ $json.system }}', undefined],
	['', undefined],
])(
	"lists are of the system %j under 'Options', else the credential's: %j",
	async (system, sent) => {
		await searchCustomers.call(before([], { system }));

		expect(asked()[0]?.system).toBe(sent);
	},
);

test('customers are listed by name, as many as a person scrolls through, and found by any part', async () => {
	const find = async (filter?: string) =>
		(await searchCustomers.call(before(customers), filter)).results;

	expect(await find()).toHaveLength(200);
	for (const typed of ['\u00c5SA 229', '229 asa', '229 · lu', ' 229']) {
		expect(await find(typed)).toEqual([{ name: 'Åsa 229 · Lund', value: '229' }]);
	}
	expect(await find('nobody')).toEqual([]);
});

test('a record is found by its ID, though no entry shows it', async () => {
	const customer = { id: 40512, name: 'Nordic Travel' };
	const booking = { guid: '3f2504e0-4f89-41d3-9a0c-0305e82c3301', start: 'soon' };

	for (const typed of ['40512', ' 4051']) {
		expect((await searchCustomers.call(before([customer]), typed)).results).toHaveLength(1);
	}
	const found = await searchWebBookings.call(before([booking]), '3F2504E0-4f89');
	expect(found.results).toHaveLength(1);
	expect((await searchCustomers.call(before([customer]), '40513')).results).toEqual([]);
});

test('people are found as Search finds them: by a phone number, an email, and words without accents', async () => {
	const contact = {
		fname: 'Åsa',
		lname: 'Öberg',
		mobile: '+46 70 123 45 67',
		email: 'a@b.example',
	};
	const bookingOfGuest = { guid: 'guid', globalBookingNumber: 'B7', contact };
	const customer = { id: 1, name: 'Öberg, Åsa', phone: '070-123 45 67', email: 'a@b.example' };
	const recipient = {
		id: 'r',
		name: 'Åsa Öberg',
		mobilePhone: '0046701234567',
		emailAddress: 'a@b.example',
	};
	for (const typed of ['oberg asa', '0701234567', 'A@B.example']) {
		expect((await searchWebBookings.call(before([bookingOfGuest]), typed)).results).toHaveLength(1);
		expect((await searchCustomers.call(before([customer]), typed)).results).toHaveLength(1);
		expect((await searchSurveyRecipients.call(before([recipient]), typed)).results).toHaveLength(1);
	}
	expect((await searchWebBookings.call(before([bookingOfGuest]), 'B0701234567')).results).toEqual(
		[],
	);
});

test('survey recipients have their status by name, and their ID where they have no name', async () => {
	const records = [
		{ id: 'r1', name: 'Anna', status: 4, sentTime: '2026-03-01T12:00:00Z' },
		{ id: 'r2', status: 77 },
	];
	const { results } = await searchSurveyRecipients.call(before(records));

	expect(results.map(({ name }) => name)).toEqual([
		'77',
		expect.stringMatching(/^Anna .*Responded.*2026-03-01/),
	]);
});

describe('a list from recent bookings', () => {
	const guest = (id: unknown, fname: string, email: string) => ({
		contact: { id, fname, lname: 'Lind', email, mobile: '070-123 45 67' },
	});
	const table = { articleGroupId: 100, articleGroupName: 'Tables', ruleId: 3 };
	const drink = { articleGroupId: 102, articleGroupName: 'Drinks', ruleId: null };
	const records = [
		{ ...guest(7, 'Bo', 'bo@example.com'), articles: [table, table], nonTableArticles: [drink] },
		{ ...guest(5, 'Åsa', 'asa@example.com'), articles: [table], nonTableArticles: null },
		{ ...guest(7, 'Bo', 'bo@example.com'), articles: null },
		guest(null, 'Nobody', ''),
		{ contact: null },
	];
	const changedFrom = { changedFrom: expect.any(String) as string };

	it('has each guest once, by name, and finds one as Search does', async () => {
		const { results } = await searchContacts.call(before(records));
		const found = await searchContacts.call(before(records), 'lind asa');

		expect(results).toEqual([
			{ name: 'Åsa Lind · asa@example.com · 070-123 45 67', value: '5' },
			{ name: 'Bo Lind · bo@example.com · 070-123 45 67', value: '7' },
		]);
		expect(found.results).toEqual(results.slice(0, 1));
		expect(asked()[0]?.query).toEqual({ ...changedFrom, includeContact: true });
	});

	it('has each article group once', async () => {
		const { results } = await searchArticleGroups.call(before(records));

		expect(results).toEqual([
			{ name: 'Drinks · 102', value: '102' },
			{ name: 'Tables · 100', value: '100' },
		]);
		const articles = { includeTableArticles: true, includeNonTableArticles: true };
		expect(asked()[0]?.query).toEqual({ ...changedFrom, ...articles });
	});

	it('has each rule once, with what it was booked for', async () => {
		const { results } = await searchRules.call(before(records));

		expect(results).toEqual([{ name: 'Rule 3 · Tables', value: '3' }]);
		expect((await searchRules.call(before(records), 'drinks')).results).toEqual([]);
	});
});

test('booking statuses are those that recent bookings have had, the most frequent first, those without a name last', async () => {
	const made = { status: 3, statusName: 'Booked' };
	const arrived = { status: 5, statusName: 'Arrived' };
	const left = { status: 4, statusName: 'Left' };
	const records = [
		{ status: 3, history: [made] },
		{ status: 5, history: [made, arrived] },
		{ status: 4, history: [made, arrived, left, left, left, left] },
		{ status: 116, history: [made] },
		{ status: 77, history: [] },
		{ status: 116 },
	];
	const options = await getBookingStatuses.call(before(records));

	expect(options).toEqual([
		{ name: 'Booked', value: 3 },
		{ name: 'Arrived', value: 5 },
		{ name: 'Left', value: 4 },
		{ name: 'Status 116', value: 116 },
	]);
});

test('booking statuses are all numbers of the contract where no booking has one', async () => {
	const options = await getBookingStatuses.call(before([]));

	expect(options).toHaveLength(30);
	expect([options[0], options.at(-1)?.name]).toEqual([{ name: 'Status 0', value: 0 }, 'Status -1']);
});

/** @returns the names in each of the lists, from records whose every name has this many marks */
async function namesInLists(marks: number): Promise<string[]> {
	const text = `<b>a\u202e${'\u0301\u0323'.repeat(marks)}`;
	const history = [
		{ status: 2, statusName: text },
		{ status: 3, statusName: '' },
		{ status: 77, statusName: 'none of the contract' },
	];
	const record = {
		guid: 'a',
		id: 1,
		name: text,
		city: text,
		emailAddress: text,
		contact: { id: 1, fname: text },
	};
	const records = times(12, () => ({ ...record, history }));
	const names = (await getBookingStatuses.call(before(records))).map(({ name }) => name);
	for (const search of Object.values(SEARCHES)) {
		const [entry] = (await search.call(before(records), '‹b›')).results;
		names.push(entry?.name ?? '');
	}
	return names;
}

test('names of the service take no longer than they are long', async () => {
	await expectLinear(
		() => namesInLists(25_000),
		() => namesInLists(100_000),
		4,
	);
});

test('names of the service are plain text and short, however long and hostile they are', async () => {
	const names = await namesInLists(100_000);

	expect(names).toHaveLength(6);
	for (const name of names) {
		expect(name).toMatch(/^[^<>\u202e]{1,200}$/);
		expect(name).not.toBe('none of the contract');
	}
});
