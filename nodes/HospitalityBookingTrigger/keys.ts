import { createHash } from 'crypto';

const KEY_BYTES = 8;

/** @returns 64 bits of a hash of a text, as 8 characters of one byte each. */
export function hashKey(text: string): string {
	return createHash('sha256').update(text).digest().toString('latin1', 0, KEY_BYTES);
}

/** @returns a hash of a text as so many letters, digits and signs, 11 at most. */
export function shortHash(text: string, length = 11): string {
	return Buffer.from(hashKey(text), 'latin1').toString('base64').slice(0, length);
}

/** @returns a key as digits, for what cannot hold its bytes. */
export function hexOf(key: string): string {
	return Buffer.from(key, 'latin1').toString('hex');
}

/** @returns a whole number as 8 characters, from which {@link numberOfKey} reads it back. */
export function numberKey(value: number): string {
	const bytes = Buffer.alloc(KEY_BYTES);
	bytes.writeBigInt64BE(BigInt(value));
	return bytes.toString('latin1');
}

/** @returns the number that {@link numberKey} was given. */
export function numberOfKey(key: string): number {
	return Number(Buffer.from(key, 'latin1').readBigInt64BE());
}
