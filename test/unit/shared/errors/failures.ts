import type { INode } from 'n8n-workflow';

import { CallError, type CallFailure } from '../../../../nodes/shared/errors/failure';
import { toNodeError } from '../../../../nodes/shared/errors/nodeErrors';

const node: INode = {
	id: '1',
	name: 'Node',
	type: 'x',
	typeVersion: 1,
	position: [0, 0],
	parameters: {},
};

/** A call of a run. */
export const PLACE = { node, action: 'Get many customers', inRun: true };

/** What n8n shows of a failure. */
export const callError = (failure: CallFailure, isChange = false) =>
	toNodeError(PLACE, new CallError(failure), { isChange });

const statuses = Array.from({ length: 300 }, (_, index) => 300 + index);
const codes = [
	'ECONNREFUSED',
	'ENOTFOUND',
	'EAI_AGAIN',
	'EHOSTUNREACH',
	'ECONNABORTED',
	'ETIMEDOUT',
	'ECONNRESET',
	'ERR_CANCELED',
	'X',
	'CERT_HAS_EXPIRED',
	'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
	'HPE_INVALID',
];
const connections = codes.flatMap((code): CallFailure[] => [
	{ kind: 'connection', code },
	{ kind: 'connection', code, isUnsent: true },
]);

const TOKEN_WORDS = {
	addressField: 'Token URL Base',
	rejected: ["The service rejected 'Client ID' or 'Client Secret'", 'Copy both again'],
	notAllowed: ["The service does not allow 'Client ID' to use its API", 'Ask for access'],
	none: ["No access token came from 'Token URL Base'", "Check 'Token URL Base' in the credential"],
} as const;

/** Whatever can happen to a call, by a name of its own. */
export const FAULTS: Record<string, CallFailure> = {
	...Object.fromEntries(statuses.map((status) => [`status ${status}`, { kind: 'status', status }])),
	...Object.fromEntries(connections.map((failure) => [JSON.stringify(failure), failure])),
	'429 with a pause': { kind: 'status', status: 429, retryAfterMs: 3_600_000 },
	'503 with a pause': { kind: 'status', status: 503, retryAfterMs: 3_600_000 },
	'a pause after 429': {
		kind: 'status',
		status: 429,
		retryAfterMs: 3_600_000,
		isUnsent: true,
	},
	'a pause after 503': {
		kind: 'status',
		status: 503,
		retryAfterMs: 3_600_000,
		isUnsent: true,
	},
	'an outage that another call met': { kind: 'status', status: 503, isUnsent: true },
	'a wait for other calls': { kind: 'waited' },
	'a redirect to nowhere': { kind: 'redirect', status: 302, address: '' },
	'a redirect': { kind: 'redirect', status: 302, address: 'https://other.example.com' },
	'a response too large': {
		kind: 'body',
		reason: 'size',
		status: 200,
		problem: 'is larger than 64 MB',
	},
	'a response that is no JSON': {
		kind: 'body',
		reason: 'format',
		status: 200,
		problem: 'is empty',
	},
	'a response without data': {
		kind: 'body',
		reason: 'noData',
		status: 200,
		problem: 'is something other than data',
	},
	'an account that was refused a token': {
		kind: 'status',
		status: 400,
		ofToken: { ...TOKEN_WORDS, reason: 'rejected' },
	},
	'an account that may not request a token': {
		kind: 'status',
		status: 403,
		ofToken: { ...TOKEN_WORDS, reason: 'notAllowed' },
	},
	'a call that took all its time': {
		kind: 'connection',
		code: 'ETIMEDOUT',
		timeoutMs: 5_000,
	},
	'a request for a token that broke': {
		kind: 'connection',
		code: 'ECONNRESET',
		ofToken: { ...TOKEN_WORDS, reason: 'none' },
	},
};
