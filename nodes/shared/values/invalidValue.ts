import { isBlank } from './blank';
import { joined, plainText } from './plainText';

/** Of a name that comes from JSON. */
const MAX_LABEL = 200;

/**
 * A value that must not be sent. Becomes a NodeOperationError with the item in it (see `errors/nodeErrors.ts`).
 *
 * Message: `'Booking GUID' is 'abc'`; description: what is allowed.
 */
export class InvalidValueError extends Error {
	override name = 'InvalidValueError';

	description: string;

	/**
	 * @param label the field, or where in JSON the value stands
	 * @param description what is allowed, or how to fix the value
	 */
	constructor(
		readonly label: string,
		what: string,
		description: string,
	) {
		super(`'${plainText(label, MAX_LABEL)}' ${plainText(what)}`);
		this.description = plainText(description);
	}

	/** @returns the same error, which says more of what is allowed */
	withHint(sentence: string): this {
		this.description = plainText(joined([this.description, sentence]));
		return this;
	}
}

/**
 * @param hint how to fix it; by default it names the credential's field
 * @throws InvalidValueError if there is no text
 */
export function requiredText(
	value: unknown,
	label: string,
	hint = `Enter '${label}' in the credential`,
): string {
	const text = typeof value === 'string' ? value.trim() : '';
	if (isBlank(text)) throw new InvalidValueError(label, 'is empty', hint);
	return text;
}
