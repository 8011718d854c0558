import type { ICredentialDataDecryptedObject, IHttpRequestHelper, INodeProperties } from 'n8n-workflow';
import omit from 'lodash/omit';

import { type Account, type IssuedToken, tokenFor } from './tokens';

/**
 * Hidden fields of both credentials: the token that n8n's own nodes use, such as HTTP Request, and the account that it
 * was issued for. The editor saves them back with a changed account, so a token without its account proves nothing.
 */
export const sessionProperties: INodeProperties[] = [
	{
		displayName: 'Session State',
		name: 'sessionState',
		type: 'hidden',
		typeOptions: { expirable: true },
		default: '',
	},
	hiddenSecret('Access Token', 'accessToken'),
	hiddenSecret('Issued For', 'issuedFor'),
	{ displayName: 'Expires At', name: 'expiresAt', type: 'hidden', default: '' },
];

/** n8n takes the status for a token that has expired: it has another one made and repeats what failed. */
class StaleTokenError extends Error {
	readonly response = { status: 401 };
}

interface Held {
	issued?: IssuedToken;
	system?: string | false;
	held: ICredentialDataDecryptedObject;
}

/** What the last call of a run was made with: most others are made with the same. */
const lastHeld = new WeakMap<ICredentialDataDecryptedObject, Held>();

/**
 * A credential with the token of one call of this package's nodes. It has no session that n8n could renew.
 *
 * @param issued undefined for a call without a token
 * @param system the `system` header of the call: another one than the credential's, or false for none
 */
export function holding(
	data: ICredentialDataDecryptedObject,
	{ key }: Account,
	issued?: IssuedToken,
	system?: string | false,
): ICredentialDataDecryptedObject {
	const last = lastHeld.get(data);
	if (last && last.issued === issued && last.system === system) return last.held;
	const held: ICredentialDataDecryptedObject = {
		...omit(data, 'sessionState', 'accessToken'),
		issuedFor: key,
	};
	if (issued) Object.assign(held, { accessToken: issued.token, expiresAt: String(issued.expiresAt) });
	if (system === false) delete held.system;
	else if (system !== undefined) held.system = system;
	lastHeld.set(data, { issued, system, held });
	return held;
}

/**
 * What `preAuthentication` of both credentials returns, for n8n to store: n8n asks for it when there is no token, and
 * after whatever goes wrong with a call.
 *
 * @returns nothing for a call of this package's nodes, which see to their tokens themselves
 */
export async function renewSession(
	http: IHttpRequestHelper,
	credentials: ICredentialDataDecryptedObject,
	account: Account,
): Promise<ICredentialDataDecryptedObject> {
	if (credentials.sessionState === undefined) return {};
	const refused = isCurrent(credentials, account) ? String(credentials.accessToken) : undefined;
	const { token, expiresAt } = await tokenFor(http, account, { refused });
	return {
		sessionState: 'valid',
		accessToken: token,
		issuedFor: account.key,
		expiresAt: String(expiresAt),
	};
}

/**
 * The token to put on a request; undefined for a call that takes none.
 *
 * @throws StaleTokenError for a stored token that has expired, or that was issued for another account
 */
export function heldToken(credentials: ICredentialDataDecryptedObject, account: Account): string | undefined {
	if (!('accessToken' in credentials)) return undefined;
	if (!isCurrent(credentials, account)) throw new StaleTokenError('The stored token is out of date');
	return String(credentials.accessToken);
}

function isCurrent(
	{ accessToken, issuedFor, expiresAt }: ICredentialDataDecryptedObject,
	{ key }: Account,
): boolean {
	return accessToken !== '' && issuedFor === key && Number(expiresAt) > Date.now();
}

function hiddenSecret(displayName: string, name: string): INodeProperties {
	return { displayName, name, type: 'hidden', typeOptions: { password: true }, default: '' };
}
