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

/**
 * Where a redirect leads to, for a message: the address to enter in a credential where the path of the call is the same
 * there, else the whole address. Without query, which can hold a token.
 *
 * @param address of the credential
 * @param called the address that was called, which begins with it
 */
export function redirectedTo(
	target: URL | undefined,
	address: string,
	called: string,
	mask: Mask,
): { address: string; isService: boolean } {
	if (!target) return { address: '', isService: false };
	const path = withoutSlash(new URL(called).pathname).slice(withoutSlash(new URL(address).pathname).length);
	const whole = withoutSlash(target.origin + target.pathname);
	const entered = withoutSlash(whole.slice(0, -path.length));
	const isService = whole.endsWith(path) && entered !== address;
	return { address: mask(isService ? entered : target.origin + target.pathname), isService };
}

function withoutSlash(text: string): string {
	return text.replace(/\/+$/, '');
}
