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

/** @throws InvalidValueError when a field of a credential is empty */
export function requiredText(value: unknown, label: string): string {
	const text = typeof value === 'string' ? value.trim() : '';
	if (text === '') throw new InvalidValueError(label, 'is empty', `Enter '${label}' in the credential`);
	return text;
}
