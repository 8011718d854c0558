/**
 * A value that must not be sent. Becomes a NodeOperationError with the item in it (see `errors.ts`).
 *
 * Message: `'Booking GUID' is 'abc'`; description: what is allowed.
 */
export class InvalidValueError extends Error {
	override name = 'InvalidValueError';

	constructor(
		/** The parameter's name as displayed. */
		readonly label: string,
		readonly what: string,
		/** What is allowed, or how to get unstuck. */
		readonly description: string,
	) {
		super(`'${label}' ${what}`);
	}
}
