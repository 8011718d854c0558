import { type BookingFilters, matchesFilters } from '../../../../nodes/shared/booking/filters';
import { PeopleSearch } from '../../../../nodes/shared/booking/peopleSearch';
import { compareNames } from '../../../../nodes/shared/values/text';
import { expectLinear } from '../../../support/cpu';

const booking = {
	guid: '3f2504e0-4f89-41d3-9a0c-030512345678',
	globalBookingNumber: 'B10231',
	guests: 4,
	status: 2,
	history: [{ status: 2, statusName: 'Ankommen', changeDate: '2026-03-01T10:00:00' }],
	customer: { id: 1042 },
	contact: {
		fname: 'Anna',
		lname: 'Lind',
		email: 'Anna.Lind@example.com',
		mobile: '+46 70-123 45 67',
		phone: '08 123 45 67',
	},
};

/** The filters of a booking, 'Search' as it is typed. */
type Filters = Omit<BookingFilters, 'search'> & { search?: string };

function matches(record: Record<string, unknown>, { search, ...filters }: Filters): boolean {
	if (search === undefined) return matchesFilters(record, filters);
	return matchesFilters(record, { ...filters, search: new PeopleSearch(search) });
}

const FITTING: Filters[] = [
	{},
	{ customerId: 1042 },
	{ search: ' b10231 ' },
	{ search: '3F2504E0-4f89-41d3-9a0c-030512345678' },
	{ search: 'anna  lind' },
	{ search: 'Lind Anna' },
	{ search: 'LIN' },
	{ search: 'Ａｎｎａ' },
	{ search: 'anna.lind@EXAMPLE.com' },
	{ search: '070 123 45 67' },
	{ search: '0046701234567' },
	{ search: '+46 8 123 45 67' },
	{ search: '234567' },
	{ search: '+46 (0)70 123 45 67' },
	{ search: '０７０１２３４５６７' },
	{ minGuests: 4, maxGuests: 4 },
	{ statuses: [2, 3] },
	{ statuses: ['ankommen'] },
	{ statuses: [3, ' ANKOMMEN '] },
];
const OTHERS: Filters[] = [
	{ customerId: 1043 },
	{ search: 'B1023' },
	{ search: 'lind@example.com' },
	{ search: 'Berg' },
	{ search: '070 123 45 68' },
	// Its digits end with those of the phone.
	{ search: '00000000-0000-4000-8000-000081234567' },
	{ search: '34567' },
	{ minGuests: 5 },
	{ maxGuests: 3 },
	{ statuses: [3] },
	{ statuses: ['2', 'Ankom'] },
	{ search: 'B9123456' },
	{ search: 'Anna', statuses: [3] },
];

test.each(FITTING)('lets a booking through that is as %j asks', (filters) => {
	expect(matches(booking, filters)).toBe(true);
});

test.each(OTHERS)('leaves a booking out that is not as %j asks', (filters) => {
	expect(matches(booking, filters)).toBe(false);
});

test.each(FITTING.filter(({ search }) => search !== undefined))(
	'leaves a booking out that has no guest, where %j is looked for',
	(filters) => {
		expect(matches({ guid: 'a' }, filters)).toBe(false);
	},
);

test.each([
	['Åsa', 'A\u030asa'],
	['A\u030asa', 'åSA'],
	['Groß', 'GROSS'],
	['GROSS', 'groß'],
	['STRAẞE', 'Strasse'],
	['O’Brien', "o'brien"],
	["O'Brien", 'O´BRIEN'],
	['O‛Brien', 'O′brien'],
	['Anna‑Karin', 'anna-karin'],
	['Anna–Karin', 'anna‐karin'],
	['Li\u00adnd\u200b', 'lind'],
	['ΟΔΥΣΣΕΥΣ', 'Οδυσσεύς'.normalize('NFD').replace(/\u0301/g, '')],
	['Anna\u00a0Lind', 'anna lind'],
])('finds %s by %s, in the name, the email, and the other way round', (name, written) => {
	for (const [fname, filter] of [
		[name, written],
		[written, name],
	] as const) {
		const guest = { ...booking, contact: { fname, lname: 'X', email: `${fname}@example.com` } };
		expect(matches(guest, { search: filter })).toBe(true);
		expect(matches(guest, { search: `${filter}@EXAMPLE.com` })).toBe(true);
	}
});

test('a phone number that is stored in another way is found', () => {
	for (const mobile of ['+46 (0)70 123 45 67', '００４６７０１２３４５６７', '0701234567']) {
		expect(matches({ contact: { mobile } }, { search: '+46 70-123 45 67' })).toBe(true);
	}
});

test('texts are cut before they are compared, so that none of any kind takes long', async () => {
	const filters: Filters = { search: 'Anna', states: ['canceled'], statusRoles: {} };
	const compare = (marks: string) => {
		const guest = { fname: marks, lname: marks, email: marks, mobile: marks, phone: marks };
		const history = [{ statusName: marks }];
		expect(matches({ globalBookingNumber: marks, contact: guest, history }, filters)).toBe(false);
		expect(compareNames(marks, `${marks}b`)).toBe(0);
	};
	const short = `a${'\u0301\u0323'.repeat(25_000)}`;
	const long = `a${'\u0301\u0323'.repeat(100_000)}`;

	await expectLinear(
		() => compare(short),
		() => compare(long),
		4,
	);
});
