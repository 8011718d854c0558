import { createHash } from 'crypto';

/** @returns a hash of a text, 6 bits a character */
export function hashKey(text: string, length: number): string {
	return createHash('sha256').update(text).digest('base64').slice(0, length);
}
