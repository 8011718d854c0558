/**
 * A value that must not be sent. Becomes a NodeOperationError with the item in it (see `errors/nodeErrors.ts`).
 *
 * Message: `'Booking GUID' is 'abc'`; description: what is allowed.
 */
export class InvalidValueError extends Error {
	override name = 'InvalidValueError';

	constructor(
		/** The parameter's name as displayed. */
		readonly label: string,
		readonly what: string,
		/** What is allowed, or how to fix it. */
		readonly description: string,
	) {
		super(`'${label}' ${what}`);
	}
}

/**
 * @param hint how to fix it; by default that a field of the credential is meant
 * @throws InvalidValueError when there is no text
 */
export function requiredText(
	value: unknown,
	label: string,
	hint = `Enter '${label}' in the credential`,
): string {
	const text = typeof value === 'string' ? value.trim() : '';
	if (text === '') throw new InvalidValueError(label, 'is empty', hint);
	return text;
}
