import { useOperation } from '../support/operation';

const here = useOperation('webBooking.getAll');

test('sends the filters under the names that the credential gives, and none that the node applies itself', async () => {
	const names = { unitFilterName: 'units', articleCategoryFilterName: 'categories' };
	await here.engine.credentials.edit('hospitalityBookingApi', names);
	await here.run({
		...{ getBy: 'lastChange', changedFrom: '2026-03-01T10:00:00Z' },
		include: ['includeTableArticles'],
		filters: { unitIds: '1', articleCategoryIds: '3', minGuests: 2, search: 'Lind' },
	});

	expect((await here.service.requests())[0]?.query).toEqual({
		changedFrom: '2026-03-01T10:00:00Z',
		...{ includeContact: 'true', includeTableArticles: 'true', units: '1', categories: '3' },
	});
});

test('lists the bookings of a day by default, in the zone of the credential, sorted by start', async () => {
	await here.engine.credentials.edit('hospitalityBookingApi', { timeZone: 'Asia/Tokyo' });
	const at = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();
	await here.service.answer([
		{ guid: 'late', start: at(48) },
		{ guid: 'soon', start: at(24) },
	]);
	const run = await here.run({});
	const [request] = await here.service.requests();

	expect(run.json().map(({ guid }) => guid)).toEqual(['soon', 'late']);
	expect(request?.query).toEqual({
		startTime: expect.stringMatching(/^\d{4}-\d\d-\d\dT00:00:00\+09:00$/) as string,
		endTime: expect.stringMatching(/^\d{4}-\d\d-\d\dT00:00:00\+09:00$/) as string,
		...{ includeContact: 'true', includeTableArticles: 'true' },
	});
});
