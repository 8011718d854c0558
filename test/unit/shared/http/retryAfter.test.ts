import { parseRetryAfter } from '../../../../nodes/shared/http/response';

const now = new Date('2026-03-01T12:00:00Z');

describe('Retry-After', () => {
	it('is read in seconds and as a date', () => {
		expect(parseRetryAfter('7', now)).toBe(7000);
		expect(parseRetryAfter(' 120 ', now)).toBe(120_000);
		expect(parseRetryAfter('1.2', now)).toBe(1200);
		expect(parseRetryAfter('Sun, 01 Mar 2026 12:00:09 GMT', now)).toBe(9000);
	});

	it('that has passed is no wait, and one that cannot be read is none given', () => {
		expect(parseRetryAfter('Sun, 01 Mar 2026 11:00:00 GMT', now)).toBe(0);
		for (const text of ['soon', '9'.repeat(400), '7 s', 's 7', '1.5.2', '.5', '-1', ''])
			expect(parseRetryAfter(text, now)).toBeUndefined();
		expect(parseRetryAfter(undefined, now)).toBeUndefined();
	});
});
