import { readServiceMessage } from '../../../../nodes/shared/errors/serviceMessage';

describe('what the service says', () => {
	it.each<[what: string, body: unknown, text: string, fields?: object[]]>([
		[
			'ProblemDetails, with the fields it names',
			{
				...{ type: 'https://example.com/validation', title: 'One or more fields are not valid', status: 400 },
				detail: 'See errors',
				extensions: { errors: { customerId: ['must be positive', 'is required'] } },
			},
			'One or more fields are not valid: See errors',
			[{ field: 'customerId', message: 'must be positive, is required' }],
		],
		[
			'an ArticleValidationError',
			{
				...{ statusCode: 400, message: 'Validation failed', entity: 'Article' },
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
		...[undefined, null, '', 7, [], {}].map((body): [string, unknown, string] => ['no text', body, '']),
	])('is read from %s: %j', (_, body, text, fields = []) => {
		expect(readServiceMessage(body)).toEqual({ text, fields });
	});

	it('is shortened', () => {
		expect(readServiceMessage('x'.repeat(5000)).text).toHaveLength(400);
	});

	it('never holds a token', () => {
		const { text } = readServiceMessage({ detail: 'token Bearer secret-token is unknown' });
		expect(text).not.toContain('secret-token');
	});
});
