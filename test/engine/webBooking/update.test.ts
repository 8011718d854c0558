import { fullCall } from '../support/body';
import { byId, expressionOf, testOperation } from '../support/operation';

const TIMES = { timeSetDate: '2031-05-01T18:00:00Z', guests: 2 };

const here = testOperation('webBooking.update', {
	smallest: ({ guid }) => ({
		parameters: { webBookingId: byId(guid), timeSetDate: '2031-05-01T18:00:00Z', guests: 0, times: {} },
		body: { bookingGuid: guid, timeSetDate: '2031-05-01T18:00:00Z', guests: 0, times: [] },
	}),
	fullest: ({ guid }) => fullCall('webBooking.update', { bookingGuid: guid, bookingStatus: 2 }),
	refuses: [
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
			'JSON without what is required',
			{ bodyMode: 'json', jsonBody: '{"guests": 2, "times": []}' },
			"'JSON: timeSetDate' is missing",
		],
	],
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
