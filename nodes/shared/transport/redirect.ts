import type { Mask } from '../errors/secrets';

/** More than this is a circle. */
export const MAX_REDIRECTS = 5;

export function isRedirect(status: number): boolean {
	return status >= 300 && status < 400 && status !== 304;
}

/**
 * @param location the `Location` header
 * @param from the address that was called
 * @returns where the redirect leads to, undefined for none or one that is not http(s)
 */
export function redirectTarget(location: unknown, from: string): URL | undefined {
	if (typeof location !== 'string' || !URL.canParse(location, from)) return undefined;
	const target = new URL(location, from);
	return /^https?:$/.test(target.protocol) ? target : undefined;
}

/** An address as it may be shown: a query can hold a token. */
export function shownAddress(target: URL | undefined, mask: Mask): string {
	return target ? mask(target.origin + target.pathname) : '';
}
