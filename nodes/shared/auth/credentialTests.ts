import type {
	ICredentialDataDecryptedObject,
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	INodeCredentialTestResult,
} from 'n8n-workflow';

import get from 'lodash/get';
import isString from 'lodash/isString';

import type { CallFailure, Words } from '../errors/failure';
import { type SafeText, redacted } from '../errors/secrets';
import { listFields, serviceSays } from '../errors/serviceMessage';
import { failureWords } from '../errors/failureTable';
import { attemptCall } from '../http/attempt';
import { type Sender, plainSender } from '../http/helpers';
import { type Call, type CallResult, readList } from '../http/response';
import { checkLanguage } from '../values/language';
import { checkTimeZone } from '../values/zone';
import { joined } from '../values/plainText';
import { writeTime } from '../values/writeTime';
import { DAY } from '../values/timestamp';
import { authenticate, withToken } from './signing';
import { bookingAuth, systemOf } from './booking';
import { withDeployment, readDeployment, readStatusRoles } from './deployment';
import { paymentAuth, tokenHeader } from './payment';
import { DAYS_BACK, SeenStatuses, enteredNames } from './seenStatuses';

/** Lists nothing, because of its date: costs the service almost nothing. */
const CHEAP_CALL: Call = {
	method: 'GET',
	path: '/api/booking/v1/booking/customers',
	query: { changedFromUtc: '2999-01-01T00:00:00Z' },
	timeout: 30_000,
	expects: 'list',
};

const MOST_OF_TEST_RESULT = 2_000;
const BOOKINGS = '/api/booking/v1/WebBooking/WebBookings';

type Credential = ICredentialDataDecryptedObject;

/** What a test has found. */
interface Finding {
	problem?: Words;
	/** What a person may want to look at though the credential works. */
	hint?: string;
}

/**
 * Tests a `hospitalityBookingApi` credential as it stands in the editor: a token, then an authorised call. n8n's own
 * test by request would show a bare `ECONNREFUSED` where nothing answers.
 */
export async function testBookingAccess(
	this: ICredentialTestFunctions,
	{ data = {} }: ICredentialsDecrypted<Credential>,
): Promise<INodeCredentialTestResult> {
	const send = plainSender(this);
	const secrets = secretsOf(data);
	const test = async () => await testBooking(send, data, secrets);
	return await toTestResult(secrets, test);
}

/** @param secrets gets the token */
async function testBooking(send: Sender, data: Credential, secrets: string[]): Promise<Finding> {
	const account = bookingAuth.readAccount(data);
	systemOf(data);
	checkTimeZone(data.timeZone);
	checkLanguage(data.language);
	readStatusRoles(data);
	const deployment = readDeployment(data);
	const issued = await account.requestToken(send);
	if ('kind' in issued) return { problem: findProblem(issued) };
	secrets.push(issued.token);
	const signed = withToken(account, data, issued);
	const signAndSend: Sender = async (options) => {
		const request = authenticate(bookingAuth, signed, options);
		return await send(request);
	};
	const { address } = account;
	const authorization = { send: signAndSend, address, currentSecrets: () => secrets };
	const ask: Ask = async (call) =>
		await attemptCall(authorization, withDeployment(call, deployment));
	const problem = findProblem(await ask(CHEAP_CALL));
	return problem ? { problem } : await testStatuses(data, ask);
}

/** @returns what no message may show, whether or not the credential can be read */
function secretsOf(data: Credential): string[] {
	const secrets = [data.clientSecret, data.password];
	const headers: unknown = get(data.extraHeaders, 'entry');
	if (Array.isArray(headers)) {
		for (const header of headers) secrets.push(get(header, 'value'));
	}
	return secrets.filter(isString);
}

/** Makes a call. */
type Ask = (call: Call) => Promise<CallResult>;

/** Compares the statuses of the credential with those of recent bookings. Where it lists no bookings, nothing is found. */
async function testStatuses(data: Credential, ask: Ask): Promise<Finding> {
	const entered = enteredNames(readStatusRoles(data));
	if (entered.length === 0) return {};
	const from = Date.now() - DAYS_BACK * DAY;
	const changedFrom = writeTime(from, checkTimeZone(data.timeZone));
	const result = await ask({ ...CHEAP_CALL, path: BOOKINGS, query: { changedFrom } });
	if (result.kind !== 'response') return {};
	const bookings = readList(result.response.body) ?? [];
	const seen = new SeenStatuses(bookings);
	return { problem: seen.findProblem(entered), hint: seen.hintOn(entered) };
}

/** Tests a `hospitalityPaymentApi` credential: the service documents no further call that needs no subscription. */
export async function testPaymentAccess(
	this: ICredentialTestFunctions,
	{ data = {} }: ICredentialsDecrypted<Credential>,
): Promise<INodeCredentialTestResult> {
	const send = plainSender(this);
	return await toTestResult(secretsOf(data), async () => {
		tokenHeader(data);
		readDeployment(data);
		const account = paymentAuth.readAccount(data);
		const issued = await account.requestToken(send);
		return 'kind' in issued ? { problem: findProblem(issued) } : {};
	});
}

/** @returns what is wrong with the request for a token, or the response to the cheap call; undefined when it is a list */
function findProblem(result: CallResult): Words | undefined {
	if (result.kind === 'response') return undefined;
	if (!result.ofToken && isFromElsewhere(result)) {
		return [
			`Something responds at 'Base URL' (${result.status}), but not the booking service`,
			'Check the address',
		];
	}
	const [happened, hint] = failureWords(result, {});
	const { text = '', fields = [] } = result.said ?? {};
	const said = serviceSays(text, listFields(fields));
	return [happened, joined([said, hint])];
}

type Response = CallFailure & { status: number };

/** Whether a response is none that the booking service gives to the cheap call. */
function isFromElsewhere(failure: CallFailure): failure is Response {
	if (failure.kind === 'status') return failure.status === 404;
	return failure.kind === 'body';
}

/** @param test may throw errors that carry a description */
async function toTestResult(
	secrets: readonly string[],
	test: () => Promise<Finding>,
): Promise<INodeCredentialTestResult> {
	const found = await test().catch(thrownProblem);
	const status = found.problem ? 'Error' : 'OK';
	const words = found.problem ?? ['Connection successful', found.hint];
	const message: SafeText = redacted(joined(words), secrets, MOST_OF_TEST_RESULT);
	return { status, message };
}

function thrownProblem(error: Error & { description?: string }): Finding {
	return { problem: [error.message, error.description ?? ''] };
}
