const KEY_BYTES = 8;
const ENTRY_BYTES = KEY_BYTES + 4;
const MAX_NUMBER = 2 ** 32 - 1;

/** Keys of 8 characters (see `keys.ts`) with a whole number each: of events that have been dealt with, the second since 1970. */
export type Seen = Map<string, number>;

/** Writes the table in 16 characters a key, so that 10,000 events take 160,000 bytes of the workflow's row. */
export function packSeen(seen: Seen): string {
	const bytes = Buffer.alloc(seen.size * ENTRY_BYTES);
	let offset = 0;
	for (const [key, number] of seen) {
		bytes.write(key, offset, 'latin1');
		bytes.writeUInt32BE(Math.max(0, Math.min(number, MAX_NUMBER)), offset + KEY_BYTES);
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
