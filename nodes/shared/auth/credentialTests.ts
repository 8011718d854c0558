import type {
	ICredentialDataDecryptedObject,
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	INodeCredentialTestResult,
} from 'n8n-workflow';

import type { Words } from '../errors/callFailure';
import { says } from '../errors/serviceMessage';
import { failureWords } from '../errors/words';
import { exchange } from '../http/exchange';
import { type Sender, plainSender } from '../http/helpers';
import type { Call, CallOutcome } from '../http/response';
import { checkTimeZone } from '../values/zone';
import { joined, plainText } from '../values/plainText';
import { authenticate, withToken } from './authenticate';
import { bookingAuth, systemOf } from './bookingAuth';
import { deployed, readDeployment, readStatusRoles } from './deployment';
import { checkTokenHeader, paymentAuth } from './paymentAuth';

/** Lists nothing, because of its date: costs the service almost nothing. */
const CHEAP_CALL: Call = {
	method: 'GET',
	path: '/api/booking/v1/booking/customers',
	query: { changedFromUtc: '2999-01-01T00:00:00Z' },
	timeout: 30_000,
	expects: 'anything',
};

/**
 * Tests a `hospitalityBookingApi` credential as it stands in the editor: a token, then an authorised call. n8n's own
 * test by request would show a bare `ECONNREFUSED` where nothing answers.
 */
export async function testBookingAccess(
	this: ICredentialTestFunctions,
	{ data = {} }: ICredentialsDecrypted<ICredentialDataDecryptedObject>,
): Promise<INodeCredentialTestResult> {
	return await toTestResult(async () => {
		const send = plainSender(this);
		const account = bookingAuth.readAccount(data);
		systemOf(data);
		checkTimeZone(data.timeZone);
		readStatusRoles(data);
		const deployment = readDeployment(data);
		const issued = await account.requestToken(send);
		if ('kind' in issued) return findProblem(issued);
		const credentials = withToken(account, data, issued);
		const currentSecrets = () => [...account.secrets, ...Object.values(deployment.headers), issued.token];
		const sendSigned: Sender = async (options) => await send(authenticate(bookingAuth, credentials, options));
		const { address } = account;
		return findProblem(
			await exchange({ send: sendSigned, address, currentSecrets }, deployed(CHEAP_CALL, deployment)),
		);
	});
}

/** Tests a `hospitalityPaymentApi` credential: the service documents no further call that needs no subscription. */
export async function testPaymentAccess(
	this: ICredentialTestFunctions,
	{ data = {} }: ICredentialsDecrypted<ICredentialDataDecryptedObject>,
): Promise<INodeCredentialTestResult> {
	return await toTestResult(async () => {
		checkTokenHeader(data);
		readDeployment(data);
		const issued = await paymentAuth.readAccount(data).requestToken(plainSender(this));
		return 'kind' in issued ? findProblem(issued) : undefined;
	});
}

/** @returns what is wrong with the request for a token, or the response to the cheap call; undefined when it is a list */
function findProblem(outcome: CallOutcome): Words | undefined {
	if (outcome.kind === 'response' && Array.isArray(outcome.response.body)) return undefined;
	const isElsewhere = outcome.kind === 'status' && outcome.status === 404 && !outcome.ofToken;
	if (outcome.kind === 'response' || isElsewhere) {
		const { status } = outcome.kind === 'response' ? outcome.response : outcome;
		return [`Something responds at 'Base URL' (${status}), but not the booking service`, 'Check the address'];
	}
	const [happened, hint] = failureWords(outcome, {});
	return [happened, joined([says(outcome.said?.text ?? ''), hint])];
}

/** @param findAny what is wrong, undefined for nothing; may throw errors that carry a description */
async function toTestResult(findAny: () => Promise<Words | undefined>): Promise<INodeCredentialTestResult> {
	const words = await findAny().catch(({ message, description = '' }: Error & { description?: string }) => {
		return [message, description] as const;
	});
	return words === undefined
		? { status: 'OK', message: 'Connection successful' }
		: { status: 'Error', message: plainText(joined(words)) };
}
