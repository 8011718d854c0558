/**
 * @param value of a form or of the service
 * @returns it as a text, as `String` does; '' for a record without one: JSON such as `{ "toString": 1 }` is data, and makes
 * `String` throw a TypeError
 */
export function asText(value: unknown): string {
	try {
		return String(value);
	} catch {
		return '';
	}
}
