import type {
	IAdditionalCredentialOptions,
	ICredentialDataDecryptedObject,
	IExecuteFunctions,
	IExecuteSingleFunctions,
	ILoadOptionsFunctions,
	IPollFunctions,
} from 'n8n-workflow';

import { type Network, type RawResponse, discard } from '../transport/response';
import { bookingAccount } from './bookingAuth';
import { paymentAccount } from './paymentAuth';
import { holding } from './session';
import { type IssuedToken, tokenFor } from './tokens';

export type CallingContext =
	IExecuteFunctions | IExecuteSingleFunctions | IPollFunctions | ILoadOptionsFunctions;
export type CredentialName = 'hospitalityBookingApi' | 'hospitalityPaymentApi';

/** What a call takes of its credential. */
export interface Authorization {
	credential: CredentialName;
	/** The node's Request Options, for a token request. */
	network?: Network;
	/** False for a call that makes a token itself. */
	takesToken?: false;
	/** The `system` header: another one than the credential's, or false for none. */
	system?: string | false;
}

/** A response, and what it takes to read it. */
export interface AuthorizedResponse {
	response: RawResponse;
	/** The address that paths are appended to. */
	address: string;
	/** Went along with the call, so that a response may repeat it. Undefined for a call without a token. */
	token?: string;
	/** Secrets of the credential and the token: no text may show them. */
	secrets: readonly string[];
}

const ACCOUNTS = { hospitalityBookingApi: bookingAccount, hospitalityPaymentApi: paymentAccount };

/** The credentials that a run or a poll has read, by its context. */
const ofRuns = new WeakMap<CallingContext, Map<CredentialName, Promise<ICredentialDataDecryptedObject>>>();

/**
 * Makes a call with the account that the credential says now, and with the token that this process holds for it. After a
 * 401 another token is had, once for all calls under way, and the call is made once more.
 *
 * n8n would take the credential from its database for every call, and a token with it that may be another account's.
 *
 * @param send sends with the credential it is given, as n8n's helpers take it, to the account's address; returns the
 * response whatever its status
 * @throws InvalidValueError for a field of the credential; TokenError when there is no token; what `send` throws
 */
export async function callAuthorized(
	context: CallingContext,
	{ credential, network, takesToken, system }: Authorization,
	send: (using: IAdditionalCredentialOptions, address: string) => Promise<RawResponse>,
): Promise<AuthorizedResponse> {
	const data = await readRunCredentials(context, credential);
	const account = ACCOUNTS[credential](data);
	const attempt = async (issued?: IssuedToken): Promise<AuthorizedResponse> => {
		const held = holding(data, account, issued, system);
		const using = { credentialsDecrypted: { id: '', name: credential, type: credential, data: held } };
		const response = await send(using, account.address);
		const secrets = [...account.secrets, ...(issued ? [issued.token] : [])];
		return { response, address: account.address, token: issued?.token, secrets };
	};

	if (takesToken === false) return await attempt();
	const issued = await tokenFor(context, account, { network });
	const first = await attempt(issued);
	if (first.response.statusCode !== 401) return first;
	discard(first.response);
	return await attempt(await tokenFor(context, account, { network, refused: issued.token }));
}

/** A poll reads the credential anew: n8n keeps the context of a trigger for as long as its workflow is published. */
export function beginPoll(context: IPollFunctions): void {
	ofRuns.set(context, new Map());
}

/** @returns the credential of a run, decrypted; read once for a run or, after {@link beginPoll}, a poll */
export async function readRunCredentials(
	context: CallingContext,
	credential: CredentialName,
): Promise<ICredentialDataDecryptedObject> {
	const read = async () => await context.getCredentials<ICredentialDataDecryptedObject>(credential);
	if (!('getExecutionCancelSignal' in context) && !ofRuns.has(context)) return await read();
	const ofContext = ofRuns.get(context) ?? new Map<CredentialName, Promise<ICredentialDataDecryptedObject>>();
	ofRuns.set(context, ofContext);
	const opened = ofContext.get(credential) ?? read();
	ofContext.set(credential, opened);
	return await opened;
}
