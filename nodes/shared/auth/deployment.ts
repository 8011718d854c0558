import type { ICredentialDataDecryptedObject, IHttpRequestOptions, INodeProperties } from 'n8n-workflow';
import attempt from 'lodash/attempt';

import {
	ROLE_FIELDS,
	articleCategoryFilterName,
	daysPerCall,
	extraHeaders,
	extraQueryParameters,
	largestResponse,
	unitFilterName,
} from '../../../credentials/fields';
import { proxySecrets } from '../http/proxy';
import type { Call, Network } from '../http/response';
import { InvalidValueError } from '../values/invalidValue';
import { readNumber } from '../values/number';
import { isRecord } from '../values/record';
import { isBlank } from '../values/blank';
import { checkHeaderName, checkHeaderText, checkWellFormed, comparable } from '../values/text';

/** The statuses of each meaning, numbers and names as {@link comparable} texts; undefined where the field is empty. */
export type StatusRoles = { readonly [Role in keyof typeof ROLE_FIELDS]?: ReadonlySet<string> };

/** How a deployment differs, as the credential describes it for all nodes. */
export interface Deployment {
	/** Names of the two filters whose names the API does not specify. */
	unitFilterName: string;
	articleCategoryFilterName: string;
	/** Sent with every call besides those of the API. */
	headers: Record<string, string>;
	query: Record<string, string | string[]>;
	/** Values of both, and the proxy's user and password: never shown. */
	secrets: readonly string[];
	/** Most days that one call covers. */
	daysPerCall: number;
	/** Largest body of a success, in megabytes. */
	largestMb: number;
	/** The credential's own way to the service. */
	network: Pick<Network, 'proxy' | 'skipSslCertificateValidation'>;
}

const IN_CREDENTIAL = 'in the credential';

/**
 * @param credentials of either type. What is hidden on the form does not apply, as n8n has it.
 * @throws InvalidValueError that names the field of the credential
 */
export function readDeployment(credentials: ICredentialDataDecryptedObject): Deployment {
	const given = credentials.advanced === true ? credentials : {};
	const headers = readHeaders(given.extraHeaders, String(given.headerName).toLowerCase());
	const query = readQuery(given.extraQueryParameters);
	const network = {
		...(isBlank(given.proxy) ? {} : { proxy: readProxy(given.proxy, IN_CREDENTIAL) }),
		...(given.allowUnauthorizedCerts === true ? { skipSslCertificateValidation: true } : {}),
	};
	return {
		unitFilterName: readFilterName(given, unitFilterName),
		articleCategoryFilterName: readFilterName(given, articleCategoryFilterName),
		headers,
		query,
		secrets: [...Object.values(headers), ...Object.values(query).flat(), ...proxySecrets(network)],
		daysPerCall: readNumberField(given, daysPerCall),
		largestMb: readNumberField(given, largestResponse),
		network,
	};
}

/** @throws InvalidValueError for a status in two fields, which leaves its meaning unknown */
export function readStatusRoles(credentials: ICredentialDataDecryptedObject): StatusRoles {
	const roles: { -readonly [Role in keyof StatusRoles]: Set<string> } = {};
	const found = new Map<string, string>();
	for (const role of Object.keys(ROLE_FIELDS) as Array<keyof StatusRoles>) {
		const { name, displayName } = ROLE_FIELDS[role];
		const statuses = String(credentials[name] ?? '')
			.split(',')
			.filter((status) => !isBlank(status));
		if (statuses.length === 0) continue;
		roles[role] = new Set(statuses.map(comparable).filter((status) => status !== NO_STATUS));
		for (const status of roles[role]) {
			const other = found.get(status);
			if (other !== undefined)
				throw new InvalidValueError(
					displayName,
					`contains '${status}', and so does '${other}'`,
					'Enter each status in one field of the credential only',
				);
			found.set(status, displayName);
		}
	}
	return roles;
}

/** What a person enters if the service has no status of this meaning. */
const NO_STATUS = 'none';

/** @returns the name of the credential's field with the statuses of a role */
export function roleFieldName(role: keyof StatusRoles): string {
	return ROLE_FIELDS[role].displayName;
}

/** @returns a call with what the deployment adds; the call's own values take precedence */
export function deployed<C extends Partial<Call>>(
	call: C,
	{ headers, query, largestMb, network }: Deployment,
): C {
	return {
		...call,
		headers: { ...headers, ...call.headers },
		query: { ...query, ...call.query },
		largestMb: call.largestMb ?? largestMb,
		network: { ...network, ...call.network },
	};
}

/**
 * Reads the address of a proxy.
 *
 * @param where the field stands, for the hint
 * @throws InvalidValueError unless it is an http(s) address: n8n would silently bypass any other proxy
 */
export function readProxy(
	value: unknown,
	where = 'under Options',
): NonNullable<IHttpRequestOptions['proxy']> {
	const text = typeof value === 'string' ? value.trim() : '';
	const [, scheme] = /^([a-z][a-z\d+.-]*):(?:\/\/|(?!\d|$)[^@]*$)/i.exec(text) ?? [];
	const hint = `Enter the address of an HTTP proxy ${where}, e.g. http://proxy.example.com:3128`;
	if (scheme !== undefined && !/^https?$/i.test(scheme))
		throw new InvalidValueError('Proxy', `is of the type '${scheme}', which is not supported`, hint);
	const address = scheme === undefined ? `http://${text}` : text;
	if (!URL.canParse(address))
		throw new InvalidValueError('Proxy', isBlank(value) ? 'is empty' : 'is not an address', hint);
	const { hostname, port, protocol, username, password } = new URL(address);
	return {
		host: hostname,
		port: Number(port) || (protocol === 'https:' ? 443 : 80),
		protocol: protocol.replace(':', ''),
		...(username || password ? { auth: { username: encoded(username), password: encoded(password) } } : {}),
	};
}

/** n8n's agents decode user and password; a password may contain a bare percent sign. */
function encoded(text: string): string {
	const plain = attempt(decodeURIComponent, text);
	return encodeURIComponent(typeof plain === 'string' ? plain : text);
}

function readFilterName(
	given: ICredentialDataDecryptedObject,
	{ name, displayName, default: standard }: INodeProperties,
): string {
	const value = isBlank(given[name]) ? standard : given[name];
	if (typeof value === 'string' && /^[\w.[\]-]+$/.test(value.trim())) return value.trim();
	throw new InvalidValueError(
		displayName,
		'is not a valid name',
		`Enter the name of a query parameter ${IN_CREDENTIAL}, e.g. ${String(standard)}`,
	);
}

function readNumberField(
	given: ICredentialDataDecryptedObject,
	{ name, displayName, default: standard, typeOptions = {} }: INodeProperties,
): number {
	const { minValue: least, maxValue: most, numberPrecision } = typeOptions;
	const value = isBlank(given[name]) ? standard : given[name];
	return readNumber(value, displayName, {
		least,
		most,
		isWhole: numberPrecision === 0,
		hint: ` ${IN_CREDENTIAL}`,
	});
}

/** @returns the rows that a person has added, in order, with the checks that all kinds share */
function readPairs(value: unknown, label: string): Array<{ own: string; name: string; text: string }> {
	const entries = isRecord(value) && Array.isArray(value.entry) ? value.entry.filter(isRecord) : [];
	return entries.map((entry, index) => {
		const own = `${label} ${index + 1}`;
		const [name, text] = [entry.name, entry.value].map((part) =>
			isBlank(part) ? '' : String(part as string).trim(),
		);
		if (name && NEVER_SENT.test(name))
			throw new InvalidValueError(
				own,
				`is '${name}', which n8n does not send`,
				`Remove the row ${IN_CREDENTIAL}`,
			);
		if (!name || !text)
			throw new InvalidValueError(
				`${own}: ${name ? 'Value' : 'Name'}`,
				'is empty',
				`Fill it in ${IN_CREDENTIAL}, or remove the row`,
			);
		return { own, name, text };
	});
}

/**
 * Headers that break a request or a connection, or that decide how a response is read. Measured with n8n's helpers: a wrong
 * `Content-Length` hangs or cuts the body, `Transfer-Encoding`, `Trailer` and `Expect` are refused, `Host` reaches another
 * site behind a shared address, `Range` and `If-…` shorten a list.
 */
const OF_THE_CONNECTION =
	/^(connection|content-.*|expect|host|http2-settings|if-.*|keep-alive|proxy-.*|range|te|trailer|transfer-encoding|upgrade|accept|accept-.*coding)$/;
/** Headers that the credential itself sends. */
const OF_THE_CREDENTIAL = /^(authorization|system|date|digest|location)$/;
/** Names with a special meaning in the library under n8n's helpers, which does not send them: of headers, and of any kind. */
const HEADERS_NEVER_SENT = /^(common|delete|get|head|options|patch|post|put|query)$/;
const NEVER_SENT = /^(constructor|prototype|__proto__)$/;

/** @param tokenHeader the one that a credential sends its token in, in lower case */
function readHeaders(value: unknown, tokenHeader: string): Record<string, string> {
	const headers = new Map<string, [name: string, text: string]>();
	for (const { own, name, text } of readPairs(value, extraHeaders.displayName)) {
		checkHeaderName(name, own);
		checkHeaderText(text, own);
		const lower = name.toLowerCase();
		const reason =
			(OF_THE_CONNECTION.test(lower) && 'which belongs to the connection') ||
			((OF_THE_CREDENTIAL.test(lower) || lower === tokenHeader) &&
				'which comes from other fields of the credential') ||
			(HEADERS_NEVER_SENT.test(lower) && 'which n8n does not send') ||
			(headers.has(lower) && 'which is entered twice');
		if (reason)
			throw new InvalidValueError(own, `is '${name}', ${reason}`, `Remove the row ${IN_CREDENTIAL}`);
		headers.set(lower, [name, text]);
	}
	return Object.fromEntries(headers.values());
}

function readQuery(value: unknown): Deployment['query'] {
	const query = new Map<string, string[]>();
	for (const { own, name, text } of readPairs(value, extraQueryParameters.displayName)) {
		checkWellFormed(name + text, own);
		query.set(name, [...(query.get(name) ?? []), text]);
	}
	return Object.fromEntries([...query].map(([name, all]) => [name, all.length > 1 ? all : (all[0] ?? '')]));
}
