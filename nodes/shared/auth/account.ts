import {
	type ICredentialDataDecryptedObject,
	type IExecuteFunctions,
	NodeOperationError,
} from 'n8n-workflow';
import get from 'lodash/get';
import isEqual from 'lodash/isEqual';
import startCase from 'lodash/startCase';

import { CallError } from '../errors/failure';
import { ExplainedError } from '../errors/explainedError';
import { type ErrorContext, toNodeError } from '../errors/nodeErrors';
import { queueOf } from '../http/queue';
import { attemptCall } from '../http/attempt';
import { type CallingContext, authenticatedSender } from '../http/helpers';
import { type Call, type CallResult, type ServiceResponse, byDeadline } from '../http/response';
import { checkTimeZone } from '../values/zone';
import { InvalidValueError } from '../values/invalidValue';
import { withToken } from './signing';
import { bookingAuth } from './booking';
import { withDeployment, readDeployment, readStatusRoles } from './deployment';
import { paymentAuth } from './payment';
import { type IssuedToken, tokenFor, tokensOf } from './tokens';

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
	/** The record that the call changes, in the words of the form, e.g. `'Web Booking' 3f25…`. */
	record?: string;
	/** Of a run: once aborted, nothing more is sent; those in flight end, or n8n cuts them. */
	signal?: AbortSignal;
}

const EDITOR_GIVES_UP_AFTER_MS = 10_000;
/** The longest that a list in the editor may take. */
const EDITOR_ENDS_AFTER_MS = 60_000;

const SIGN_IN = { hospitalityBookingApi: bookingAuth, hospitalityPaymentApi: paymentAuth };

/** An account as its credential describes it when opened, and the one way to send calls, for all nodes. */
export type Account = Awaited<ReturnType<typeof openAccount>>;

/**
 * Opens an account, once for a run or a poll. n8n would read the credential from its database for every call, with a token
 * that may belong to another account.
 *
 * @param context the n8n context that the calls run in
 * @returns the credential, its address, the IANA name of its time zone, what it says of the
 * deployment and the statuses, the account's queue, `call`, and the account's secrets as they are now
 * @throws ExplainedError for a credential that cannot be read; InvalidValueError for one of its fields
 */
export async function openAccount(context: CallingContext, credential: CredentialName) {
	const openedAt = performance.now();
	const credentials = await context.getCredentials(credential).catch(unreadable);
	const account = SIGN_IN[credential].readAccount(credentials);
	const { address } = account;
	const deployment = readDeployment(credentials);
	const known = [...account.secrets, ...Object.values(deployment.headers)];
	const currentSecrets = () => [...known, ...tokensOf(account.key)];
	const statusRoles = readStatusRoles(credentials);
	// The payment service has no times.
	const timeZone =
		credential === 'hospitalityBookingApi' ? checkTimeZone(credentials.timeZone) : 'UTC';
	const queue = queueOf(account.key);

	/** Makes a call once; after a 401 once more, where there is another token. */
	async function attempt(request: ServiceRequest): Promise<CallResult> {
		const { takesToken, signal } = request;
		const { httpRequest } = context.helpers;
		if (takesToken === false) return await sendWith(request);
		const issued = await tokenFor(httpRequest, account, { signal });
		if ('kind' in issued) return issued;
		const outcome = await sendWith(request, issued);
		if (outcome.kind !== 'status' || outcome.status !== 401) return outcome;
		const other = await tokenFor(httpRequest, account, { refused: issued.token, signal });
		if ('kind' in other) return other;
		// The very same: it was requested for this reason a moment ago.
		return other === issued ? outcome : await sendWith(request, other);
	}

	async function sendWith(request: ServiceRequest, issued?: IssuedToken): Promise<CallResult> {
		const data = withToken(account, credentials, issued, request.system);
		const using = { credentialsDecrypted: { id: '', name: credential, type: credential, data } };
		const send = authenticatedSender(context, credential, using);
		return await attemptCall({ send, address, currentSecrets }, request);
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
		const { record, method, takesToken, signal } = asked;
		const endsAt = signal ? undefined : performance.now() + EDITOR_ENDS_AFTER_MS;
		const { giveUpAfterMs = EDITOR_GIVES_UP_AFTER_MS, deadline = endsAt } = asked;
		const request = withDeployment({ ...asked, deadline }, deployment);
		try {
			const end = await queue.send(
				{ isSafe: method === 'GET', giveUpAfterMs, openedAt, deadline, signal },
				async () => await byDeadline(attempt(request), deadline),
			);
			if (end.kind === 'response') return end.response;
			throw new CallError(end);
		} catch (error) {
			if (!(error instanceof CallError)) signal?.throwIfAborted();
			// A request for a token changes nothing that a person would look at.
			const isChange = method !== 'GET' && takesToken !== false;
			throw toNodeError(errorContext, error, { isChange, record });
		}
	}

	return { credentials, address, timeZone, deployment, statusRoles, queue, call, currentSecrets };
}

/**
 * n8n evaluates the expressions of a credential for each item, but a run has one account. Reading it for an item that does not
 * exist, and for the second, shows whether it depends on the item; only then is it read for each.
 *
 * @param first the credential of the first item
 * @throws InvalidValueError naming a field that differs by item
 */
export async function checkSameForAllItems(
	context: IExecuteFunctions,
	credential: CredentialName,
	first: ICredentialDataDecryptedObject,
): Promise<void> {
	const { length: count } = context.getInputData();
	const differingFor = async (itemIndex: number) => {
		const other = await context.getCredentials(credential, itemIndex).catch(() => ({}));
		return Object.keys(first).find((name) => !isEqual(first[name], get(other, name)));
	};
	const dependsOnItem =
		count > 1 && ((await differingFor(count)) ?? (await differingFor(1))) !== undefined;
	for (let itemIndex = 1; dependsOnItem && itemIndex < count; itemIndex++) {
		const name = await differingFor(itemIndex);
		if (name === undefined) continue;
		throw new InvalidValueError(
			startCase(name),
			`of the credential differs by item (item ${itemIndex})`,
			"Use a fixed value. For several systems in one run, use 'System' under Options",
		);
	}
}

/** n8n's own words for a credential that is gone do not say what to do. */
export function unreadable(reason: unknown): never {
	if (reason instanceof NodeOperationError) throw reason;
	throw new ExplainedError(
		`The credential could not be read: ${reason instanceof Error ? reason.message : String(reason)}`,
		"It may have been deleted, or not imported with the workflow. Choose one under 'Credential to connect with', or create it",
		{ cause: 'configuration-invalid' },
	);
}
