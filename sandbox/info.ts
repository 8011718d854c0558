/** What the numbers of booking statuses mean, for the credential's three fields. */
export const MEANT_STATUSES = { canceledStatuses: '5', noShowStatuses: '8', finishedStatuses: '4' };

/** The one developer account of the sandbox: what a person puts into the credentials. */
export const ACCOUNT = {
	clientId: 'sandbox-client',
	clientSecret: 'sandbox-secret',
	/** The system name that the data is seeded in. */
	system: 'harbour-house',
	/** A second system with data of its own. */
	secondSystem: 'harbour-annex',
	paymentCustomerId: 'sandbox-customer',
	paymentPassword: 'sandbox-password',
	companyId: '7f0c1a52-6d0e-4b8f-9a44-2f6f0b8f3c01',
	brandId: '1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed',
} as const;

/** What a client needs to know about a running sandbox. */
export interface SandboxInfo extends Record<keyof typeof ACCOUNT, string> {
	url: string;
	baseUrl: string;
	authUrl: string;
	payUrl: string;
	/** Only with `--control`. */
	controlUrl?: string;
}
