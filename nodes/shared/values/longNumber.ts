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
		if (number <= Number.MAX_SAFE_INTEGER || number > MOST) return undefined;
		return new LongNumber(text);
	}

	toString(): string {
		return this.digits;
	}

	toJSON(): string {
		return MARK + this.digits;
	}
}

/**
 * @param most the largest number that counts; that of 64 bits by default
 * @returns a pattern for whole numbers from 1 to `most`, with blanks around them and zeros before them
 */
export function wholeNumberPattern(most: bigint | number = MOST): string {
	const digits = String(most);
	const shorter = String.raw`[1-9]\d{0,${digits.length - 2}}`;
	const alternatives = [shorter, digits];
	for (let place = 0; place < digits.length; place++) {
		const digit = Number(digits[place]);
		const least = place === 0 ? 1 : 0;
		if (digit <= least) continue;
		const same = digits.slice(0, place);
		const smaller = `[${least}-${digit - 1}]`;
		const rest = digits.length - place - 1;
		alternatives.push(String.raw`${same}${smaller}\d{${rest}}`);
	}
	return String.raw`\s*0*(?:${alternatives.join('|')})\s*`;
}

/** @returns a body as JSON, with every digit of its long numbers */
export function toJsonText(body: unknown): string {
	const text = JSON.stringify(body);
	if (!text.includes(MARK)) return text;
	return text.replace(MARKED, '$1');
}
