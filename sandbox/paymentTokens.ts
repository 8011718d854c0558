import { randomBytes } from 'node:crypto';

/** The AuthenticationTokens of the payment service. The API does not specify their use; a wrong one is rejected. */
export class PaymentTokens {
	private readonly issued = new Set<string>();

	/** A new token. */
	issue(): string {
		const token = randomBytes(24).toString('base64url');
		this.issued.add(token);
		return token;
	}

	knows(token: string): boolean {
		return this.issued.has(token);
	}

	revokeAll(): void {
		this.issued.clear();
	}
}
