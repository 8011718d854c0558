/** No token could be had. */
export class TokenError extends Error {
	override name = 'TokenError';

	constructor(
		message: string,
		/** How to get unstuck. */
		readonly description: string,
		/** Whether the service itself said no; a connection that was not made is not remembered. */
		readonly wasAnswered: boolean,
	) {
		super(message);
	}
}
