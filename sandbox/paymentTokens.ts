import { randomBytes } from 'node:crypto';

/** The AuthenticationTokens of the payment service. How they are used is not shown; a wrong one is refused. */
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
