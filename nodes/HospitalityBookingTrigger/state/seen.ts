import { createHash } from 'crypto';

const KEY_BYTES = 8;
const ENTRY_BYTES = KEY_BYTES + 4;
const MAX_SECOND = 2 ** 32 - 1;

/** Events that have been dealt with: 64 bits that stand for each, and the second since 1970 at which it happened. */
export type Seen = Map<string, number>;

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

/** Reads what {@link hexOf} wrote. */
export function keyOfHex(text: string): string {
	return Buffer.from(text, 'hex').toString('latin1');
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

/** Writes the set in 16 characters an event, so that 10,000 events take 160,000 bytes of the workflow's row. */
export function packSeen(seen: Seen): string {
	const bytes = Buffer.alloc(seen.size * ENTRY_BYTES);
	let offset = 0;
	for (const [key, second] of seen) {
		bytes.write(key, offset, 'latin1');
		bytes.writeUInt32BE(Math.max(0, Math.min(second, MAX_SECOND)), offset + KEY_BYTES);
		offset += ENTRY_BYTES;
	}
	return bytes.toString('base64');
}

/** Reads what {@link packSeen} wrote. */
export function unpackSeen(text: string): Seen {
	const bytes = Buffer.from(text, 'base64');
	const seen: Seen = new Map();
	for (let offset = 0; offset + ENTRY_BYTES <= bytes.length; offset += ENTRY_BYTES) {
		seen.set(bytes.toString('latin1', offset, offset + KEY_BYTES), bytes.readUInt32BE(offset + KEY_BYTES));
	}
	return seen;
}

/** Whether a value is what {@link packSeen} writes. */
export function isPacked(value: unknown): value is string {
	return typeof value === 'string' && packSeen(unpackSeen(value)) === value;
}
