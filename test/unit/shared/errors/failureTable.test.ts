import type { CallFailure, NoTokenReason } from '../../../../nodes/shared/errors/failure';
import { type Outcome, outcomeOf } from '../../../../nodes/shared/errors/failureTable';

type Row = [Outcome['mayHaveActed'], Outcome['next'], Outcome['limiter'], Outcome['cause']];

const status = (code: number, retryAfterMs?: number): CallFailure => {
	return { kind: 'status', status: code, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) };
};
const broken = (code: string): CallFailure => ({ kind: 'connection', code });
const WORDS = {
	addressField: 'Token URL Base',
	rejected: ['No', 'Check'],
	notAllowed: ['Not allowed', 'Ask'],
	none: ['None', 'Check'],
} as const;
const ofToken = (failure: CallFailure, reason: NoTokenReason = 'none'): CallFailure => {
	return { ...failure, ofToken: { ...WORDS, reason } };
};

const REJECTED: Row = [false, 'end', 'responded', undefined];
const ERRORED: Row = [true, 'end', 'responded', 'temporarily-unavailable'];
const UNAVAILABLE: Row = [true, 'retryIfSafe', 'failed', 'temporarily-unavailable'];
const NOT_ACCEPTED: Row = [false, 'retryWhenReady', 'notAccepted', 'temporarily-unavailable'];
const RATE_LIMITED: Row = [false, 'retryWhenReady', 'throttled', 'rate-limited'];
const MISCONFIGURED: Row = [false, 'end', 'responded', 'configuration-invalid'];

const TABLE: Array<[CallFailure, Row]> = [
	...[400, 404, 405, 409, 410, 413, 415, 422, 423, 425, 499].map((code): [CallFailure, Row] => [
		status(code),
		REJECTED,
	]),
	[status(401), [false, 'end', 'responded', 'credential-invalid']],
	[status(403), MISCONFIGURED],
	[status(407), MISCONFIGURED],
	...[304, 408, 500, 501, 520].map((code): [CallFailure, Row] => [status(code), ERRORED]),
	...[502, 503, 504].map((code): [CallFailure, Row] => [status(code), UNAVAILABLE]),
	[status(429), RATE_LIMITED],
	[status(429, 1_000), RATE_LIMITED],
	[status(503, 0), NOT_ACCEPTED],
	[status(503, 1_000), NOT_ACCEPTED],
	[status(502, 1_000), UNAVAILABLE],
	...['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH'].map(
		(code): [CallFailure, Row] => [broken(code), NOT_ACCEPTED],
	),
	...['ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ECONNABORTED'].map((code): [CallFailure, Row] => [
		broken(code),
		UNAVAILABLE,
	]),
	...[
		'CERT_HAS_EXPIRED',
		'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
		'EPROTO',
		'ERR_SSL_WRONG_VERSION_NUMBER',
	].map((code): [CallFailure, Row] => [broken(code), MISCONFIGURED]),
	...[
		'HPE_INVALID_CONSTANT',
		'Z_DATA_ERROR',
		'ERR__ERROR_FORMAT_PADDING_1',
		'ZSTD_error_prefix_unknown',
	].map((code): [CallFailure, Row] => [
		broken(code),
		[true, 'end', 'responded', 'configuration-invalid'],
	]),
	[broken('ERR_CANCELED'), [true, 'end', 'cancelled', 'temporarily-unavailable']],
	[{ kind: 'connection', code: 'ETIMEDOUT', isUnconnected: true }, NOT_ACCEPTED],
	[{ kind: 'redirect', status: 302, address: '' }, MISCONFIGURED],
	[
		{ kind: 'redirect', status: 303, address: 'https://other' },
		[true, 'end', 'responded', 'configuration-invalid'],
	],
	[
		{ kind: 'body', reason: 'format', status: 200, problem: 'is empty' },
		[true, 'end', 'responded', undefined],
	],
	[{ kind: 'waited' }, [false, 'end', 'cancelled', 'temporarily-unavailable']],
	[
		{ ...broken('ECONNRESET'), isUnsent: true },
		[false, 'retryIfSafe', 'failed', 'temporarily-unavailable'],
	],
	// Of a request for a token: the call itself was not sent.
	[ofToken(status(400), 'rejected'), [false, 'end', 'responded', 'credential-invalid']],
	[ofToken(status(400), 'notAllowed'), MISCONFIGURED],
	[ofToken(status(403), 'notAllowed'), MISCONFIGURED],
	[ofToken(status(503), 'rejected'), [false, 'end', 'notAccepted', 'credential-invalid']],
	[ofToken(status(200)), MISCONFIGURED],
	[ofToken(status(500)), [false, 'end', 'responded', 'temporarily-unavailable']],
	[ofToken(status(503)), NOT_ACCEPTED],
	[ofToken(status(429)), RATE_LIMITED],
	[ofToken(broken('ECONNRESET')), NOT_ACCEPTED],
	[ofToken(broken('HPE_INVALID_CONSTANT')), MISCONFIGURED],
];

describe('what follows from how a call has ended: may it have acted, what next, what the limiter learns, why', () => {
	it.each(TABLE)('%j: %j', (failure, row) => {
		const { mayHaveActed, next, limiter, cause } = outcomeOf(failure);
		expect([mayHaveActed, next, limiter, cause]).toEqual(row);
	});
});
