import get from 'lodash/get';
import set from 'lodash/set';
import type { ItemContext, Run } from '../../../../nodes/shared/operation/operation';
import { LookUps, type Place, placesOf } from '../../../../nodes/shared/run/lookUps';
import { oneLine } from '../../../../nodes/shared/values/text';
import { type Form, type Row, GUID, SETTINGS, itemOf, rows } from '../../../support/sampleForm';

const DAY = 24 * 3_600_000;
const inDays = (days: number) => new Date(Date.now() + days * DAY).toISOString();
const paid = (...ids: unknown[]) => ids.map((bookingRootId) => ({ bookingRootId }));
const BOOKINGS = [
	{ guid: GUID, globalBookingNumber: 'B1', start: inDays(1), paymentEvents: paid(7, 7) },
	{ guid: 'unpaid', globalBookingNumber: 'B2', start: inDays(2), paymentEvents: [] },
	{ guid: 'past', globalBookingNumber: 'B3', start: inDays(-20), paymentEvents: paid(8, 9) },
	{ guid: 'late', globalBookingNumber: '1001', start: inDays(300) },
	{ guid: 'one', globalBookingNumber: 'B5', start: inDays(3) },
	{ guid: 'other', globalBookingNumber: 'b5', start: inDays(4) },
	{ guid: 'seventh', globalBookingNumber: '7', start: inDays(6), paymentEvents: paid(70) },
	{
		guid: GUID.replace('3', '4'),
		globalBookingNumber: '77',
		start: inDays(5),
		paymentEvents: [{ subPaymentEvents: paid('9007199254740993') }],
	},
].map((booking) => ({
	...booking,
	history: [
		{ status: 4, statusName: 'Arrived' },
		{ status: 4, statusName: 'Kommit' },
		{ status: 8, statusName: '<b>Betald</b> > 50 %' },
		{ status: 5, statusName: 'Avbokad' },
		{ status: 6, statusName: 'Väntar' },
		{ status: 7, statusName: 'väntar' },
	],
}));

interface Query {
	startTime?: string;
	endTime?: string;
	changedFrom?: string;
}

function rowOf(id: string): Row {
	const row = rows.find((one) => one.id === id);
	if (row) return row;
	throw new Error(`${id} is no operation`);
}

/** A run of an operation before a service with these bookings. */
function openRun(id: string) {
	const row = rowOf(id);
	const asked: Array<{ query: Query; system: unknown }> = [];
	const call: ItemContext['call'] = ({ query, system }) => {
		const { startTime = '', endTime = '~' } = (query ?? {}) as Query;
		asked.push({ query: query as Query, system });
		const body = BOOKINGS.filter(({ start }) => start >= startTime && start < endTime);
		return Promise.resolve({ status: 200, headers: {}, body } as never);
	};
	const lookUps = new LookUps({ operation: row.operation, settings: SETTINGS } as unknown as Run);
	/** @returns what the parameter comes to, for an item */
	const resolve = async (
		path: string,
		value: unknown,
		{ mode = 'id', type = '', form = {} } = {},
	) => {
		const stored = path.includes('.') ? value : { __rl: true, mode, value };
		const parameters: Form = set({ ...form }, path, stored);
		const item = itemOf(row, parameters);
		Object.assign(item, { call, node: { parameters, type: `hospitalityBooking${type}` } });
		const resolved = await lookUps.resolve(item);
		const [collection = '', name] = path.split('.');
		return name === undefined
			? resolved.getParameter(path)
			: (get(resolved.getParameter(collection), name) as unknown);
	};
	return { resolve, asked };
}

const BY_NUMBER = { mode: 'number' };
const AS_TOOL = { type: 'Tool' };

describe.each(['webBooking.cancel', 'webBooking.update', 'webBooking.updatePayment'])(
	'%s',
	(id) => {
		it.each([
			['B1', BY_NUMBER, GUID],
			[' b1 ', BY_NUMBER, GUID],
			['B3', BY_NUMBER, 'past'],
			['1001', BY_NUMBER, 'late'],
			[1001, BY_NUMBER, 'late'],
			['B1', AS_TOOL, GUID],
			[GUID, BY_NUMBER, GUID],
			[`{${GUID}}`, AS_TOOL, `{${GUID}}`],
			['B1', {}, 'B1'],
			['B1', { mode: 'list' }, 'B1'],
		])('takes %j with %j for the booking %s', async (number, how, guid) => {
			expect(await openRun(id).resolve('webBookingId', number, how)).toBe(guid);
		});

		it.each([
			['B9', /^'Booking Number or GUID' is 'B9', .* from 31 days ago to a year ahead/, /Get Many/],
			['B5', /^'Booking Number or GUID' is 'B5', the number of 2 bookings/, /one, other/],
		])('refuses %s', async (number, message, description) => {
			await expect(openRun(id).resolve('webBookingId', number, BY_NUMBER)).rejects.toMatchObject({
				message: expect.stringMatching(message) as string,
				description: expect.stringMatching(description) as string,
			});
		});
	},
);

test('the bookings are read once for all items of a run, from now outwards and no further than necessary', async () => {
	const { resolve, asked } = openRun('webBooking.cancel');

	for (const number of ['B1', 'B2', 'B1']) await resolve('webBookingId', number, BY_NUMBER);
	expect(asked).toHaveLength(1);
	await resolve('webBookingId', 'B3', BY_NUMBER);
	expect(asked).toHaveLength(2);
	for (const number of ['B8', 'B9']) {
		await expect(resolve('webBookingId', number, BY_NUMBER)).rejects.toThrow("'B");
	}
	expect(asked).toHaveLength(13);
	await resolve('webBookingId', '1001', BY_NUMBER);
	expect(asked).toHaveLength(13);
});

test('a call is made for the item that needs it, so that its failure names that item', async () => {
	const { operation } = rowOf('webBooking.cancel');
	const lookUps = new LookUps({ operation, settings: SETTINGS } as unknown as Run);
	const itemThatCalls = (number: string, call: ItemContext['call']): ItemContext => {
		const webBookingId = { __rl: true, mode: 'number', value: number };
		const item = itemOf(rowOf('webBooking.cancel'), { webBookingId });
		return { ...item, call };
	};
	const body = BOOKINGS.slice(0, 1);
	const first = jest.fn().mockResolvedValue({ status: 200, headers: {}, body });
	const second = jest.fn().mockRejectedValue(new Error('of the second item'));

	await lookUps.resolve(itemThatCalls('B1', first));
	const outcome = lookUps.resolve(itemThatCalls('B9', second));

	await expect(outcome).rejects.toThrow('of the second item');
	expect(first).toHaveBeenCalledTimes(1);
});

test('the bookings of another system are others', async () => {
	const { resolve, asked } = openRun('webBooking.update');
	for (const system of ['one', 'two', 'one']) {
		await resolve('webBookingId', 'B1', { ...BY_NUMBER, form: { options: { system } } });
	}

	expect(asked.map(({ system }) => system)).toEqual(['one', 'two']);
});

describe.each(['checkoutBooking.checkIn', 'checkoutBooking.checkOut'])('%s', (id) => {
	it.each([
		['B1', BY_NUMBER, '7'],
		['77', BY_NUMBER, '9007199254740993'],
		['B1', AS_TOOL, '7'],
		['77', AS_TOOL, '9007199254740993'],
		['52001', AS_TOOL, '52001'],
		['77', {}, '77'],
		[77, { mode: 'list' }, 77],
		['7', BY_NUMBER, '70'],
	])('takes %j with %j for the root ID %j', async (entered, how, rootId) => {
		expect(await openRun(id).resolve('bookingRootId', entered, how)).toBe(rootId);
	});

	test('refuses digits of an agent that are the number of one booking and the root ID of another', async () => {
		const resolved = openRun(id).resolve('bookingRootId', '7', AS_TOOL);

		await expect(resolved).rejects.toThrow('the number of one booking and the root ID of another');
	});

	it.each([
		['B2', "'Booking Number, Else Root ID' is 'B2', a booking that has no checkout number yet"],
		['B3', "'Booking Number, Else Root ID' is 'B3', a booking that has several checkout numbers"],
		['B5', "'Booking Number, Else Root ID' is 'B5', the number of 2 bookings"],
		['B9', "'Booking Number, Else Root ID' is 'B9', a number that no booking"],
	])('refuses %s', async (number, message) => {
		for (const how of [BY_NUMBER, AS_TOOL]) {
			await expect(openRun(id).resolve('bookingRootId', number, how)).rejects.toThrow(message);
		}
	});
});

describe.each(
	rows.filter(({ operation }) => placesOf(operation).some(({ field }) => field.property.modes)),
)('in $id', ({ id, operation }) => {
	const [{ path, field }] = placesOf(operation) as [Place];
	const modes = field.property.modes?.map(({ displayName }) => `'${displayName}'`) ?? [];

	it.each(['undefined', '#N/A', '[object Object]', 'null'])(
		'a word for nothing is refused before anything is read: %s',
		async (word) => {
			const { resolve, asked } = openRun(id);

			await expect(resolve(path, word, BY_NUMBER)).rejects.toThrow(`is '${word}'`);
			expect(asked).toEqual([]);
		},
	);

	it.each(['B5', 'B9'])('the hint on %s names a way that the form has', async (number) => {
		const refused = openRun(id).resolve(path, number, BY_NUMBER);

		const error: unknown = await refused.catch((reason: unknown) => reason);

		const named = String(get(error, 'description')).match(/'By [^']+'/g) ?? [];
		expect(modes).toEqual(expect.arrayContaining(named));
		expect(named).not.toEqual([]);
	});
});

describe('a status', () => {
	const place = 'details.bookingStatus';

	it.each([
		['Kommit', 4],
		['Arrived', 4],
		[oneLine('<b>Betald</b> > 50 %'), 8],
		[' AVBOKAD ', 5],
		['4', '4'],
		[4, 4],
		['-1', '-1'],
	])('%j is taken as %j', async (entered, status) => {
		expect(await openRun('webBooking.update').resolve(place, entered)).toBe(status);
	});

	it.each([
		['Okänd', "'Booking Status Name or ID' is 'Okänd', which no recent booking has had"],
		['Väntar', "'Booking Status Name or ID' is 'Väntar', the name of several statuses"],
	])('%s is refused', async (entered, message) => {
		await expect(openRun('webBooking.update').resolve(place, entered)).rejects.toMatchObject({
			message: expect.stringContaining(message) as string,
			description: expect.stringContaining('Kommit (4)') as string,
		});
	});

	it('is looked up once for all items, and not beside JSON', async () => {
		const { resolve, asked } = openRun('webBooking.update');
		await resolve(place, 'Kommit');
		await resolve(place, 'Avbokad');

		expect(asked).toHaveLength(1);
		expect(await resolve(place, 'Okänd', { form: { bodyMode: 'json' } })).toBeDefined();
	});
});
