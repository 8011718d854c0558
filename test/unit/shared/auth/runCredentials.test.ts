import type { ICredentialDataDecryptedObject, IExecuteFunctions, IPollFunctions } from 'n8n-workflow';

import {
	type CallingContext,
	type CredentialName,
	beginPoll,
	callWithCredentials,
	readNodeCall,
} from '../../../../nodes/shared/auth/runCredentials';

const IN_AN_HOUR = String(Date.now() + 3_600_000);
const A_SECOND_AGO = String(Date.now() - 1_000);

type Respond = (data: ICredentialDataDecryptedObject) => Promise<number>;

/** A run whose calls `respond` stands in for, with a status; it is given the credential as n8n would use it. */
function runWith(
	stored: ICredentialDataDecryptedObject,
	respond: Respond,
	credential: CredentialName = 'hospitalityBookingApi',
) {
	const getCredentials = jest.fn(async () => stored);
	const run = { getCredentials, getExecutionCancelSignal: () => undefined } as unknown as IExecuteFunctions;
	const poll = { getCredentials } as unknown as IPollFunctions;
	const settings = { network: { timeout: 7 }, takesToken: true };
	const send = async (context: CallingContext, changes: Partial<typeof settings> = {}) => {
		const { response } = await callWithCredentials(
			context,
			credential,
			{ ...settings, ...changes },
			async ({ credentialsDecrypted }) => ({
				statusCode: await respond(credentialsDecrypted?.data ?? {}),
				headers: {},
				body: undefined,
			}),
		);
		return response.statusCode;
	};
	return { getCredentials, run, poll, send };
}

it('reads the credential once for all calls of a run, those under way together included', async () => {
	const { getCredentials, run, send } = runWith({ accessToken: 'one' }, async () => 200);

	expect(await Promise.all([send(run), send(run)])).toEqual([200, 200]);
	expect(await send(run)).toBe(200);
	expect(getCredentials).toHaveBeenCalledTimes(1);
});

it('reads the credential once for all calls of a poll, and anew for the next poll, though n8n keeps the context', async () => {
	const { getCredentials, poll, send } = runWith({ accessToken: 'one' }, async () => 200);

	beginPoll(poll);
	await send(poll);
	await send(poll);
	expect(getCredentials).toHaveBeenCalledTimes(1);
	beginPoll(poll);
	await send(poll);
	expect(getCredentials).toHaveBeenCalledTimes(2);
});

it('asks n8n for a new token when its own expires during the run, and goes on with the new one', async () => {
	const states: unknown[] = [];
	const stored = { accessToken: 'old', sessionState: 'valid', expiresAt: A_SECOND_AGO };
	const { run, send } = runWith(stored, async (data) => {
		states.push(data.sessionState);
		if (data.sessionState === '')
			Object.assign(data, { accessToken: 'new', sessionState: 'valid', expiresAt: IN_AN_HOUR });
		return data.accessToken === 'new' ? 200 : 401;
	});

	expect([await send(run), await send(run)]).toEqual([200, 200]);
	expect(states).toEqual(['', 'valid']);
});

it.each([
	['hospitalityBookingApi', 'accessToken', 'sessionState'],
	['hospitalityPaymentApi', 'authenticationToken', 'authenticationToken'],
] as const)(
	'repeats a refused call of %s once, asking n8n for a token other than the refused one',
	async (credential, token, expirable) => {
		const seen: unknown[] = [];
		const stored = { [token]: 'old', ...(expirable === token ? {} : { [expirable]: 'valid' }) };
		const respond: Respond = async (data) => {
			seen.push([data[expirable] === '', readNodeCall(data)?.refusedToken]);
			if (data[expirable] === '') Object.assign(data, { [token]: 'new', [expirable]: 'new' });
			return 401;
		};
		const { run, send } = runWith(stored, respond, credential);

		expect(await send(run)).toBe(401);
		expect(seen).toEqual([
			[false, ''],
			[true, 'old'],
		]);
	},
);

it('takes the token that another call of the run has got meanwhile, and asks for none', async () => {
	const asked: unknown[] = [];
	const release: Array<() => void> = [];
	const stored = { accessToken: 'old', sessionState: 'valid', expiresAt: IN_AN_HOUR };
	const { run, send } = runWith(stored, async (data) => {
		asked.push(data.sessionState === '');
		if (data.sessionState === '') Object.assign(data, { accessToken: 'new', sessionState: 'valid' });
		if (data.accessToken === 'new') return 200;
		await new Promise<void>((resolve) => release.push(resolve));
		return 401;
	});
	const calls = [send(run), send(run)];
	await new Promise(setImmediate);
	release[0]?.();
	await calls[0];
	release[1]?.();

	expect(await Promise.all(calls)).toEqual([200, 200]);
	expect(asked).toEqual([false, false, true, false]);
	expect(await send(run)).toBe(200);
});

it('starts no call with a token that another call of the run has seen refused', async () => {
	const seen: unknown[] = [];
	let comes: (() => void) | undefined;
	const stored = { accessToken: 'old', sessionState: 'valid', expiresAt: IN_AN_HOUR };
	const { run, send } = runWith(stored, async (data) => {
		seen.push([data.sessionState, readNodeCall(data)?.refusedToken]);
		if (data.sessionState === 'valid') return data.accessToken === 'new' ? 200 : 401;
		if (!comes) await new Promise<void>((resolve) => (comes = resolve));
		Object.assign(data, { accessToken: 'new', sessionState: 'valid' });
		return 200;
	});
	const first = send(run);
	await new Promise(setImmediate);
	const second = send(run);
	await new Promise(setImmediate);
	comes?.();

	expect(await Promise.all([first, second])).toEqual([200, 200]);
	expect(seen).toEqual([
		['valid', ''],
		['', 'old'],
		['', 'old'],
	]);
	await send(run);
	expect(seen.at(-1)).toEqual(['valid', '']);
});

it('lets n8n ask for no token, and repeats nothing, for a call that takes none', async () => {
	const tokens: unknown[] = [];
	const respond: Respond = async ({ authenticationToken }) => {
		tokens.push(authenticationToken);
		return 401;
	};
	const { run, send } = runWith({ authenticationToken: '' }, respond, 'hospitalityPaymentApi');

	expect(await send(run, { takesToken: false })).toBe(401);
	expect(tokens).toEqual(['-']);
});

it('hands the Request Options of the node to the credential, for its token call', async () => {
	const seen: unknown[] = [];
	const { run, send } = runWith({ accessToken: 'one' }, async (data) => {
		seen.push(readNodeCall(data)?.network);
		return 200;
	});
	await send(run);

	expect(seen).toEqual([{ timeout: 7 }]);
});
