import type {
	ICredentialDataDecryptedObject,
	IExecuteFunctions,
	IExecuteSingleFunctions,
	IHttpRequestOptions,
	ILoadOptionsFunctions,
	IPollFunctions,
} from 'n8n-workflow';
import isEqual from 'lodash/isEqual';

export type CallingContext =
	IExecuteFunctions | IExecuteSingleFunctions | IPollFunctions | ILoadOptionsFunctions;
export type CredentialName = 'hospitalityBookingApi' | 'hospitalityPaymentApi';

/** The credentials that a run has read, by the context of the run. */
const sessions = new WeakMap<CallingContext, Map<CredentialName, Promise<Session>>>();

interface Session {
	data: ICredentialDataDecryptedObject;
}

/**
 * Sends a request with the credential that the run has read already: left to itself n8n takes it from its database,
 * decrypts it and evaluates its expressions for every call, which costs more than the call.
 *
 * n8n still asks for a token, stores it and asks again after a 401. It is given a copy, so that a call that was refused
 * names the token it was sent with, though another call may have got a new one meanwhile.
 *
 * @param context that of a run, which reads the credential once. n8n keeps the context of a trigger for as long as its
 * workflow is published, so there every call reads it anew.
 * @param options as for `httpRequestWithAuthentication`
 * @returns n8n's full response: `body`, `headers`, `statusCode`
 */
export async function sendWithRunCredentials(
	context: CallingContext,
	credential: CredentialName,
	options: IHttpRequestOptions,
): Promise<unknown> {
	const { httpRequestWithAuthentication } = context.helpers;
	if (!('getExecutionCancelSignal' in context))
		return await httpRequestWithAuthentication.call(context, credential, options);
	const session = await openRunCredentials(context, credential);
	const given = { ...session.data, ...(hasExpired(session.data) ? { sessionState: '' } : {}) };
	const data = { ...given };
	try {
		return await httpRequestWithAuthentication.call(context, credential, options, {
			credentialsDecrypted: { id: '', name: credential, type: credential, data },
		});
	} finally {
		if (!isEqual(data, given)) session.data = data;
	}
}

/** @returns the credential of a run, decrypted, as the calls of the run have it */
export async function readRunCredentials(
	context: CallingContext,
	credential: CredentialName,
): Promise<ICredentialDataDecryptedObject> {
	return (await openRunCredentials(context, credential)).data;
}

async function openRunCredentials(context: CallingContext, credential: CredentialName): Promise<Session> {
	const ofContext = sessions.get(context) ?? new Map<CredentialName, Promise<Session>>();
	sessions.set(context, ofContext);
	const opened =
		ofContext.get(credential) ??
		context.getCredentials(credential).then((data) => ({ data: data as ICredentialDataDecryptedObject }));
	ofContext.set(credential, opened);
	return await opened;
}

/** n8n asks for a new token where `sessionState` is empty. */
function hasExpired({ expiresAt }: ICredentialDataDecryptedObject): boolean {
	return typeof expiresAt === 'string' && expiresAt !== '' && Number(expiresAt) <= Date.now();
}
