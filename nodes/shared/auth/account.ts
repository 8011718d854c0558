import { CallError } from '../errors/callFault';
import { type ErrorContext, toNodeError } from '../errors/nodeErrors';
import { attemptUntilDone } from '../http/client';
import { queueOf } from '../http/concurrency/callQueue';
import { exchange } from '../http/exchange';
import { type CallingContext, authenticatedSender } from '../http/helpers';
import { type Call, type Outcome, type ServiceResponse, byDeadline } from '../http/response';
import { withToken } from './authenticate';
import { bookingAuth } from './bookingAuth';
import { deployed, readDeployment, readStatusRoles } from './deployment';
import { paymentAuth } from './paymentAuth';
import { tokenFor } from './tokens';

export type CredentialName = 'hospitalityBookingApi' | 'hospitalityPaymentApi';

/** One call of an account. The credential supplies the address in front of `path`, the token and the `system` header. */
export interface ServiceRequest extends Call {
	/**
	 * Milliseconds that the call waits where it cannot be sent or is throttled, counted from when it could have been sent;
	 * undefined: 10 minutes in a run, 30 seconds in the editor.
	 */
	giveUpAfterMs?: number;
	/** False for a call that makes a token itself. */
	takesToken?: false;
	/** The `system` header: another one than the credential's, or false for none. */
	system?: string | false;
	/** What the call changes, in the words of the form, e.g. `'Web Booking' 3f25…`. */
	record?: string;
	/** Once it is aborted, nothing is sent any more; what is in flight goes on. The execution's own unless set. */
	signal?: AbortSignal;
}

const RUN_GIVES_UP_AFTER_MS = 600_000;
const EDITOR_GIVES_UP_AFTER_MS = 30_000;
/** More than this is a circle. */
const MAX_REDIRECTS = 5;

const SIGN_IN = { hospitalityBookingApi: bookingAuth, hospitalityPaymentApi: paymentAuth };

/** An account as its credential says when it is opened, and the one way out for every call of every node. */
export type OpenAccount = Awaited<ReturnType<typeof openAccount>>;

/**
 * Opens an account, once for a run or a poll: n8n would take the credential from its database for every call, and a token
 * with it that may be another account's.
 *
 * @param context the n8n context that the calls run in
 * @returns the credential, the address that the paths of calls are appended to, what the credential says of the deployment and the
 * statuses, the account's queue, `call`, and the secrets that went out with the latest call
 * @throws what n8n says when the credential cannot be read; InvalidValueError for one of its fields
 */
export async function openAccount(context: CallingContext, credential: CredentialName) {
	const credentials = await context.getCredentials(credential);
	const account = SIGN_IN[credential].readAccount(credentials);
	const { address } = account;
	let { secrets } = account;
	const deployment = readDeployment(credentials);
	const statusRoles = readStatusRoles(credentials);
	const queue = queueOf(account.key);

	/** Makes a call once; after a 401 once more, with another token. */
	async function attempt(request: ServiceRequest, refused?: string): Promise<Outcome> {
		const { network, system, method, takesToken, signal } = request;
		const issued =
			takesToken === false
				? undefined
				: await tokenFor(context.helpers.httpRequest, account, { network, refused });
		// To wait for a token can take long.
		signal?.throwIfAborted();
		const data = withToken(credentials, account, issued, system);
		const using = { credentialsDecrypted: { id: '', name: credential, type: credential, data } };
		const send = authenticatedSender(context, credential, using);
		// A helper of n8n would turn a call that changes something into a GET.
		const maxRedirects = method === 'GET' ? MAX_REDIRECTS : 0;
		if (issued) secrets = [...account.secrets, issued.token];
		const outcome = await exchange({ send, address, secrets }, request, maxRedirects);
		const isRefused = outcome.kind === 'status' && outcome.status === 401 && !outcome.proxy;
		return isRefused && issued && refused === undefined ? await attempt(request, issued.token) : outcome;
	}

	/**
	 * Makes a call: account and token, retries, cancellation and readable errors.
	 *
	 * @param errorContext names the operation and item in errors
	 * @returns the response, always 2xx, with a body that is data (never HTML)
	 * @throws NodeApiError (a response outside 2xx after the retries, or none at all); NodeOperationError (credential values);
	 * the reason of the request's signal where that has kept it from being sent
	 */
	async function call(asked: ServiceRequest, errorContext: ErrorContext): Promise<ServiceResponse> {
		const request = deployed(asked, deployment);
		const { deadline, record, method, takesToken } = request;
		const cancel = 'getExecutionCancelSignal' in context ? context.getExecutionCancelSignal() : undefined;
		const signal = request.signal ?? cancel;
		const usual = signal ? RUN_GIVES_UP_AFTER_MS : EDITOR_GIVES_UP_AFTER_MS;
		const giveUpAt = performance.now() + Math.min(request.giveUpAfterMs ?? usual, 1e15);
		try {
			const outcome = await attemptUntilDone(
				queue,
				{ method, giveUpAt, deadline, signal },
				async () => await byDeadline(attempt(request), deadline),
			);
			if (outcome.kind === 'response') return outcome.response;
			throw new CallError(outcome);
		} catch (error) {
			if (!(error instanceof CallError)) request.signal?.throwIfAborted();
			// A request for a token changes nothing that a person would look at.
			const isChange = method !== 'GET' && takesToken !== false;
			throw toNodeError(errorContext, error, { isChange, record });
		}
	}

	return { credentials, address, deployment, statusRoles, queue, call, secrets: () => secrets };
}
