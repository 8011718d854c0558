import { randomUUID } from 'crypto';

/** Nobody outside this process knows it: no text of a person or the service is taken for a number. */
const MARK = randomUUID();
const MARKED = new RegExp(`"${MARK}(\\d+)"`, 'g');
const DIGITS = /^[1-9]\d{15,18}$/;
const MOST = 2n ** 63n - 1n;

/** A 64-bit number that JavaScript cannot count to. Nodes output it as text, and take it as text. */
export class LongNumber {
	private constructor(private readonly digits: string) {}

	/** @returns undefined for anything but the text of such a number */
	static from(value: unknown): LongNumber | undefined {
		const text = typeof value === 'string' ? value.trim() : '';
		if (!DIGITS.test(text)) return undefined;
		const number = BigInt(text);
		return number > Number.MAX_SAFE_INTEGER && number <= MOST ? new LongNumber(text) : undefined;
	}

	toString(): string {
		return this.digits;
	}

	toJSON(): string {
		return MARK + this.digits;
	}
}

/** @returns a body as JSON, with every digit of its long numbers */
export function toJsonText(body: unknown): string {
	const text = JSON.stringify(body);
	return text.includes(MARK) ? text.replace(MARKED, '$1') : text;
}
