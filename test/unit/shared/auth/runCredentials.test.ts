import type {
	IAdditionalCredentialOptions,
	ICredentialDataDecryptedObject,
	IExecuteFunctions,
} from 'n8n-workflow';

import { sendWithRunCredentials } from '../../../../nodes/shared/auth/runCredentials';

const IN_AN_HOUR = String(Date.now() + 3_600_000);
const A_SECOND_AGO = String(Date.now() - 1_000);

/** A run whose calls `answer` stands in for; it is given the credential as n8n would use it. */
function runWith(
	stored: ICredentialDataDecryptedObject,
	answer: (data: ICredentialDataDecryptedObject) => Promise<unknown>,
) {
	const getCredentials = jest.fn(async () => stored);
	const httpRequestWithAuthentication = async (
		_type: string,
		_options: unknown,
		{ credentialsDecrypted }: IAdditionalCredentialOptions,
	) => await answer(credentialsDecrypted?.data ?? {});
	const context = {
		getCredentials,
		getExecutionCancelSignal: () => undefined,
		helpers: { httpRequestWithAuthentication },
	} as unknown as IExecuteFunctions;
	return {
		getCredentials,
		send: () => sendWithRunCredentials(context, 'hospitalityBookingApi', { url: '/' }),
	};
}

it('reads the credential once for all calls of a run, those under way together included', async () => {
	const { getCredentials, send } = runWith({ accessToken: 'one' }, async (data) => data.accessToken);

	expect(await Promise.all([send(), send()])).toEqual(['one', 'one']);
	expect(await send()).toBe('one');
	expect(getCredentials).toHaveBeenCalledTimes(1);
});

it('asks n8n for a new token when the one at hand has expired during the run, and goes on with the new one', async () => {
	const states: unknown[] = [];
	const stored = { accessToken: 'old', sessionState: 'valid', expiresAt: A_SECOND_AGO };
	const { send } = runWith(stored, async (data) => {
		states.push(data.sessionState);
		if (data.sessionState === '') {
			Object.assign(data, { accessToken: 'new', sessionState: 'valid', expiresAt: IN_AN_HOUR });
		}
		return data.accessToken;
	});

	expect([await send(), await send()]).toEqual(['new', 'new']);
	expect(states).toEqual(['', 'valid']);
});

it('names the token that a refused call was sent with, though another call has got a new one meanwhile', async () => {
	const refused: unknown[] = [];
	const release: Array<() => void> = [];
	const { send } = runWith({ accessToken: 'old', expiresAt: IN_AN_HOUR }, async (data) => {
		if (data.accessToken !== 'old') return data.accessToken;
		await new Promise<void>((resolve) => release.push(resolve));
		refused.push(data.accessToken);
		return Object.assign(data, { accessToken: 'new' }).accessToken;
	});
	const calls = [send(), send()];
	await new Promise(setImmediate);
	release[0]?.();
	await calls[0];
	release[1]?.();

	expect(await Promise.all(calls)).toEqual(['new', 'new']);
	expect(refused).toEqual(['old', 'old']);
	expect(await send()).toBe('new');
});
