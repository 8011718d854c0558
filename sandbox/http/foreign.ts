import type { IncomingHttpHeaders } from 'node:http';

/** Names of this machine that no other site's DNS can claim; the last one is for use from Docker Desktop. */
const OWN_HOST = /^(127\.0\.0\.1|localhost|host\.docker\.internal)(:\d+)?$/;

/**
 * Detects requests from pages of other sites: they use another name for this machine (DNS rebinding), or they cross
 * origins, which a browser allows any page that need not read the response.
 *
 * @returns the header that shows it; undefined if none does
 */
export function foreignHeader({ host = '', origin }: IncomingHttpHeaders): string | undefined {
	if (!OWN_HOST.test(host)) return `Host: ${host}`;
	return origin === undefined || origin === `http://${host}` ? undefined : `Origin: ${origin}`;
}
