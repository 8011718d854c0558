import type { IDataObject, IHttpRequestOptions } from 'n8n-workflow';

import { InvalidValueError } from '../values/invalidValue';

/** A request as n8n's helpers hand it to `authenticate`; the older one has `uri`, `form` and `formData`. */
export type GivenRequest = IHttpRequestOptions & {
	uri?: string;
	form?: unknown;
	formData?: unknown;
	followRedirect?: boolean;
	followAllRedirects?: boolean;
};

/**
 * The whole address of a request.
 *
 * @param address of the credential, which a relative request is appended to
 * @param label the credential's field with that address
 * @throws InvalidValueError where the request leads to another origin: the token has no business there
 */
export function requestAddress(
	{ url, uri = '', baseURL }: GivenRequest,
	address: string,
	label: string,
): string {
	// Where both are given, n8n's older helper takes `url`.
	const asked = url ?? uri;
	const isWhole = /^[a-z][a-z\d+.-]*:/i.test(asked);
	if (!isWhole && baseURL === undefined) return `${address}/${asked.replace(/^\/+/, '')}`;
	const whole = isWhole ? asked : `${baseURL ?? ''}/${asked.replace(/^\/+/, '')}`;
	const { origin } = new URL(address);
	if (URL.canParse(whole) && new URL(whole).origin === origin) return whole;
	throw new InvalidValueError(
		'URL',
		`does not lead to '${label}' of the credential, so nothing was sent`,
		`Enter an address that begins with ${origin}, or change '${label}' in the credential`,
	);
}

/**
 * A request completed with what its credential adds. Redirects are not followed: they could lead to another origin.
 *
 * @param headers replace those of the same name, in whatever case
 */
export function completeRequest(given: GivenRequest, whole: string, headers: IDataObject): GivenRequest {
	const { uri, url, baseURL: _, ...options } = given;
	return {
		...options,
		...(uri === undefined ? {} : { uri: whole }),
		...(url === undefined && uri !== undefined ? {} : { url: whole }),
		disableFollowRedirect: true,
		followRedirect: false,
		followAllRedirects: false,
		headers: { ...withoutHeaders(options.headers ?? {}, Object.keys(headers)), ...headers },
	} as GivenRequest;
}

/** @returns a header's value, whatever the case of its name */
export function headerOf({ headers = {} }: GivenRequest, name: string): unknown {
	return Object.entries(headers).find(([own]) => own.toLowerCase() === name)?.[1];
}

function withoutHeaders(headers: IDataObject, names: readonly string[]): IDataObject {
	const lower = new Set(names.map((name) => name.toLowerCase()));
	return Object.fromEntries(Object.entries(headers).filter(([name]) => !lower.has(name.toLowerCase())));
}
