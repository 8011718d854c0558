import { readServiceMessage } from '../../../../nodes/shared/errors/serviceMessage';

describe('what the service says', () => {
	it('is read from ProblemDetails, with the fields it names', () => {
		const { text, fields } = readServiceMessage({
			type: 'https://example.com/validation',
			title: 'One or more fields are not valid',
			status: 400,
			detail: 'See errors',
			extensions: { errors: { customerId: ['must be positive', 'is required'] } },
		});
		expect(text).toBe('One or more fields are not valid: See errors');
		expect(fields).toEqual([{ field: 'customerId', message: 'must be positive, is required' }]);
	});

	it('is read from an ArticleValidationError', () => {
		const { text, fields } = readServiceMessage({
			statusCode: 400,
			message: 'Validation failed',
			validationErrors: [{ field: 'items[3].articleId', errorId: 'NotFound' }],
			entity: 'Article',
		});
		expect(text).toBe('Validation failed');
		expect(fields).toEqual([{ field: 'items[3].articleId', message: 'NotFound' }]);
	});

	it('is read from an OAuth error', () => {
		expect(
			readServiceMessage({ error: 'invalid_client', error_description: 'client authentication failed' }).text,
		).toBe('invalid_client: client authentication failed');
	});

	it('is the title of a web page, not its markup', () => {
		expect(
			readServiceMessage('<!DOCTYPE html><html><head><title>502 Bad Gateway</title></head></html>').text,
		).toBe('a web page instead of data: 502 Bad Gateway');
	});

	it('is plain text as it stands, shortened', () => {
		expect(readServiceMessage('  too\n busy ').text).toBe('too busy');
		expect(readServiceMessage('x'.repeat(5000)).text).toHaveLength(400);
	});

	it.each([undefined, null, '', 7, [], {}])('is nothing for %p', (body) => {
		expect(readServiceMessage(body)).toEqual({ text: '', fields: [] });
	});

	it('never holds a token', () => {
		expect(readServiceMessage({ detail: 'token Bearer secret-token is unknown' }).text).not.toContain(
			'secret-token',
		);
	});
});
