/** What the numbers of booking statuses mean, for the credential's three fields. */
export const MEANT_STATUSES = 'canceled 5, no-show 8, finished 4';

/** What a client needs to know about a running sandbox. */
export interface SandboxInfo {
	url: string;
	baseUrl: string;
	authUrl: string;
	payUrl: string;
	clientId: string;
	clientSecret: string;
	system: string;
	secondSystem: string;
	paymentCustomerId: string;
	paymentPassword: string;
	companyId: string;
	brandId: string;
	/** Only with `--control`. */
	controlUrl?: string;
}
