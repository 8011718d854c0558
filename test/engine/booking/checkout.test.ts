import type { INodeParameters } from 'n8n-workflow';
import type { ExecuteOptions, Run } from '../support/engine';
import { useSandbox } from './setUp';

const setting = useSandbox();

async function run(
	operation: string,
	parameters: INodeParameters,
	rest: Partial<ExecuteOptions> = {},
): Promise<Run> {
	return await setting.engine.execute({
		node: 'hospitalityBooking',
		parameters: { resource: 'checkoutBooking', operation, ...parameters },
		...rest,
	});
}

const checkOut = async (parameters: INodeParameters = {}, rest: Partial<ExecuteOptions> = {}) =>
	await run('checkOut', { bookingRootId: String(setting.records.rootId), ...parameters }, rest);

/** What the service answers instead, e.g. with errors under a name of its own. */
async function answer(body: unknown): Promise<void> {
	await setting.service.control('POST', '/faults', {
		path: '/checkout/bookings/',
		fault: { kind: 'status', status: 200, body, contentType: 'application/json' },
	});
}

test('check out gives the booking flattened, with warnings in the output', async () => {
	const checkedOut = await checkOut();

	expect(checkedOut.error).toBeUndefined();
	expect(Object.keys(checkedOut.json()[0] ?? {})).toEqual([
		'bookingNumber',
		'bookingRootId',
		'status',
		'start',
		'end',
		'guests',
		'contactName',
		'mustBeInvoiced',
		'warnings',
		'errors',
	]);
	expect(checkedOut.json()[0]).toMatchObject({
		bookingRootId: setting.records.rootId,
		mustBeInvoiced: true,
		warnings: ['The guests were not checked in'],
		errors: [],
	});
});

test('an error inside a success fails the item and is listed with its data filled in', async () => {
	await checkOut();
	const { status, error } = await checkOut();

	expect(status).toBe('error');
	expect(error?.message).toMatch(
		/^The service refused it: Booking B\d+ is already marked for invoicing – Check out booking \[item 0\]$/,
	);
});

test('errors about properties name property and message, each once', async () => {
	const { error } = await checkOut({ additionalFields: { tableArticleIds: '998, 999' } });

	expect(error?.message).toBe(
		"The service refused it: 'tableArticleIds': The booking has no table 998; 'tableArticleIds': The booking has no table 999 – Check out booking [item 0]",
	);
	expect(error?.description).toContain("'Validation Errors'");
});

test('errors go to the error output with the fields they name', async () => {
	const refused = await checkOut(
		{ additionalFields: { tableArticleIds: 999 } },
		{ onError: 'continueErrorOutput' },
	);

	expect(refused.output(0)).toEqual([]);
	expect(refused.json(1)[0]?.details).toMatchObject({
		fields: [{ field: 'tableArticleIds', message: "'tableArticleIds': The booking has no table 999" }],
	});
});

test("'Return in Output' keeps errors and warnings in the output", async () => {
	const parameters = {
		additionalFields: { tableArticleIds: '999' },
		options: { validationErrors: 'return' },
	};
	const simplified = await checkOut(parameters);
	const raw = await checkOut({ ...parameters, output: 'raw' });

	expect(simplified.json()[0]).toMatchObject({
		errors: ["'tableArticleIds': The booking has no table 999"],
	});
	expect(raw.json()[0]).toMatchObject({
		validationResult: { propertyErrors: [{ propertyName: 'tableArticleIds' }] },
		validationResults: { tableArticleIds: { propertyErrors: [{ propertyName: 'tableArticleIds' }] } },
	});
});

test.each(['checkOut', 'cancelToBeInvoiced'])(
	'%s finds errors that only stand in validationResults',
	async (operation) => {
		await answer({
			result: {},
			validationResult: null,
			validationResults: {
				payment: { generalErrors: [{ message: 'No {kind}', messageData: { kind: 'card' } }] },
			},
		});
		const { error } = await run(operation, {
			bookingRootId: String(setting.records.rootId),
			alias: setting.records.alias,
		});

		expect(error?.message).toContain('The service refused it: No card');
	},
);

test.each([{}, { validationResult: { generalErrors: [] }, validationResults: {} }])(
	'an answer without errors (%j) is a success',
	async (body) => {
		await answer(body);
		const checkedOut = await checkOut({ output: 'raw' });

		expect(checkedOut.error).toBeUndefined();
		expect(checkedOut.json()).toEqual([body]);
	},
);

test('an answer without a body is told as a success, in whatever output', async () => {
	await setting.service.control('POST', '/faults', { path: '/checkout/bookings/', fault: { kind: 'empty' } });

	expect((await checkOut()).json()).toEqual([{ success: true }]);
	expect((await checkOut({ output: 'selected', outputFields: ['result'] })).json()).toEqual([
		{ success: true },
	]);
});

test('cancel to be invoiced keeps the warning of a booking that was canceled before', async () => {
	await run('cancelToBeInvoiced', { alias: setting.records.alias });
	const again = await run('cancelToBeInvoiced', { alias: setting.records.alias });

	expect(again.json()[0]).toMatchObject({
		warnings: [`Booking ${setting.records.alias} was canceled before`],
	});
});

test.each<[string, INodeParameters, string]>([
	['cancelToBeInvoiced', { alias: ' ' }, "'Alias' is empty"],
	['cancelToBeInvoiced', { alias: '={{ "" }}' }, "'Alias' is empty"],
	['checkIn', { bookingRootId: '2147483648' }, "'Booking Root ID' is '2147483648'"],
	['checkIn', { bookingRootId: '../1' }, "'Booking Root ID' is '../1'"],
	['checkOut', { bookingRootId: '9007199254740993' }, "'Booking Root ID' is '9007199254740993'"],
	['checkOut', { additionalFields: { tableArticleIds: '1, x' } }, "'Table Article IDs' holds something"],
])('%s with %j is refused and nothing is sent', async (operation, parameters, message) => {
	await setting.service.forgetRequests();
	const { error } = await run(operation, parameters);

	expect(error?.message).toContain(message);
	expect(error?.message).toContain('[item 0]');
	expect(await setting.service.requests()).toEqual([]);
});
