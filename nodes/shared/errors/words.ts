import {
	type CallFailure,
	type TokenRequestWords,
	type Words,
	certificateProblem,
	n8nFailureOf,
	isRateLimited,
	isTransientCause,
	mayHaveActed,
} from './callFailure';

/** By status. `{address}` stands for the credential's field with the address. */
export type StatusWords = Readonly<Record<number, Words>>;

/** Decides which settings a hint may name. */
export interface WordsContext {
	/** The credential's field with the address; `Base URL` unless set. */
	addressField?: string;
	/** Messages of the service or operation itself. */
	statusWords?: StatusWords;
	/** Whether the call is made for input items: only there are an item and 'Options'. */
	inRun?: boolean;
	/** Settings that make the response of a list smaller, e.g. `a later 'Changed After'`. */
	narrowedBy?: string;
}

type FailureOf<Kind extends CallFailure['kind']> = Extract<CallFailure, { kind: Kind }>;

/** End of the message for a call that was not sent because of what another one met. */
const NOT_SENT = ': the call was not sent';

/** The latest time that a `Date` can represent. */
const MAX_TIME = 8.64e15;

const LATER = 'Try again later';
const CHECK_ADDRESS = 'Check {address} in the credential';
const STATUS: StatusWords = {
	400: ['The service rejected the values', "Check 'System' in the credential"],
	401: [
		'The service rejected the access token, and a new one too',
		"Check 'Client ID' and 'Client Secret' in the credential, and that the account may use this 'System'",
	],
	403: [
		'The account is not allowed to do this',
		"Ask whoever runs the service for access, or check 'System'",
	],
	404: ['The service found no such record', CHECK_ADDRESS],
	405: ['The service does not support this request', CHECK_ADDRESS],
	406: ['The service cannot respond with JSON', CHECK_ADDRESS],
	408: ['The service did not receive the whole request in time', LATER],
	409: ['The service rejected the change because of the state of the record', LATER],
	410: ['The record has been removed from the service', CHECK_ADDRESS],
	413: ['The request is too large for the service', 'Send less data at a time'],
	414: ['The request has too many filter values for the service', 'Request less data at a time'],
	415: ['The service does not accept JSON here', CHECK_ADDRESS],
	422: ['The service rejected the values', "Check 'System' in the credential"],
	423: ['The record is locked', 'Try again when nobody else is working on it'],
	425: ['The service rejected the request as too early', LATER],
	429: [
		'The service is rate-limiting this account',
		'Try again later, or ask whoever runs the service for a higher limit',
	],
	500: ['The service could not process the request', LATER],
	501: ['The service does not support this request', CHECK_ADDRESS],
	502: ['A gateway in front of the service got no response', LATER],
	503: ['The service is not available', LATER],
	504: [
		'The service did not respond to its gateway in time',
		'Try again later, or request less data at a time',
	],
};
const UNKNOWN_STATUS: Words = [
	'The service rejected the request',
	'Ask whoever runs the service what this status means',
];

/** Hints that can name the item, or a setting of the node. */
const RUN_HINTS: Readonly<Record<number, string>> = {
	400: 'Check the values of this item',
	404: 'Check the ID of this item, and {address} in the credential',
	409: 'Read the record again, then repeat the item',
	410: 'Check the ID of this item',
	413: 'Send less with this item',
	414: 'Filter by fewer values',
	422: 'Check the values of this item',
	500: 'Try again later. If it keeps happening, check the values of this item',
	504: 'Try again later, or ask for a shorter period',
};

const TIMED_OUT: Words = [
	'{address} did not respond in time',
	'Try again later, or request less data at a time',
];
const CONNECTION: Readonly<Record<string, Words>> = {
	ECONNREFUSED: [
		'Nothing responds at {address}',
		"Check the address, that the service is running, and n8n's proxy if it has one",
	],
	ENOTFOUND: ['The host of {address} is not known', 'Check the address for typos'],
	EAI_AGAIN: ['The host of {address} could not be looked up', "Check the address and this machine's network"],
	ECONNABORTED: TIMED_OUT,
	ETIMEDOUT: TIMED_OUT,
	ECONNRESET: ['The connection to {address} broke', LATER],
	// n8n counts an execution as stopped by the word 'canceled'.
	ERR_CANCELED: [
		'The execution was stopped, so its call was canceled',
		'Run the workflow again for the rest',
	],
};

const NOT_RETRIED =
	'It was not retried further: too many calls of this account have failed in the last minute';

/** @returns a failure in words that fit where they are read */
export function failureWords(failure: CallFailure, context: WordsContext): Words {
	const { ofToken, ...own } = failure;
	const address = `'${ofToken?.addressField ?? context.addressField ?? 'Base URL'}'`;
	const [happened, hint] = ofToken
		? tokenWords(own, ofToken.isRefused, ofToken)
		: wordsByKind(failure, context);
	const unretried = failure.isOverBudget ? `. ${NOT_RETRIED}` : '';
	const fix = hint.replace('{address}', address) + giveUpHint(failure, context);
	const unsent = failure.isUnsent ? NOT_SENT : '';
	return [happened.replace('{address}', address) + unsent, fix + unretried];
}

/** The options of a node do not reach the request for a token. */
function tokenWords(failure: CallFailure, isRefused: boolean, { refused, none }: TokenRequestWords): Words {
	const [happened, hint] = wordsByKind(failure, {});
	if (failure.kind === 'body') return [happened, CHECK_ADDRESS];
	if (failure.kind !== 'status') return [happened, hint];
	const [what, check] = isRefused ? refused : none;
	// What is said of 401 and 403 is about a call.
	const isPassing = isTransientCause(n8nFailureOf(failure)?.cause);
	return [`${what} (${failure.status})`, !isRefused && isPassing ? hint : check];
}

function wordsByKind(failure: CallFailure, context: WordsContext): Words {
	switch (failure.kind) {
		case 'status':
			return statusWords(failure, context);
		case 'connection':
			return connectionWords(failure, context);
		case 'waited':
			return ['The call was not sent: other calls for this account used up its time', LATER];
		case 'redirect':
			return redirectWords(failure);
		case 'body':
			return [
				`The response ${failure.problem}${failure.reason === 'noData' ? ` (${failure.status})` : ''}`,
				bodyHint(failure.reason, context),
			];
	}
}

function statusWords(failure: FailureOf<'status'>, context: WordsContext): Words {
	const { status, retryAfterMs = 0 } = failure;
	const [happened, hint] =
		STATUS[status] ?? (mayHaveActed(failure) ? STATUS[500] : undefined) ?? UNKNOWN_STATUS;
	if (isRateLimited(failure) && retryAfterMs > 0) {
		const asked = `It asked for a pause until ${timeIn(retryAfterMs)}`;
		return [`${happened} (${status}). ${asked}`, 'Try again then'];
	}
	const [ownHappened, ownHint] = context.statusWords?.[status] ?? [];
	const runHint = context.inRun ? RUN_HINTS[status] : undefined;
	return [`${ownHappened ?? happened} (${status})`, ownHint ?? runHint ?? hint];
}

function connectionWords({ code }: FailureOf<'connection'>, { inRun }: WordsContext): Words {
	const certificate = certificateProblem(code);
	if (certificate) {
		return [
			`The certificate of {address} ${certificate} (${code})`,
			`Check the address, ask whoever runs the service to renew the certificate, or have the certificate authority added to this n8n. 'Ignore SSL Issues (Insecure)' in the credential skips the check`,
		];
	}
	if (code.startsWith('HPE_')) {
		const hint = 'Check the address, or ask whoever runs the service';
		return [`The response from {address} is not valid HTTP (${code})`, hint];
	}
	const [happened, hint] = CONNECTION[code] ?? [
		`{address} could not be reached (${code})`,
		'Check the address',
	];
	const isTimeout = CONNECTION[code] === TIMED_OUT;
	return [
		happened,
		isTimeout && inRun ? "Raise 'Timeout' under Options, or request less data at a time" : hint,
	];
}

/** @returns the setting that would have helped a call that was given up, to follow a hint */
function giveUpHint({ neededMs }: CallFailure, { inRun }: WordsContext): string {
	if (neededMs === undefined || !inRun) return '';
	return `, or set 'Give Up After (Minutes)' under Options to more than ${Math.floor(neededMs / 60_000)}`;
}

/** @returns the time of the end of a pause, to the second */
function timeIn(ms: number): string {
	const end = new Date(Math.min(Date.now() + ms, MAX_TIME));
	return `${end.toISOString().slice(0, 19)}Z`;
}

function redirectWords({ status, address, isService }: FailureOf<'redirect'>): Words {
	if (!address) return [`{address} redirects without a target (${status})`, CHECK_ADDRESS];
	const enter = "If that is the service's own address, enter it in {address} of the credential";
	return [
		`{address} redirects to ${address} (${status})`,
		`The redirect was not followed. ${isService ? enter : CHECK_ADDRESS}`,
	];
}

function bodyHint(reason: 'size' | 'format' | 'noData', { narrowedBy }: WordsContext): string {
	if (reason === 'noData')
		return 'Check {address} in the credential: it may lead to a sign-in page or a proxy';
	if (reason === 'format') return 'Try again later. If it keeps happening, ask whoever runs the service';
	return `Request less data at a time${narrowedBy ? `, by ${narrowedBy}` : ''}`;
}
