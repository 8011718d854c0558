import type { ICredentialDataDecryptedObject, INodeProperties } from 'n8n-workflow';
import get from 'lodash/get';

import { asText } from '../values/asText';
import {
	ROLE_FIELDS,
	articleCategoryFilterName,
	extraHeaders,
	unitFilterName,
} from './credentialFields';
import type { Call } from '../http/response';
import { isBlank } from '../values/blank';
import { InvalidValueError, requiredText } from '../values/invalidValue';
import { KeyMap, KeySet } from '../values/keys';
import { isRecord } from '../values/record';
import { checkHeaderName, checkHeaderText, comparable } from '../values/text';

/** The statuses of each meaning, numbers and names as {@link comparable} texts; undefined where the field is empty. */
export type StatusRoles = { readonly [Name in keyof typeof ROLE_FIELDS]?: ReadonlySet<string> };

/** How a deployment differs, as the credential describes it for all nodes. */
export interface Deployment {
	/** Names of the two filters whose names the API does not specify. */
	unitFilterName: string;
	articleCategoryFilterName: string;
	/** Sent with every call in addition to the API's headers. Their values are never shown. */
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
		headers: readHeaders(credentials),
		skipSslCertificateValidation: ignoresSslIssues(credentials),
	};
}

/** @returns whether certificates are not checked, neither of the service nor of what issues tokens */
export function ignoresSslIssues(credentials: ICredentialDataDecryptedObject): boolean {
	return credentials.allowUnauthorizedCerts === true;
}

type Role = keyof typeof ROLE_FIELDS;

/** What a person enters if the service has no status of this meaning. */
const NO_STATUS = ['none', '-'];

/** @throws InvalidValueError for a status in two fields, which leaves its meaning unknown */
export function readStatusRoles(credentials: ICredentialDataDecryptedObject): StatusRoles {
	const roles: { [R in Role]?: ReadonlySet<string> } = {};
	/** The field that each status was found in. */
	const fieldOf = new KeyMap<string, string>();
	for (const role of Object.keys(ROLE_FIELDS) as Role[]) {
		const { name, displayName } = ROLE_FIELDS[role];
		const statuses = readStatuses(credentials[name]);
		if (!statuses) continue;
		roles[role] = statuses;
		for (const status of statuses) {
			const other = fieldOf.get(status);
			if (other !== undefined) {
				throw new InvalidValueError(
					displayName,
					`contains '${status}', and so does '${other}'`,
					'Enter each status in one field of the credential only',
				);
			}
			fieldOf.set(status, displayName);
		}
	}
	return roles;
}

/** @returns undefined for an empty field, no status where it says that there is none */
function readStatuses(entered: unknown): ReadonlySet<string> | undefined {
	const parts = asText(entered ?? '').split(/[,;\r\n]/);
	const names = parts.filter((part) => !isBlank(part)).map(comparable);
	if (names.length === 0) return undefined;
	const statuses = new KeySet(names);
	for (const word of NO_STATUS) statuses.delete(word);
	return statuses;
}

/** @returns a call with what the deployment adds; the call's own headers take precedence */
export function withDeployment<C extends Partial<Call>>(call: C, deployment: Deployment): C {
	return {
		...call,
		headers: { ...deployment.headers, ...call.headers },
		skipSslCertificateValidation: deployment.skipSslCertificateValidation,
	};
}

function readFilterName(
	credentials: ICredentialDataDecryptedObject,
	field: INodeProperties,
): string {
	const entered = credentials[field.name];
	if (isBlank(entered)) return asText(field.default);
	return asText(entered).trim();
}

/**
 * Headers that no field of a credential can name, in lower case: those that break a request or a connection, that decide how a response is read, that n8n's helpers do not send, or that the
 * credential itself sends. Measured: a wrong `Content-Length` hangs or cuts the body, `Transfer-Encoding`, `Trailer` and
 * `Expect` are refused, `Host` reaches another site behind a shared address, `Range` and `If-…` shorten a list; the library under
 * the helpers has its own meaning for `common` and for names of methods.
 */
export const RESERVED_HEADERS = new RegExp(
	`^(${[
		'connection|content-.*|expect|host|http2-settings|if-.*|keep-alive|proxy-.*|range|te|trailer|transfer-encoding|upgrade',
		'accept|accept-.*coding|common|delete|get|head|options|patch|post|put|query|constructor|prototype|__proto__',
		'system|date|digest|location',
	].join('|')})$`,
);

const REMOVE_OR_FILL = 'Fill in the row in the credential, or remove it';

function readHeaders(credentials: ICredentialDataDecryptedObject): Record<string, string> {
	const headers: Record<string, string> = {};
	const tokenHeader = asText(credentials.headerName).toLowerCase();
	const taken = new KeySet(['authorization', tokenHeader]);
	const rows: unknown = get(credentials.extraHeaders, 'entry');
	if (!Array.isArray(rows)) return headers;
	for (const [index, row] of rows.filter(isRecord).entries()) {
		const label = `${extraHeaders.displayName} ${index + 1}`;
		const name = requiredText(asText(row.name ?? ''), `${label}: Name`, REMOVE_OR_FILL);
		const text = requiredText(asText(row.value ?? ''), `${label}: Value`, REMOVE_OR_FILL);
		checkHeaderName(name, label);
		checkHeaderText(text, label);
		const lower = name.toLowerCase();
		if (RESERVED_HEADERS.test(lower) || taken.has(lower)) {
			throw new InvalidValueError(
				label,
				`is '${name}', which is reserved or entered twice`,
				REMOVE_OR_FILL,
			);
		}
		taken.add(lower);
		headers[name] = text;
	}
	return headers;
}
