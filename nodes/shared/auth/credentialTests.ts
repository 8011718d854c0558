import type {
	ICredentialDataDecryptedObject,
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	IHttpRequestOptions,
	INodeCredentialTestResult,
} from 'n8n-workflow';
import get from 'lodash/get';

import { ROLE_FIELDS } from './credentialFields';
import type { Words } from '../errors/failure';
import { listFields, says } from '../errors/serviceMessage';
import { failureWords } from '../errors/failureTable';
import { attemptCall } from '../http/attempt';
import { type Sender, plainSender } from '../http/helpers';
import { type Call, type CallResult, readList } from '../http/response';
import { closestName } from '../values/closestName';
import { checkLanguage } from '../values/language';
import { checkTimeZone } from '../values/zone';
import { KeySet, unique } from '../values/keys';
import { joined, plainText } from '../values/plainText';
import { comparable, oneLine } from '../values/text';
import { DAY } from '../values/timestamp';
import { authenticate, withToken } from './signing';
import { bookingAuth, systemOf } from './booking';
import { type StatusRoles, withDeployment, readDeployment, readStatusRoles } from './deployment';
import { paymentAuth, tokenHeader } from './payment';

/** Lists nothing, because of its date: costs the service almost nothing. */
const CHEAP_CALL: Call = {
	method: 'GET',
	path: '/api/booking/v1/booking/customers',
	query: { changedFromUtc: '2999-01-01T00:00:00Z' },
	timeout: 30_000,
	expects: 'list',
};

const BOOKINGS = '/api/booking/v1/WebBooking/WebBookings';
/** By then a status that is in use has been met. */
const DAYS_BACK = 30;

/**
 * Tests a `hospitalityBookingApi` credential as it stands in the editor: a token, then an authorised call. n8n's own
 * test by request would show a bare `ECONNREFUSED` where nothing answers.
 */
export async function testBookingAccess(
	this: ICredentialTestFunctions,
	{ data = {} }: ICredentialsDecrypted<ICredentialDataDecryptedObject>,
): Promise<INodeCredentialTestResult> {
	return await toTestResult(async () => await findBookingProblem(plainSender(this), data));
}

/** @returns what is wrong, undefined for nothing */
async function findBookingProblem(
	send: Sender,
	data: ICredentialDataDecryptedObject,
): Promise<Words | undefined> {
	const account = bookingAuth.readAccount(data);
	systemOf(data);
	checkTimeZone(data.timeZone);
	checkLanguage(data.language);
	const roles = readStatusRoles(data);
	const deployment = readDeployment(data);
	const issued = await account.requestToken(send);
	if ('kind' in issued) return findProblem(issued);
	const signed = withToken(account, data, issued);
	const secrets = [...account.secrets, ...Object.values(deployment.headers), issued.token];
	const authorization = {
		send: async (options: IHttpRequestOptions) =>
			await send(authenticate(bookingAuth, signed, options)),
		address: account.address,
		currentSecrets: () => secrets,
	};
	const ask: Ask = async (call) =>
		await attemptCall(authorization, withDeployment(call, deployment));
	return findProblem(await ask(CHEAP_CALL)) ?? (await findMisspelledStatus(roles, ask));
}

/** Makes a call. */
type Ask = (call: Call) => Promise<CallResult>;

/**
 * @param ask where it lists no bookings, nothing is found
 * @returns what is wrong with a status name that no recent booking has had, where one has had a name close to it
 */
async function findMisspelledStatus(roles: StatusRoles, ask: Ask): Promise<Words | undefined> {
	const isName = (status: string) => !/^-?\d+$/.test(status);
	if (!Object.values(roles).some((statuses) => [...statuses].some(isName))) return undefined;
	const names = await readStatusNames(ask);
	const known = new KeySet(names.map(comparable));
	for (const [role, statuses] of Object.entries(roles)) {
		for (const status of statuses) {
			const close = isName(status) && !known.has(status) ? closestName(status, names) : undefined;
			if (close === undefined) continue;
			const field = ROLE_FIELDS[role as keyof StatusRoles].displayName;
			const happened = `'${field}' contains '${status}', which no booking of the last ${DAYS_BACK} days has had`;
			return [happened, `Did you mean '${close}'?`];
		}
	}
	return undefined;
}

/** @returns the names of statuses in the histories of recent bookings */
async function readStatusNames(ask: Ask): Promise<string[]> {
	const changedFrom = new Date(Date.now() - DAYS_BACK * DAY).toISOString();
	const result = await ask({ ...CHEAP_CALL, path: BOOKINGS, query: { changedFrom } });
	const bookings = result.kind === 'response' ? readList(result.response.body) : undefined;
	const histories = (bookings ?? []).flatMap((booking): unknown => get(booking, 'history', []));
	return unique(histories.map((entry) => oneLine(String(get(entry, 'statusName') ?? ''))));
}

/** Tests a `hospitalityPaymentApi` credential: the service documents no further call that needs no subscription. */
export async function testPaymentAccess(
	this: ICredentialTestFunctions,
	{ data = {} }: ICredentialsDecrypted<ICredentialDataDecryptedObject>,
): Promise<INodeCredentialTestResult> {
	return await toTestResult(async () => {
		tokenHeader(data);
		readDeployment(data);
		const issued = await paymentAuth.readAccount(data).requestToken(plainSender(this));
		return 'kind' in issued ? findProblem(issued) : undefined;
	});
}

/** @returns what is wrong with the request for a token, or the response to the cheap call; undefined when it is a list */
function findProblem(result: CallResult): Words | undefined {
	if (result.kind === 'response') return undefined;
	const isElsewhere = result.kind === 'body' || (result.kind === 'status' && result.status === 404);
	if (isElsewhere && !result.ofToken)
		return [
			`Something responds at 'Base URL' (${result.status}), but not the booking service`,
			'Check the address',
		];
	const [happened, hint] = failureWords(result, {});
	const { text = '', fields = [] } = result.said ?? {};
	return [happened, joined([says(text, listFields(fields)), hint])];
}

/** @param findAny what is wrong, undefined for nothing; may throw errors that carry a description */
async function toTestResult(
	findAny: () => Promise<Words | undefined>,
): Promise<INodeCredentialTestResult> {
	const words = await findAny().catch((error: Error & { description?: string }) => [
		error.message,
		error.description,
	]);
	if (words === undefined) return { status: 'OK', message: 'Connection successful' };
	return { status: 'Error', message: plainText(joined(words)) };
}
