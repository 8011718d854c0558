import { ACTIONABLE_CAUSES, type INode, TIMED_CAUSES } from 'n8n-workflow';

import { CallError, type CallFault, TokenError, failureOf } from '../../../../nodes/shared/errors/callFault';
import { toNodeError } from '../../../../nodes/shared/errors/nodeErrors';
import { InvalidValueError } from '../../../../nodes/shared/values/invalidValue';

const node: INode = { id: '1', name: 'Node', type: 'x', typeVersion: 1, position: [0, 0], parameters: {} };
const place = { node, action: 'Get many customers', inRun: true };
const callError = (fault: CallFault) => toNodeError(place, new CallError(fault));
const connectionError = (code: string) => callError({ kind: 'connection', code });

describe('why a call failed, in the terms that n8n waits by,', () => {
	it.each([
		[429, 120_000, { cause: 'rate-limited', retryAfterMs: 120_000 }],
		[429, undefined, { cause: 'rate-limited' }],
		[503, 30_000, { cause: 'temporarily-unavailable', retryAfterMs: 30_000 }],
		[500, undefined, { cause: 'temporarily-unavailable' }],
		[502, undefined, { cause: 'temporarily-unavailable' }],
		[504, undefined, { cause: 'temporarily-unavailable' }],
		[408, undefined, { cause: 'temporarily-unavailable' }],
		[401, undefined, { cause: 'credential-invalid' }],
		[403, undefined, { cause: 'configuration-invalid' }],
		[400, undefined, undefined],
		[404, undefined, undefined],
	])('is declared for status %i', (status, retryAfterMs, expected) => {
		expect(callError({ kind: 'status', status, retryAfterMs }).failure).toEqual(expected);
	});

	it.each([
		['ECONNREFUSED', 'temporarily-unavailable'],
		['ETIMEDOUT', 'temporarily-unavailable'],
		['ENOTFOUND', 'temporarily-unavailable'],
		['CERT_HAS_EXPIRED', 'configuration-invalid'],
		['ERR_TLS_CERT_ALTNAME_INVALID', 'configuration-invalid'],
	])('is declared for %s', (code, cause) => {
		expect(connectionError(code).failure).toEqual({ cause });
	});

	it('is declared for a value that must not be sent', () => {
		expect(toNodeError(place, new InvalidValueError('Limit', 'is 0', 'More')).failure).toEqual({
			cause: 'configuration-invalid',
		});
	});

	it('is handed on from a token that could not be had', () => {
		const refused = new TokenError('refused', 'check', true, { cause: 'credential-invalid' });
		expect(toNodeError(place, refused).failure).toEqual({ cause: 'credential-invalid' });
	});

	it('is left open for what is not foreseen', () => {
		expect(toNodeError(place, new Error('boom')).failure).toBeUndefined();
	});

	it('names only causes that n8n knows', () => {
		const known: readonly string[] = [...TIMED_CAUSES, ...ACTIONABLE_CAUSES];
		for (let status = 300; status < 600; status++) {
			const failure = failureOf({ kind: 'status', status });
			if (failure) expect(known).toContain(failure.cause);
		}
	});
});

describe('a certificate that is not trusted', () => {
	it.each([
		['DEPTH_ZERO_SELF_SIGNED_CERT', /^The certificate of 'Base URL' is self-signed/],
		['CERT_HAS_EXPIRED', /^The certificate of 'Base URL' has expired/],
		['ERR_TLS_CERT_ALTNAME_INVALID', /^The certificate of 'Base URL' is for another host/],
		['UNABLE_TO_VERIFY_LEAF_SIGNATURE', /^The certificate of 'Base URL' .* certificates of its issuer/],
		['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', /^The certificate of 'Base URL' is not trusted/],
	])('is named as such: %s', (code, message) => {
		const error = connectionError(code);
		expect(error.message).toMatch(message);
		expect(error.message).toContain(code);
		expect(error.description).toContain("'Ignore SSL Issues (Insecure)'");
	});
});
