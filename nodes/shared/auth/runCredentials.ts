import type {
	IAdditionalCredentialOptions,
	ICredentialDataDecryptedObject,
	IDataObject,
	IExecuteFunctions,
	IExecuteSingleFunctions,
	ILoadOptionsFunctions,
	INodeParameters,
	IPollFunctions,
} from 'n8n-workflow';
import isEqual from 'lodash/isEqual';

import { type Network, type RawResponse, discard } from '../transport/response';
import { isRecord } from '../values/record';

export type CallingContext =
	IExecuteFunctions | IExecuteSingleFunctions | IPollFunctions | ILoadOptionsFunctions;
export type CredentialName = 'hospitalityBookingApi' | 'hospitalityPaymentApi';

/** What a call of this package's nodes tells the credential beside its stored fields; n8n stores none of it. */
export interface NodeCall {
	/** The token that the service has refused, '' for none: another one is wanted. */
	refusedToken: string;
	/** When the call with that token was sent, in milliseconds since 1970; 0 for none. */
	refusedCallSentAt: number;
	/** The node's Request Options, for the token call. */
	network: Network;
}

/** Where each credential keeps its token, and the field that is empty when n8n is to ask for a new one. */
const TOKEN_FIELDS = {
	hospitalityBookingApi: { token: 'accessToken', expirable: 'sessionState' },
	hospitalityPaymentApi: { token: 'authenticationToken', expirable: 'authenticationToken' },
} as const;

const NONE_REFUSED = { refusedToken: '', refusedCallSentAt: 0 };

/** n8n asks for a token unless there is one: what stands in its place for a call that takes none. */
const NOT_NEEDED = '-';

interface RunCredentials {
	data: ICredentialDataDecryptedObject;
	/** The latest token that the service has refused in this run: no further call starts with it. */
	refused: Pick<NodeCall, 'refusedToken' | 'refusedCallSentAt'>;
}

/** The credentials that a run or a poll has read, by its context. */
const ofRuns = new WeakMap<CallingContext, Map<CredentialName, Promise<RunCredentials>>>();

/**
 * Makes a call with the credential that the run has read already: left to itself n8n takes it from its database,
 * decrypts it and evaluates its expressions for every call, which costs more than the call.
 *
 * n8n still asks for a token and stores it. After a 401 the call is made once more, and no other call of the run starts
 * with the refused token: they take what one of them has got meanwhile, or a new one.
 *
 * @param context that of a run or, after {@link beginPoll}, of a poll: those read the credential once
 * @param takesToken false for a call that makes a token itself
 * @param call sends with the credential it is given, and returns the response whatever its status
 * @returns the response, and the credential as the call has used it
 */
export async function callWithCredentials(
	context: CallingContext,
	credential: CredentialName,
	{ network, takesToken }: { network: Network; takesToken: boolean },
	call: (using: IAdditionalCredentialOptions) => Promise<RawResponse>,
): Promise<{ response: RawResponse; credentials: ICredentialDataDecryptedObject }> {
	const { token, expirable } = TOKEN_FIELDS[credential];
	const run = await openRunCredentials(context, credential);

	const attempt = async () => {
		const given = { ...run.data };
		const { refusedToken } = run.refused;
		const wasRefused = refusedToken !== '' && given[token] === refusedToken;
		if (!takesToken) given[token] = NOT_NEEDED;
		else if (hasExpired(given) || wasRefused) given[expirable] = '';
		const nodeCall = { ...(wasRefused ? run.refused : NONE_REFUSED), network } satisfies NodeCall;
		const data = { ...given, nodeCall: nodeCall as unknown as INodeParameters };
		const sentAt = Date.now();
		const response = await call({
			credentialsDecrypted: { id: '', name: credential, type: credential, data },
		});
		const { nodeCall: _, ...credentials } = data as ICredentialDataDecryptedObject;
		if (!isEqual(credentials, given)) run.data = credentials;
		const isRefused = takesToken && response.statusCode === 401;
		if (isRefused) run.refused = { refusedToken: String(credentials[token]), refusedCallSentAt: sentAt };
		return { response, credentials, isRefused };
	};

	const first = await attempt();
	if (!first.isRefused) return first;
	discard(first.response);
	return await attempt();
}

/** A poll reads the credential anew: n8n keeps the context of a trigger for as long as its workflow is published. */
export function beginPoll(context: IPollFunctions): void {
	ofRuns.set(context, new Map());
}

/** @returns the credential of a run, decrypted, as the calls of the run have it */
export async function readRunCredentials(
	context: CallingContext,
	credential: CredentialName,
): Promise<ICredentialDataDecryptedObject> {
	return (await openRunCredentials(context, credential)).data;
}

/** @returns what a node's call said; undefined where n8n itself uses the credential, as in its HTTP Request node */
export function readNodeCall({ nodeCall }: ICredentialDataDecryptedObject): NodeCall | undefined {
	return isRecord(nodeCall) ? (nodeCall as unknown as NodeCall) : undefined;
}

/** @returns the secrets of a credential, which no text may show */
export function secretsOf(credentials: IDataObject): string[] {
	const { clientSecret, accessToken, password, authenticationToken } = credentials;
	return [clientSecret, accessToken, password, authenticationToken].flatMap((secret) =>
		typeof secret === 'string' && secret !== '' ? [secret, secret.trim()] : [],
	);
}

async function openRunCredentials(
	context: CallingContext,
	credential: CredentialName,
): Promise<RunCredentials> {
	const read = async () => ({
		data: await context.getCredentials<ICredentialDataDecryptedObject>(credential),
		refused: NONE_REFUSED,
	});
	if (!('getExecutionCancelSignal' in context) && !ofRuns.has(context)) return await read();
	const ofContext = ofRuns.get(context) ?? new Map<CredentialName, Promise<RunCredentials>>();
	ofRuns.set(context, ofContext);
	const opened = ofContext.get(credential) ?? read();
	ofContext.set(credential, opened);
	return await opened;
}

/** n8n asks for a new token where `sessionState` is empty. */
function hasExpired({ expiresAt }: ICredentialDataDecryptedObject): boolean {
	return typeof expiresAt === 'string' && expiresAt !== '' && Number(expiresAt) <= Date.now();
}
