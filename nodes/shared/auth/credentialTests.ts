import type {
	ICredentialDataDecryptedObject,
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	INodeCredentialTestResult,
} from 'n8n-workflow';
import get from 'lodash/get';
import uniq from 'lodash/uniq';

import { ROLE_FIELDS } from './credentialFields';
import type { Words } from '../errors/failure';
import { listFields, says } from '../errors/serviceMessage';
import { failureWords } from '../errors/words';
import { attemptCall } from '../http/attempt';
import { type Sender, plainSender } from '../http/helpers';
import { type Call, type CallResult, readList } from '../http/response';
import { closestName } from '../values/closestName';
import { checkTimeZone } from '../values/zone';
import { joined, plainText } from '../values/plainText';
import { comparable } from '../values/text';
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
	return await toTestResult(async () => {
		const send = plainSender(this);
		const account = bookingAuth.readAccount(data);
		systemOf(data);
		checkTimeZone(data.timeZone);
		const roles = readStatusRoles(data);
		const deployment = readDeployment(data);
		const issued = await account.requestToken(send);
		if ('kind' in issued) return findProblem(issued);
		const credentials = withToken(account, data, issued);
		const currentSecrets = () => [
			...account.secrets,
			...Object.values(deployment.headers),
			issued.token,
		];
		const sendSigned: Sender = async (options) =>
			await send(authenticate(bookingAuth, credentials, options));
		const { address } = account;
		const ask = async (call: Call) =>
			await attemptCall(
				{ send: sendSigned, address, currentSecrets },
				withDeployment(call, deployment),
			);
		return findProblem(await ask(CHEAP_CALL)) ?? (await findMisspelledStatus(roles, ask));
	});
}

/**
 * @param ask makes a call. Where it lists no bookings, nothing is found
 * @returns what is wrong with a status name that no recent booking has had, where one has had a name close to it
 */
async function findMisspelledStatus(
	roles: StatusRoles,
	ask: (call: Call) => Promise<CallResult>,
): Promise<Words | undefined> {
	const entered = Object.entries(roles).flatMap(([role, statuses]) =>
		[...statuses].filter((status) => !/^-?\d+$/.test(status)).map((status) => ({ role, status })),
	);
	if (entered.length === 0) return undefined;
	const changedFrom = new Date(Date.now() - DAYS_BACK * DAY).toISOString();
	const outcome = await ask({ ...CHEAP_CALL, path: BOOKINGS, query: { changedFrom } });
	const bookings = outcome.kind === 'response' ? readList(outcome.response.body) : undefined;
	const histories = (bookings ?? []).flatMap((booking): unknown => get(booking, 'history', []));
	const names = uniq(histories.map((entry) => String(get(entry, 'statusName') ?? '')));
	const known = new Set(names.map(comparable));
	for (const { role, status } of entered) {
		const close = known.has(status) ? undefined : closestName(status, names);
		const happened = `'${ROLE_FIELDS[role as keyof StatusRoles].displayName}' contains '${status}', which no booking of the last ${DAYS_BACK} days has had`;
		if (close !== undefined) return [happened, `Did you mean '${close}'?`];
	}
	return undefined;
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
function findProblem(outcome: CallResult): Words | undefined {
	if (outcome.kind === 'response') return undefined;
	const isElsewhere =
		outcome.kind === 'body' || (outcome.kind === 'status' && outcome.status === 404);
	if (isElsewhere && !outcome.ofToken)
		return [
			`Something responds at 'Base URL' (${outcome.status}), but not the booking service`,
			'Check the address',
		];
	const [happened, hint] = failureWords(outcome, {});
	const { text = '', fields = [] } = outcome.said ?? {};
	return [happened, joined([says(text, listFields(fields)), hint])];
}

/** @param findAny what is wrong, undefined for nothing; may throw errors that carry a description */
async function toTestResult(
	findAny: () => Promise<Words | undefined>,
): Promise<INodeCredentialTestResult> {
	const words = await findAny().catch(
		({ message, description = '' }: Error & { description?: string }) => {
			return [message, description] as const;
		},
	);
	return words === undefined
		? { status: 'OK', message: 'Connection successful' }
		: { status: 'Error', message: plainText(joined(words)) };
}
