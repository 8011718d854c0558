import type { CallFailure } from '../../../../nodes/shared/errors/callFailure';
import { toNodeError } from '../../../../nodes/shared/errors/nodeErrors';
import { InvalidValueError } from '../../../../nodes/shared/values/invalidValue';
import { PLACE, callError } from './failures';

const connection = (code: string): CallFailure => ({ kind: 'connection', code });
const status = (number: number, retryAfterMs?: number): CallFailure => ({
	...{ kind: 'status', status: number, retryAfterMs },
});

describe('why a call failed, in the terms that n8n waits by,', () => {
	it('is declared with the pause that the service asks for', () => {
		const pause = { retryAfterMs: 30_000 };
		expect(callError(status(429, 30_000)).failure).toEqual({ cause: 'rate-limited', ...pause });
		expect(callError(status(503, 30_000)).failure).toEqual({ cause: 'temporarily-unavailable', ...pause });
	});

	it.each([
		[
			'declared for a value that must not be sent',
			new InvalidValueError('A', 'is 0', 'B'),
			'configuration-invalid',
		],
		['left open for what is not foreseen', new Error('boom'), undefined],
	])('is %s', (_, error, cause) => {
		expect(toNodeError(PLACE, error).failure).toEqual(cause && { cause });
	});
});

it.each([
	'DEPTH_ZERO_SELF_SIGNED_CERT',
	'SELF_SIGNED_CERT_IN_CHAIN',
	'CERT_HAS_EXPIRED',
	'ERR_TLS_CERT_ALTNAME_INVALID',
	'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
])('names a certificate that is not trusted as such: %s', (code) => {
	const error = callError(connection(code));
	expect(error.message).toContain(`The certificate of 'Base URL' is not trusted (${code})`);
	expect(error.description).toContain("'Ignore SSL Issues (Insecure)'");
});
