import type { Failure } from 'n8n-workflow';

/** No token could be had. */
export class TokenError extends Error {
	override name = 'TokenError';

	constructor(
		message: string,
		/** How to fix it. */
		readonly description: string,
		/** Whether the service itself said no; a connection that was not made is not remembered. */
		readonly wasAnswered: boolean,
		/** Why, in n8n's terms. */
		readonly failure?: Failure,
	) {
		super(message);
	}
}
