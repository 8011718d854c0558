import {
	listFields,
	readServiceMessage,
	readValidationResults,
	serviceSays,
} from '../../../../nodes/shared/errors/serviceMessage';

/** With backslashes, which each way of writing a text doubles. */
const SECRET = 'a\\\\\\\\\\\\\\\\secret<b>';
const LINK = '<a href="https://evil.example.com" style="position:fixed;inset:0">\u202e\u0007x</a>';

describe('what the service says', () => {
	it.each<[what: string, body: unknown, text: string, fields?: object[]]>([
		[
			'ProblemDetails, with the fields it names',
			{
				type: 'https://example.com/validation',
				title: 'One or more fields are not valid',
				status: 400,
				detail: 'See errors',
				extensions: { errors: { customerId: ['must be positive', 'is required'] } },
			},
			'One or more fields are not valid: See errors',
			[{ field: 'customerId', message: 'must be positive, is required' }],
		],
		[
			'ProblemDetails with a list of fields, each with its message or else its ID',
			{
				title: 'Bad Request',
				message: 'Bad Request',
				detail: 'The request is not valid',
				extensions: {
					errors: [
						{ field: 'times[0].start', errorId: 'Format', message: 'must be a date-time' },
						{ field: 'guests', errorId: 'Required' },
					],
				},
			},
			'Bad Request: The request is not valid',
			[
				{ field: 'times[0].start', message: 'must be a date-time' },
				{ field: 'guests', message: 'Required' },
			],
		],
		[
			'an ArticleValidationError',
			{
				statusCode: 400,
				message: 'Validation failed',
				entity: 'Article',
				validationErrors: [{ field: 'items[3].articleId', errorId: 'NotFound' }],
			},
			'Validation failed',
			[{ field: 'items[3].articleId', message: 'NotFound' }],
		],
		[
			'an OAuth error',
			{ error: 'invalid_client', error_description: 'client authentication failed' },
			'invalid_client: client authentication failed',
		],
		[
			'the title of a web page',
			'<!DOCTYPE html><html><head><title>502 Bad Gateway</title></head></html>',
			'a web page instead of data: 502 Bad Gateway',
		],
		['plain text', '  too\n busy ', 'too busy'],
		...[undefined, null, '', 7, [], {}].map((body): [string, unknown, string] => [
			'no text',
			body,
			'',
		]),
	])('is read from %s: %j', (_, body, text, fields = []) => {
		const page = text.startsWith('a web page') ? { isPage: true } : {};
		expect(readServiceMessage(body, [])).toEqual({ text, fields, ...page });
	});

	it.each<[given: unknown, messages: string[]]>([
		[
			[{ message: 'Closed' }, 'Late', null, '', 7],
			['Closed', 'Late'],
		],
		[{ message: '{a} closed', messageData: { a: 'Bar' } }, ['Bar closed']],
		['Closed', ['Closed']],
		...[undefined, null, '', {}, [], false].map((none): [unknown, string[]] => [none, []]),
	])('of a check-out is read from a list or from one message: %j', (given, messages) => {
		for (const name of ['generalErrors', 'propertyErrors']) {
			for (const result of [
				{ validationResult: { [name]: given } },
				{ validationResults: { a: { [name]: given } } },
			]) {
				expect(readServiceMessage(result, []).fields.map(({ message }) => message)).toEqual(
					messages,
				);
			}
		}
	});

	it('is shortened', () => {
		expect(readServiceMessage('x'.repeat(5000), []).text).toHaveLength(400);
	});

	it.each<[where: string, body: unknown]>([
		['words', { title: 'No', detail: 'token a-secret<1 is unknown' }],
		['the name of a field', { errors: { 'a-secret<1': ['no'] } }],
		['what is said of a field', { validationErrors: [{ field: 'id', errorId: 'a-secret<1' }] }],
		[
			'a message of a check-out',
			{
				validationResult: {
					generalErrors: [{ message: '{a}{b}', messageData: { a: 'a-secret', b: '<1' } }],
				},
			},
		],
		['the title of a page', '<html><title>a-secret<1</title>'],
		['plain text', 'a-secret<1'],
	])('never holds a secret in %s, nor the start of one as long as a header carries', (_, body) => {
		for (const secret of ['a-secret<1', `a-secret${'x'.repeat(15_000)}<1`]) {
			const json = JSON.stringify(body).replaceAll('a-secret', secret.slice(0, -2));
			const read = JSON.stringify(readServiceMessage(JSON.parse(json), [secret]));
			expect(read).toContain('***');
			expect(read).not.toContain('a-secret');
		}
	});

	it('is no longer than a person reads, however much there is of it', () => {
		const errors = Object.fromEntries(
			Array.from({ length: 10_000 }, (_, index) => [`f${index}`, ['x'.repeat(5_000)]]),
		);
		const { fields } = readServiceMessage({ errors }, []);
		expect(fields.length).toBeLessThanOrEqual(500);
		expect(listFields(fields).length).toBeLessThanOrEqual(1_000);
		const messageData = { a: 'x'.repeat(100_000) };
		const [filled] = readValidationResults(
			{ validationResult: { generalErrors: [{ message: '{a}'.repeat(600), messageData }] } },
			'Errors',
		);
		expect(filled?.message).toHaveLength(20_000);
	});

	it.each<[what: string, body: unknown]>([
		['backslashes', '\\'.repeat(80_000)],
		[
			'ProblemDetails of markup',
			{ title: LINK, detail: '\\'.repeat(40_000), errors: { [LINK]: [LINK] } },
		],
		[
			'an ArticleValidationError of markup',
			{ message: LINK, validationErrors: [{ field: LINK, errorId: LINK }] },
		],
		['a CheckoutResult of markup', { validationResult: { generalErrors: [{ message: LINK }] } }],
		['half a title, again and again', '<title'.repeat(10_000)],
		['half a token, again and again', 'eyJ-'.repeat(16_000)],
		['the secret', { title: SECRET, detail: JSON.stringify(SECRET) }],
	])('is read without markup or secret from %s', (_, body) => {
		const { text, fields } = readServiceMessage(body, [SECRET]);
		const read = serviceSays(text, listFields(fields)) + JSON.stringify(fields);

		// eslint-disable-next-line no-control-regex
		expect(read).not.toMatch(/[<>\u0007\u202e]/);
		expect(read).not.toContain(SECRET);
		expect(read.length).toBeLessThan(4_000);
	});
});
