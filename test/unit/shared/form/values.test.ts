import { callOf } from '../../../../nodes/shared/contract/calls';
import { field } from '../../../../nodes/shared/form/rows';
import { makeField } from '../../../../nodes/shared/form/makeField';
import { filledIn, readChoice, toBoolean, toList } from '../../../../nodes/shared/form/values';

test.each([
	[true, true],
	[false, false],
	['true', true],
	[' False ', false],
])('a switch of %p is %p', (value, wanted) => {
	expect(toBoolean(value, 'Hidden')).toBe(wanted);
});

test.each([1, 0, 'yes', '', null, undefined, {}])('a switch of %p is refused by name', (value) => {
	expect(() => toBoolean(value, 'Hidden')).toThrow(
		/^'Hidden' is (empty|not true or false \(.+\))$/,
	);
});

describe('a choice', () => {
	const allowed = [
		{ name: 'asc', value: 'asc' },
		{ name: 'Confirmed', value: 2 },
		{ name: 'Canceled', value: 5 },
	];

	it.each([
		['asc', 'asc'],
		[5, 5],
		['5', 5],
		['Canceled', 5],
	])('of %j is %j', (value, wanted) => {
		expect(readChoice(value, 'Status', allowed)).toBe(wanted);
	});

	it('that is not allowed is refused with each name, and the value behind it where that is another', () => {
		expect(() => readChoice(3, 'Status', allowed)).toThrow(
			expect.objectContaining({
				message: "'Status' is not one of the allowed values (3)",
				description: 'Allowed: asc, Confirmed (2), Canceled (5)',
			}),
		);
	});
});

test.each([
	[{ __rl: true, mode: 'list', value: ' ' }, undefined],
	[{ __rl: true, mode: 'id', value: 7 }, 7],
	[' ', undefined],
	[0, 0],
])('of %j is filled in %p', (value, filled) => {
	expect(filledIn(value)).toBe(filled);
});

const zone = 'UTC';

describe('a list by expression', () => {
	it.each<[unknown, string]>([
		[[4, 5], '[4,5]'],
		[[4, '5'], '[4,"5"]'],
		[4, '[4]'],
		['4', '["4"]'],
		['4,5', '["4","5"]'],
		[' 4 , 5, ', '["4","5"]'],
		['4;5', '["4","5"]'],
		['[4, 5]', '[4,5]'],
		[' ["4"] ', '["4"]'],
		['[VIP', '["[VIP"]'],
		...['', '[]', null, undefined].map((empty): [unknown, string] => [empty, '[]']),
	])('is read from %j: %s', (value, entries) => {
		expect(JSON.stringify(toList(value))).toBe(entries);
	});

	const statuses = makeField(field('Statuses', 'status'), callOf('surveyRecipient.getAll').query);
	const unitIds = makeField(field('Unit IDs', 'unitIds', { as: 'ids' }));
	const namesOrIds = makeField(field('Names or IDs', 'statuses', { as: 'namesOrIds' }));
	const markings = makeField(field('Markings', 'markings', { as: 'strings' }));

	it.each([4, '4', '4,4', '[4]', [4], ['4']])('filters by status when it is %j', (value) => {
		expect(new Set(statuses.serialize(value, zone) as number[])).toEqual(new Set([4]));
	});

	it.each([
		['Opened', [3]],
		['responded, SENT', [4, 2]],
		[
			['Error', 0, ' 5 '],
			[999, 0, 5],
		],
		['Template, Scheduled, Canceled, Deleted', [0, 1, 5, 6]],
	])('filters by the names of statuses: %j', (value, sent) => {
		expect(statuses.serialize(value, zone)).toEqual(sent);
	});

	it.each(['Ankommen', '1st seating', '100 % paid', '✅ paid', '(late) arrival', '予約済'])(
		'filters by a name of a service, whatever it begins with: %s',
		(name) => expect(namesOrIds.serialize([name, 4], zone)).toEqual([name, 4]),
	);

	it.each(['1x', '0x4', '1e3', '1.5', '?'])('takes no mistyped number for a name: %s', (text) => {
		expect(() => namesOrIds.serialize(text, zone)).toThrow("'Names or IDs' is ");
	});

	it.each([12, '12', '[12]', [12]])('gives whole numbers when it is %j', (value) => {
		expect(unitIds.serialize(value, zone)).toEqual([12]);
	});

	it.each([
		...[7, '4,7', '[4, 7]', [4, null], { status: 4 }, true, [[4]], '4;7'].map(
			(value) => ['Statuses', value, statuses] as const,
		),
		...[true, {}, [[12]], '12, twelve', 1.5, [12, '']].map(
			(value) => ['Unit IDs', value, unitIds] as const,
		),
	])('%s is refused by name when it is %j', (label, value, { serialize }) => {
		expect(() => serialize(value, zone)).toThrow(`'${label}'`);
	});

	it('of texts may be JSON, and keeps commas within a text', () => {
		expect(markings.serialize('["VIP, window", "Birthday"]', zone)).toEqual([
			'VIP, window',
			'Birthday',
		]);
	});
});
