import { bookingCredential, useService } from '../../support/service';

const here = useService();

/** `failure` of the error that a run without retries left ends with. */
async function failureUnder(fault: object, changes: object = {}, path = '/api/') {
	await here.service.control('POST', '/faults', { path, fault });
	await here.engine.credentials.add('mine', 'hospitalityBookingApi', {
		...bookingCredential(here.service.info),
		...changes,
	});
	const { error } = await here.engine.execute({
		node: 'hospitalityBooking',
		parameters: {
			resource: 'webBooking',
			operation: 'cancel',
			webBookingId: '3f2504e0-4f89-41d3-9a0c-0305e82c3301',
		},
		credentials: { hospitalityBookingApi: 'mine' },
	});
	return error && 'failure' in error ? error.failure : undefined;
}

describe('an error of a run says why in the terms that n8n waits by', () => {
	it('after 503 without Retry-After', async () => {
		const fault = { kind: 'rateLimit', status: 503, retryAfter: 'none' };
		expect(await failureUnder(fault)).toEqual({ cause: 'temporarily-unavailable' });
	});

	it('after 401 with a new token', async () => {
		expect(await failureUnder({ kind: 'status', status: 401 })).toEqual({ cause: 'credential-invalid' });
	});

	it('after a cut connection', async () => {
		expect(await failureUnder({ kind: 'cut' })).toEqual({ cause: 'temporarily-unavailable' });
	});

	it('after a refused secret', async () => {
		expect(await failureUnder({ kind: 'delay', ms: 1 }, { clientSecret: 'another' })).toEqual({
			cause: 'credential-invalid',
		});
	});

	it('after a token service that asks to wait', async () => {
		const fault = { kind: 'rateLimit', retryAfter: 'seconds', seconds: 120 };
		expect(await failureUnder(fault, { clientId: 'not-used-before' }, '/connect/token')).toEqual({
			cause: 'rate-limited',
			retryAfterMs: 120_000,
		});
	});
});
