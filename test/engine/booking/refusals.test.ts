import type { INodeParameters } from 'n8n-workflow';
import { bookingCredential } from '../support/service';
import { wireOperations } from './operations';
import { useSandbox } from './setUp';

const setting = useSandbox();

const TIMES = { timeSetDate: '2031-05-01T18:00:00Z', guests: 2 };

/** An expression, so that the value arrives as it is and n8n does not refuse it first. */
const given = (value: unknown) => `={{ ${JSON.stringify(value)} }}`;

test.each<[operation: string, what: string, INodeParameters, message: string]>([
	['webBooking.update', 'no number of guests', { guests: '' }, "'Guests' is empty"],
	['webBooking.update', 'half a guest', { guests: 1.5 }, "'Guests' is not a whole number"],
	['webBooking.update', 'too many guests', { guests: 2 ** 31 }, "'Guests' is out of range"],
	[
		'webBooking.update',
		'a time that is none',
		{ timeSetDate: given('soon') },
		"'Time Set Date' is not a date",
	],
	[
		'webBooking.update',
		'a bad time in the second row',
		{
			...TIMES,
			times: {
				entry: [
					{ ruleId: '1', start: '' },
					{ ruleId: '1', start: given('soon') },
				],
			},
		},
		"'Times 2: Start' is not a date",
	],
	[
		'webBooking.update',
		'an ID beyond 2^53',
		{ guest: { contactId: '9007199254740993' } },
		"'Contact ID' is '9007199254740993'",
	],
	[
		'webBooking.update',
		'no JSON',
		{ bodyMode: 'json', jsonBody: '{"guests": 2' },
		"'JSON' is not valid JSON",
	],
	[
		'webBooking.update',
		'JSON without what is required',
		{ bodyMode: 'json', jsonBody: '{"guests": 2, "times": []}' },
		"'JSON: timeSetDate' is missing",
	],
	[
		'webBooking.update',
		'JSON of another type deep inside',
		{
			bodyMode: 'json',
			jsonBody: '{"guests": 2, "timeSetDate": "2031-05-01T18:00:00Z", "times": [{}, {"ruleId": "x"}]}',
		},
		"'JSON: times[1].ruleId' is of another type",
	],
	[
		'webBooking.update',
		'a list as JSON',
		{ bodyMode: 'json', jsonBody: '[]' },
		"'JSON' is not a JSON object",
	],
	[
		'webBooking.updatePayment',
		'text for money',
		{ payment: { chargePayedAmount: given('much') } },
		"'Paid Amount'",
	],
	['survey.updateContent', 'an empty title', { title: given('') }, "'Title' is empty"],
	['survey.updateContent', 'no list of pages', { pages: '{}' }, "'Pages' is of another type"],
	[
		'survey.updateContent',
		'a question without a title',
		{ pages: '[{"sections":[{"questions":[{"id":1}]}]}]' },
		"'Pages 1: sections[0].questions[0].title' is missing",
	],
	[
		'campaign.update',
		'an image without a name in a map',
		{ marketing: { imageMap: { entry: [{ name: '', value: 'x' }] } } },
		"'Image Map 1: Name' is empty",
	],
	[
		'campaign.update',
		'requirements that are no list',
		{ rules: { requirements: '{"type": 1}' } },
		"'Requirements' is of another type",
	],
	['campaign.update', 'a path for an ID', { campaignId: '..' }, "'Campaign ID' is '..'"],
	[
		'contact.connectToCustomer',
		'a code not allowed',
		{ connection: { binaryFlags: given(2) } },
		"'Binary Flags'",
	],
	[
		'contact.connectToCustomer',
		'a filter ID that is too large',
		{ contact: { contactContactFilterData: { entry: [{ contactFilterId: '2147483648' }] } } },
		"'Contact Filters 1: Contact Filter ID' is '2147483648'",
	],
	['surveyRecipient.getAll', 'a status not allowed', { filters: { status: [7] } }, "'Status' is not one"],
	[
		'surveyRecipient.getAll',
		'a survey ID that is no GUID',
		{ filters: { surveyId: { __rl: true, mode: 'id', value: 'x' } } },
		"'Survey' is 'x'",
	],
])(
	'%s with %s is refused by the name of the parameter and nothing is sent',
	async (id, _, parameters, message) => {
		const operation = wireOperations.find((entry) => `${entry.resource}.${entry.operation}` === id);
		const run = await setting.engine.execute({
			node: 'hospitalityBooking',
			parameters: {
				resource: operation?.resource ?? '',
				operation: operation?.operation ?? '',
				...operation?.smallest(setting.records).parameters,
				...parameters,
			},
		});

		expect(run.status).toBe('error');
		expect(run.error?.message).toContain(message);
		expect(run.error?.message).toContain('[item 0]');
		expect(run.error?.description).toEqual(expect.stringMatching(/\w/));
		expect(await setting.service.requests()).toEqual([]);
	},
);

test('optional fields that are left alone in a row are not sent', async () => {
	await setting.engine.execute({
		node: 'hospitalityBooking',
		parameters: {
			resource: 'campaign',
			operation: 'update',
			campaignId: 'campaign-1',
			rules: {
				benefits: {
					entry: [
						{ benefitType: '', type: 'percentage', amountCents: '', percentage: 10, maxDiscountAmount: '' },
					],
				},
			},
		},
	});

	expect((await setting.service.requests()).map(({ body }) => body)).toEqual([
		{ benefits: [{ type: 'percentage', percentage: 10 }] },
	]);
});

describe('times without an offset', () => {
	const inOslo = async (parameters: INodeParameters) => {
		await setting.engine.credentials.add('oslo', 'hospitalityBookingApi', {
			...bookingCredential(setting.service.info),
			timeZone: 'Europe/Oslo',
		});
		await setting.engine.execute({
			node: 'hospitalityBooking',
			parameters: { resource: 'webBooking', ...parameters },
			credentials: { hospitalityBookingApi: 'oslo' },
		});
		return (await setting.service.requests())[0];
	};

	test('are those of the time zone in the credential, also in rows', async () => {
		const request = await inOslo({
			operation: 'update',
			webBookingId: { __rl: true, mode: 'id', value: setting.records.guid } as unknown as INodeParameters,
			timeSetDate: '2031-07-01T18:00:00',
			guests: 2,
			times: { entry: [{ ruleId: '', start: '2031-01-01T18:00:00' }] },
		});

		expect(request?.body).toEqual({
			bookingGuid: setting.records.guid,
			timeSetDate: '2031-07-01T18:00:00+02:00',
			guests: 2,
			times: [{ start: '2031-01-01T18:00:00+01:00' }],
		});
	});

	test('are so in the period of a list too', async () => {
		const request = await inOslo({
			operation: 'getAll',
			startTime: '2031-07-01T00:00:00',
			endTime: '2031-07-02T00:00:00',
			include: [],
		});

		expect(request?.query).toEqual({
			startTime: '2031-07-01T00:00:00+02:00',
			endTime: '2031-07-02T00:00:00+02:00',
		});
	});
});
