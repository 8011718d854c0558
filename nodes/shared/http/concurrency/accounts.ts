import { type CallingContext, type CredentialName, readRunCredentials } from '../../auth/authorizedCall';
import { CallQueue } from './callQueue';

const MAX_ACCOUNTS = 500;

/** What this process remembers of each account: what its limiter has learned, and the calls that wait. */
export const callQueues = new Map<string, CallQueue>();

/**
 * @returns the queue of the account that a credential stands for: address and client
 * @throws what n8n says when the credential cannot be read
 */
export async function queueFor(context: CallingContext, credential: CredentialName): Promise<CallQueue> {
	const { baseUrl, payUrl, clientId, customerId } = await readRunCredentials(context, credential);
	return queueOf(JSON.stringify([credential, baseUrl, payUrl, clientId, customerId]));
}

/** @returns the same queue for the same account; the idle one that was used longest ago makes room for a new one */
export function queueOf(account: string): CallQueue {
	const queue = callQueues.get(account) ?? new CallQueue();
	callQueues.delete(account);
	callQueues.set(account, queue);
	if (callQueues.size > MAX_ACCOUNTS) {
		const [oldest] = [...callQueues].find(([, { isIdle }]) => isIdle) ?? [];
		if (oldest !== undefined && oldest !== account) callQueues.delete(oldest);
	}
	return queue;
}
