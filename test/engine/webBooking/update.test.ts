import { COMPANY, fromFields, fullBody, INVOICE_ADDRESS, MESSAGES, under } from '../support/body';
import { byId, expressionOf, testOperation } from '../support/operation';
import { bookingCredential } from '../support/service';

const CONTACT =
	'returning id fname lname phone mobile fax email streetaddress zipcode city newsletter lastGrab allowStoringForever deliveryInfo';
const TIMES = { timeSetDate: '2031-05-01T18:00:00Z', guests: 2 };

const layout = {
	'': ['bookingGuid', 'timeSetDate', 'times', 'guests'],
	details: [
		...'guestsChildren bookingStatus message lang eventTag isWaitList isInquiry isPending'.split(' '),
		...'markings replaceTimes removeTimes'.split(' '),
	],
	guest: under('contact', CONTACT),
	company: under('customer', COMPANY),
	invoice: [...under('customer', INVOICE_ADDRESS), 'payMethod', 'invoiceMarking'],
	messages: MESSAGES,
};

const here = testOperation('webBooking.update', {
	smallest: ({ guid }) => ({
		parameters: { webBookingId: byId(guid), timeSetDate: '2031-05-01T18:00:00Z', guests: 0, times: {} },
		body: { bookingGuid: guid, timeSetDate: '2031-05-01T18:00:00Z', guests: 0, times: [] },
	}),
	fullest: ({ guid }) => {
		const body = fullBody('webBooking.update', { bookingGuid: guid, bookingStatus: 2 });
		return { parameters: fromFields(body, layout, { locators: { bookingGuid: 'webBookingId' } }), body };
	},
	refuses: [
		['an empty number of guests', { guests: '' }, "'Guests' is empty"],
		['half a guest', { guests: 1.5 }, "'Guests' is 1.5"],
		['too many guests', { guests: 2 ** 31 }, "'Guests' is out of range"],
		['a time that is no date', { timeSetDate: expressionOf('soon') }, "'Time Set Date' is not a date"],
		[
			'a bad time in the second row',
			{
				...TIMES,
				times: {
					entry: [
						{ ruleId: '1', start: '2031-05-01T18:00:00Z' },
						{ ruleId: '1', start: expressionOf('soon') },
					],
				},
			},
			"'Times 2: Start' is not a date",
		],
		[
			'an ID beyond 2^53',
			{ guest: { contactId: '9007199254740993' } },
			"'Contact ID' is out of range: 9007199254740993",
		],
		['broken JSON', { bodyMode: 'json', jsonBody: '{"guests": 2' }, "'JSON' is not valid JSON"],
		[
			'JSON without what is required',
			{ bodyMode: 'json', jsonBody: '{"guests": 2, "times": []}' },
			"'JSON: timeSetDate' is missing",
		],
		[
			'JSON of another type deep inside',
			{
				bodyMode: 'json',
				jsonBody:
					'{"guests": 2, "timeSetDate": "2031-05-01T18:00:00Z", "times": [{"ruleId": 311}, {"ruleId": "x"}]}',
			},
			"'JSON: times[1].ruleId' is of another type",
		],
		['a list as JSON', { bodyMode: 'json', jsonBody: '[]' }, "'JSON' is not a JSON object"],
	],
});

test('reads times without an offset in the time zone of the credential, also in rows', async () => {
	await here.engine.credentials.add('oslo', 'hospitalityBookingApi', {
		...bookingCredential(here.service.info),
		timeZone: 'Europe/Oslo',
	});
	await here.run(
		{
			webBookingId: byId(here.records.guid),
			timeSetDate: '2031-07-01T18:00:00',
			guests: 2,
			times: { entry: [{ ruleId: '7', start: '2031-01-01T18:00:00' }] },
		},
		{ credentials: { hospitalityBookingApi: 'oslo' } },
	);

	expect((await here.service.requests())[0]?.body).toEqual({
		bookingGuid: here.records.guid,
		timeSetDate: '2031-07-01T18:00:00+02:00',
		guests: 2,
		times: [{ ruleId: 7, start: '2031-01-01T18:00:00+01:00' }],
	});
});

test('sends a text of a million characters whole', async () => {
	const message = 'x'.repeat(1_000_000);
	const { guid } = here.records;
	const { error } = await here.run(
		{ webBookingId: byId(guid), ...TIMES, times: {}, details: { message: '={{ $json.message }}' } },
		{ items: [{ message }] },
	);

	expect(error).toBeUndefined();
	expect((await here.service.requests())[0]?.body).toMatchObject({ message });
});
