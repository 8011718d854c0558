import { type ICredentialDataDecryptedObject, NodeOperationError } from 'n8n-workflow';

import { CallError } from '../errors/failure';
import { ExplainedError } from '../errors/explainedError';
import { type ErrorContext, toNodeError } from '../errors/nodeErrors';
import { type CallQueue, queueOf } from '../http/queue';
import { attemptCall } from '../http/attempt';
import { byDeadline } from '../http/deadline';
import { type CallingContext, authenticatedSender } from '../http/helpers';
import type { Call, CallResult, ServiceResponse } from '../http/response';
import { asText } from '../values/asText';
import { checkLanguage } from '../values/language';
import { checkTimeZone } from '../values/zone';
import { type SignIn, withToken } from './signing';
import { bookingAuth } from './booking';
import {
	type Deployment,
	type StatusRoles,
	readDeployment,
	readStatusRoles,
	withDeployment,
} from './deployment';
import { paymentAuth } from './payment';
import { type IssuedToken, type SignedAccount, tokenFor, tokensOf } from './token';

export type CredentialName = 'hospitalityBookingApi' | 'hospitalityPaymentApi';

/** One call of an account. The credential supplies the address in front of `path`, the token and the `system` header. */
export interface ServiceRequest extends Call {
	/**
	 * Milliseconds that the call waits where it cannot be sent or is throttled, counted from when it could have been sent;
	 * undefined: 10 seconds, as in the editor.
	 */
	giveUpAfterMs?: number;
	/** False for a call that requests a token itself. */
	takesToken?: false;
	/** Replaces the credential's `system` header; false for none. */
	system?: string | false;
	/** The record that the call changes, in the words of the form, e.g. `'Booking Number or GUID' 3f25…`. */
	changedRecordLabel?: string;
	/** Of a run: once aborted, nothing more is sent; those in flight end, or n8n cuts them. */
	signal?: AbortSignal;
}

const EDITOR_GIVES_UP_AFTER_MS = 10_000;
/** The longest that a list in the editor may take. */
const EDITOR_ENDS_AFTER_MS = 60_000;

const SIGN_IN: Readonly<Record<CredentialName, SignIn>> = {
	hospitalityBookingApi: bookingAuth,
	hospitalityPaymentApi: paymentAuth,
};

/**
 * Opens an account, once for a run or a poll. n8n would read the credential from its database for every call, with a token
 * that may belong to another account.
 *
 * @param context the n8n context that the calls run in
 * @throws ExplainedError for a credential that cannot be read; InvalidValueError for one of its fields
 */
export async function openAccount(
	context: CallingContext,
	credential: CredentialName,
): Promise<Account> {
	const openedAt = performance.now();
	const credentials = await context.getCredentials(credential).catch(unreadable);
	return new Account(context, credential, credentials, openedAt);
}

/** An account as its credential describes it when opened, and the one way to send calls, for all nodes. */
export class Account {
	/** Normalized, without the paths of the service. */
	readonly address: string;
	/** IANA name of the house's time zone. */
	readonly timeZone: string;
	/** Tag of the house's language, e.g. `sv`. */
	readonly language: string;
	readonly deployment: Deployment;
	/** What the credential says of the statuses of bookings. */
	readonly statusRoles: StatusRoles;
	/** Shared with all nodes and runs that use the account. */
	readonly queue: CallQueue;
	private readonly signed: SignedAccount;

	/**
	 * @param openedAt on the clock of `performance.now()`: no call could have been sent before
	 * @throws InvalidValueError for a field of the credential
	 */
	constructor(
		private readonly context: CallingContext,
		private readonly credential: CredentialName,
		readonly credentials: ICredentialDataDecryptedObject,
		private readonly openedAt: number,
	) {
		this.signed = SIGN_IN[credential].readAccount(credentials);
		this.address = this.signed.address;
		this.deployment = readDeployment(credentials);
		this.statusRoles = readStatusRoles(credentials);
		// The payment service has no times.
		const hasTimes = credential === 'hospitalityBookingApi';
		this.timeZone = hasTimes ? checkTimeZone(credentials.timeZone) : 'UTC';
		this.language = checkLanguage(credentials.language);
		this.queue = queueOf(this.signed.key);
	}

	/** @returns what no text may show, the tokens that are known by now included */
	currentSecrets(): string[] {
		const { secrets, key } = this.signed;
		const headers = Object.values(this.deployment.headers);
		return headers.concat(secrets, tokensOf(key));
	}

	private secretsOf(call: Call): string[] {
		return this.currentSecrets().concat(call.secrets ?? []);
	}

	/**
	 * Makes a call: account and token, retries, cancellation and readable errors.
	 *
	 * @param errorContext names the operation and item in errors
	 * @returns the response, always 2xx, with a body that is data (never HTML)
	 * @throws NodeApiError (a response outside 2xx after the retries, or none at all); NodeOperationError (credential values);
	 * the reason of the request's signal where that has kept it from being sent
	 */
	async call(asked: ServiceRequest, errorContext: ErrorContext): Promise<ServiceResponse> {
		const { signal, giveUpAfterMs = EDITOR_GIVES_UP_AFTER_MS } = asked;
		const deadline = deadlineOf(asked);
		const isSafe = asked.method === 'GET';
		const limits = { isSafe, giveUpAfterMs, openedAt: this.openedAt, deadline, signal };
		const request = withDeployment({ ...asked, deadline }, this.deployment);
		const context = { ...errorContext, secrets: () => this.secretsOf(asked) };
		// A request for a token changes nothing that a person would look at.
		const isChange = !isSafe && asked.takesToken !== false;
		const failedCall = { isChange, record: asked.changedRecordLabel };
		const attempt = async () => await byDeadline(this.sendOnce(request), deadline);
		const result = await this.queue.send(limits, attempt).catch((error: unknown) => {
			if (!(error instanceof CallError)) signal?.throwIfAborted();
			throw toNodeError(context, error, failedCall);
		});
		if (result.kind === 'response') return result.response;
		throw toNodeError(context, new CallError(result), failedCall);
	}

	/** Sends a call once; after a 401 once more, where there is another token. */
	private async sendOnce(request: ServiceRequest): Promise<CallResult> {
		const { signal, takesToken } = request;
		if (takesToken === false) return await this.sendSigned(request);
		const { httpRequest } = this.context.helpers;
		const issued = await tokenFor(httpRequest, this.signed, { signal });
		if ('kind' in issued) return issued;
		const result = await this.sendSigned(request, issued);
		const isRefused = result.kind === 'status' && result.status === 401;
		if (!isRefused) return result;
		const other = await tokenFor(httpRequest, this.signed, { refused: issued.token, signal });
		if ('kind' in other) return other;
		// The very same: it was requested for this reason a moment ago.
		if (other === issued) return result;
		return await this.sendSigned(request, other);
	}

	private async sendSigned(request: ServiceRequest, issued?: IssuedToken): Promise<CallResult> {
		const name = this.credential;
		const data = withToken(this.signed, this.credentials, issued, request.system);
		const using = { credentialsDecrypted: { id: '', name, type: name, data } };
		const authorization = {
			send: authenticatedSender(this.context, name, using),
			address: this.address,
			currentSecrets: () => this.currentSecrets(),
		};
		return await attemptCall(authorization, request);
	}
}

/** A call of a run may take as long as it takes; a list in the editor may not. */
function deadlineOf(request: ServiceRequest): number | undefined {
	if (request.deadline !== undefined || request.signal) return request.deadline;
	return performance.now() + EDITOR_ENDS_AFTER_MS;
}

/** n8n's own words for a credential that is gone do not say what to do. */
function unreadable(reason: unknown): never {
	if (reason instanceof NodeOperationError) throw reason;
	const said = reason instanceof Error ? reason.message : asText(reason);
	throw new ExplainedError(
		`The credential could not be read: ${said}`,
		"It may have been deleted, or not imported with the workflow. Choose one under 'Credential to connect with', or create it",
		{ cause: 'configuration-invalid' },
	);
}
