import type { IncomingHttpHeaders } from 'node:http';

/** The names of this machine that no other site's DNS can claim, the last one from within Docker Desktop. */
const OWN_HOST = /^(127\.0\.0\.1|localhost|host\.docker\.internal)(:\d+)?$/;

/**
 * What tells that a page of another site makes a request: it came to this machine by a name of its own (DNS rebinding), or it
 * crosses origins, which a browser lets every page do that need not read the response.
 *
 * @returns the header that tells; undefined where none does
 */
export function foreignHeader({ host = '', origin }: IncomingHttpHeaders): string | undefined {
	if (!OWN_HOST.test(host)) return `Host: ${host}`;
	return origin === undefined || origin === `http://${host}` ? undefined : `Origin: ${origin}`;
}
