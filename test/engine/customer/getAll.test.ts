import { testOperation } from '../support/operation';
import { bookingCredential } from '../support/service';

const here = testOperation('customer.getAll', {
	smallest: () => ({ parameters: {} }),
	fullest: () => ({
		parameters: { filters: { changedFromUtc: '2026-03-01T10:00:00+01:00' } },
		query: { changedFromUtc: '2026-03-01T10:00:00+01:00' },
	}),
	refuses: [
		["'Return All' of words", { returnAll: '={{ "all" }}' }, "'Return All' is neither true nor false"],
		['a date as Limit', { limit: '={{ new Date(0) }}' }, "'Limit' is"],
		['a list as Limit', { limit: '={{ [5] }}' }, "'Limit' is"],
		[
			"words as Limit where 'Return All' is the text false",
			{ returnAll: '={{ "false" }}', limit: '={{ "x" }}' },
			"'Limit' is not a number ('x')",
		],
		[
			'a field that the records do not have',
			{ output: 'selected', outputFields: '={{ ["id", "nmae"] }}' },
			"'Fields' contains 'nmae'",
		],
	],
});

test('asks for all customers without a filter and stops at Limit', async () => {
	const run = await here.run({ limit: 4 });

	expect(run.json()).toHaveLength(4);
	expect(await here.service.requests()).toMatchObject([
		{
			method: 'GET',
			path: '/api/booking/v1/booking/customers',
			query: {},
			headers: { system: here.service.info.system },
		},
	]);
});

test('returns every customer with Return All, as a text too', async () => {
	const run = await here.run({ returnAll: '={{ "TRUE" }}', limit: '={{ "x" }}' });
	const stored = await here.service.control<unknown[]>('GET', '/state/customers');

	expect(run.json()).toHaveLength(stored.length);
});

test('returns those changed after a time, given as a date in the time zone of the credential', async () => {
	await here.engine.credentials.add('oslo', 'hospitalityBookingApi', {
		...bookingCredential(here.service.info),
		timeZone: 'Europe/Oslo',
	});
	await here.run(
		{ filters: { changedFromUtc: '2026-07-01T00:00:00' } },
		{ credentials: { hospitalityBookingApi: 'oslo' } },
	);

	const [request] = await here.service.requests();
	expect(Object.keys(request?.query ?? {})).toEqual(['changedFromUtc']);
	expect(new Date(String(request?.query.changedFromUtc))).toEqual(new Date('2026-06-30T22:00:00Z'));
});

test('works on another system with the option System', async () => {
	await here.run({ options: { system: here.service.info.secondSystem } });

	const [request] = await here.service.requests();
	expect(request?.headers.system).toBe(here.service.info.secondSystem);
});
