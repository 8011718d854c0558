import type { ICredentialDataDecryptedObject, INodeProperties } from 'n8n-workflow';

import {
	ROLE_FIELDS,
	articleCategoryFilterName,
	extraHeaders,
	unitFilterName,
} from './credentialFields';
import type { Call } from '../http/response';
import { isBlank } from '../values/blank';
import { InvalidValueError, requiredText } from '../values/invalidValue';
import { isRecord } from '../values/record';
import { checkHeaderName, checkHeaderText, comparable } from '../values/text';

/** The statuses of each meaning, numbers and names as {@link comparable} texts; undefined where the field is empty. */
export type StatusRoles = { readonly [Role in keyof typeof ROLE_FIELDS]?: ReadonlySet<string> };

/** How a deployment differs, as the credential describes it for all nodes. */
export interface Deployment {
	/** Names of the two filters whose names the API does not specify. */
	unitFilterName: string;
	articleCategoryFilterName: string;
	/** Sent with every call besides those of the API. Their values are never shown. */
	headers: Record<string, string>;
	skipSslCertificateValidation: boolean;
}

/**
 * @param credentials of either type
 * @throws InvalidValueError that names the field of the credential
 */
export function readDeployment(credentials: ICredentialDataDecryptedObject): Deployment {
	return {
		unitFilterName: readFilterName(credentials, unitFilterName),
		articleCategoryFilterName: readFilterName(credentials, articleCategoryFilterName),
		headers: readHeaders(credentials.extraHeaders, String(credentials.headerName).toLowerCase()),
		skipSslCertificateValidation: ignoresSslIssues(credentials),
	};
}

/** @returns whether certificates are not checked, neither of the service nor of what issues tokens */
export function ignoresSslIssues({
	allowUnauthorizedCerts,
}: ICredentialDataDecryptedObject): boolean {
	return allowUnauthorizedCerts === true;
}

/** @throws InvalidValueError for a status in two fields, which leaves its meaning unknown */
export function readStatusRoles(credentials: ICredentialDataDecryptedObject): StatusRoles {
	const roles: { -readonly [Role in keyof StatusRoles]: Set<string> } = {};
	const found = new Map<string, string>();
	for (const role of Object.keys(ROLE_FIELDS) as Array<keyof StatusRoles>) {
		const { name, displayName } = ROLE_FIELDS[role];
		const statuses = String(credentials[name] ?? '')
			.split(/[,;\r\n]/)
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

/** @returns a call with what the deployment adds; the call's own headers take precedence */
export function withDeployment<C extends Partial<Call>>(
	call: C,
	{ headers, skipSslCertificateValidation }: Deployment,
): C {
	return { ...call, headers: { ...headers, ...call.headers }, skipSslCertificateValidation };
}

function readFilterName(
	given: ICredentialDataDecryptedObject,
	{ name, default: standard }: INodeProperties,
): string {
	return String(isBlank(given[name]) ? standard : given[name]).trim();
}

/**
 * Headers that no field of a credential can name, in lower case: those that break a request or a connection, that decide how a response is read, that n8n's helpers do not send, or that the
 * credential itself sends. Measured: a wrong `Content-Length` hangs or cuts the body, `Transfer-Encoding`, `Trailer` and
 * `Expect` are refused, `Host` reaches another site behind a shared address, `Range` and `If-…` shorten a list; the library under
 * the helpers has its own meaning for `common` and for names of methods.
 */
export const RESERVED = new RegExp(
	`^(${[
		'connection|content-.*|expect|host|http2-settings|if-.*|keep-alive|proxy-.*|range|te|trailer|transfer-encoding|upgrade',
		'accept|accept-.*coding|common|delete|get|head|options|patch|post|put|query|constructor|prototype|__proto__',
		'system|date|digest|location',
	].join('|')})$`,
);

const REMOVE_OR_FILL = 'Fill in the row in the credential, or remove it';

/** @param tokenHeader the one that a credential sends its token in, in lower case */
function readHeaders(value: unknown, tokenHeader: string): Record<string, string> {
	const rows = isRecord(value) && Array.isArray(value.entry) ? value.entry.filter(isRecord) : [];
	const headers = new Map<string, [name: string, text: string]>();
	for (const [index, row] of rows.entries()) {
		const label = `${extraHeaders.displayName} ${index + 1}`;
		const read = (part: 'Name' | 'Value') =>
			requiredText(String(row[part.toLowerCase()] ?? ''), `${label}: ${part}`, REMOVE_OR_FILL);
		const [name, text] = [read('Name'), read('Value')];
		checkHeaderName(name, label);
		checkHeaderText(text, label);
		const lower = name.toLowerCase();
		if (
			RESERVED.test(lower) ||
			lower === tokenHeader ||
			lower === 'authorization' ||
			headers.has(lower)
		)
			throw new InvalidValueError(
				label,
				`is '${name}', which is reserved or entered twice`,
				REMOVE_OR_FILL,
			);
		headers.set(lower, [name, text]);
	}
	return Object.fromEntries(headers.values());
}
