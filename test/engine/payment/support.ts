import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import type { SandboxInfo } from '../../support/sandbox';

/** A `hospitalityPaymentApi` credential as a person fills it in for a sandbox. */
export function paymentCredential({
	payUrl,
	paymentCustomerId,
	paymentPassword,
}: Pick<SandboxInfo, 'payUrl' | 'paymentCustomerId' | 'paymentPassword'>): ICredentialDataDecryptedObject {
	return { payUrl, customerId: paymentCustomerId, password: paymentPassword, carriedAs: 'bearer' };
}
