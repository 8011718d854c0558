import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { type ErrorContext, toNodeError } from '../errors/nodeErrors';
import { makeCall } from '../http/client';
import { queueOf } from '../http/concurrency/accounts';
import type { CallQueue } from '../http/concurrency/callQueue';
import type { Authorization, Call } from '../http/exchange';
import { type CallingContext, authenticatedSender } from '../http/helpers';
import type { ServiceResponse } from '../http/response';
import { withToken } from './authenticate';
import { bookingAuth } from './bookingAuth';
import { paymentAuth } from './paymentAuth';
import { type Account, tokenFor } from './tokens';

export type CredentialName = 'hospitalityBookingApi' | 'hospitalityPaymentApi';

/** One call of an account. The credential supplies the address in front of `path`, the token and the `system` header. */
export interface ServiceRequest extends Call {
	/**
	 * Milliseconds since 1970 until which the call is retried while it is rate-limited; undefined: the deadline, else 10
	 * minutes in a run and 30 seconds in the editor.
	 */
	giveUpAt?: number;
	/** False for a call that makes a token itself. */
	takesToken?: false;
	/** The `system` header: another one than the credential's, or false for none. */
	system?: string | false;
	/** What the call changes, in the words of the form, e.g. `'Web Booking' 3f25…`. */
	record?: string;
}

const RUN_GIVES_UP_AFTER_MS = 600_000;
const EDITOR_GIVES_UP_AFTER_MS = 30_000;

const SIGN_IN = { hospitalityBookingApi: bookingAuth, hospitalityPaymentApi: paymentAuth };

/**
 * Opens an account, once for a run or a poll: n8n would take the credential from its database for every call, and a token
 * with it that may be another account's.
 *
 * @param context the n8n context that the calls run in
 * @throws what n8n says when the credential cannot be read; InvalidValueError for one of its fields
 */
export async function openAccount(context: CallingContext, credential: CredentialName): Promise<OpenAccount> {
	return new OpenAccount(context, credential, await context.getCredentials(credential));
}

/** An account as its credential says when it is opened, and the one way out for every call of every node. */
export class OpenAccount {
	readonly queue: CallQueue;
	/** The address that the paths of calls are appended to. */
	readonly address: string;
	private readonly account: Account;

	constructor(
		private readonly context: CallingContext,
		private readonly credential: CredentialName,
		readonly credentials: ICredentialDataDecryptedObject,
	) {
		this.account = SIGN_IN[credential].readAccount(credentials);
		this.address = this.account.address;
		this.queue = queueOf(this.account.key);
	}

	/**
	 * Makes a call: account and token, retries, cancellation and readable errors.
	 *
	 * @param errorContext names the operation and item in errors
	 * @returns the response, always 2xx, with a body that is data (never HTML)
	 * @throws NodeApiError (a response outside 2xx after the retries, or none at all); NodeOperationError (credential values)
	 */
	async call(request: ServiceRequest, errorContext: ErrorContext): Promise<ServiceResponse> {
		const { context, queue } = this;
		const { deadline, record, method, takesToken } = request;
		const signal = 'getExecutionCancelSignal' in context ? context.getExecutionCancelSignal() : undefined;
		const giveUpAfterMs = signal ? RUN_GIVES_UP_AFTER_MS : EDITOR_GIVES_UP_AFTER_MS;
		const giveUpAt = request.giveUpAt ?? deadline ?? Date.now() + giveUpAfterMs;
		const authorize = async (refused?: string) => await this.authorize(request, refused);
		try {
			return await makeCall({ queue, authorize }, request, { giveUpAt, signal });
		} catch (error) {
			// A request for a token changes nothing that a person would look at.
			const isChange = method !== 'GET' && takesToken !== false;
			throw toNodeError(errorContext, error, { isChange, record });
		}
	}

	/** With the token that this process holds for the account, or none. */
	private async authorize(
		{ takesToken, network, system }: ServiceRequest,
		refused?: string,
	): Promise<Authorization> {
		const { context, credential, credentials, account } = this;
		const { address, secrets } = account;
		const issued =
			takesToken === false
				? undefined
				: await tokenFor(context.helpers.httpRequest, account, { network, refused });
		const data = withToken(credentials, account, issued, system);
		const using = { credentialsDecrypted: { id: '', name: credential, type: credential, data } };
		return { send: authenticatedSender(context, credential, using), address, secrets, token: issued?.token };
	}
}
