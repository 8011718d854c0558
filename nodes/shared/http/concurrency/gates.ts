import { type CallingContext, type CredentialName, readRunCredentials } from '../../auth/runCredentials';
import { Gate } from './gate';

const MAX_ACCOUNTS = 500;

/** By account; of this process. */
export const gates = new Map<string, Gate>();

/**
 * @returns the gate of the account that a credential stands for: address and client
 * @throws what n8n says when the credential cannot be read
 */
export async function gateFor(context: CallingContext, credential: CredentialName): Promise<Gate> {
	const { baseUrl, payUrl, clientId, customerId } = await readRunCredentials(context, credential);
	return gateOf(JSON.stringify([credential, baseUrl, payUrl, clientId, customerId]));
}

/** @returns the same gate for the same account; the idle one that was used longest ago makes room for a new one */
export function gateOf(account: string): Gate {
	const gate = gates.get(account) ?? new Gate();
	gates.delete(account);
	gates.set(account, gate);
	if (gates.size > MAX_ACCOUNTS) {
		const [oldest] = [...gates].find(([, { isIdle }]) => isIdle) ?? [];
		if (oldest !== undefined && oldest !== account) gates.delete(oldest);
	}
	return gate;
}
