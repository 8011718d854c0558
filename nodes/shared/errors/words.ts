import { type CallFailure, type TokenRequestWords, type Words, isTransientCause } from './callFailure';
import { certificateProblem, outcomeOf, rowOf } from './outcomes';

/** By status. */
export type StatusWords = Readonly<Record<number, Words>>;

/** Decides which settings a hint may name. */
export interface WordsContext {
	/** The credential's field with the address; `Base URL` unless set. */
	addressField?: string;
	/** Messages of the service or operation itself, in place of the common ones. */
	statusWords?: StatusWords;
	/** Whether the call is made for input items: only there are 'Options'. */
	inRun?: boolean;
	/** Settings that make the response of a list smaller, e.g. `a later 'Changed After'`. */
	narrowedBy?: string;
}

/** The latest time that a `Date` can represent. */
const MAX_TIME = 8.64e15;

/** @returns what happened and how to fix it, by the table of outcomes, in words that fit where they are read */
export function failureWords(failure: CallFailure, context: WordsContext): Words {
	const { ofToken, isUnsent } = failure;
	const { addressField = 'Base URL', inRun, narrowedBy } = context;
	const [happened, hint] = ofToken ? tokenWords(failure, ofToken) : ownWords(failure, context);
	const fill = (text: string) =>
		text
			.replace('{address}', `'${ofToken?.addressField ?? addressField}'`)
			.replace('{detail}', () => detailOf(failure));
	const isTooLarge = failure.kind === 'body' && failure.reason === 'size';
	const settings = [
		isTooLarge && narrowedBy ? `, by ${narrowedBy}` : '',
		inRun && outcomeOf(failure).next === 'wait' ? ", or raise 'Give Up After (Minutes)' under Options" : '',
	];
	return [
		fill(happened) + placeOf(failure) + (isUnsent ? ': the call was not sent' : ''),
		fill(hint) + settings.join(''),
	];
}

function ownWords(failure: CallFailure, { statusWords }: WordsContext): Words {
	const status = failure.kind === 'status' ? failure.status : 0;
	const [happened, hint] = statusWords?.[status] ?? rowOf(failure).words;
	return [happened, pauseOf(failure) ? 'Try again then' : hint];
}

/** What is said of a call's 401 or 403 is not about a request for a token. */
function tokenWords(
	failure: CallFailure,
	{ refused, none, isRefused }: TokenRequestWords & { isRefused: boolean },
): Words {
	const [happened, hint] = ownWords(failure, {});
	if (failure.kind === 'body') return [happened, 'Check {address} in the credential'];
	if (failure.kind !== 'status') return [happened, hint];
	if (isRefused) return refused;
	return [none[0], isTransientCause(rowOf(failure).cause) ? hint : none[1]];
}

/** What differs from call to call. */
function detailOf(failure: CallFailure): string {
	if (failure.kind === 'connection') return certificateProblem(failure.code) ?? '';
	if (failure.kind === 'redirect') return failure.address;
	return failure.kind === 'body' ? failure.problem : '';
}

/** The status or code, and until when the service asked for a pause, to the second. */
function placeOf(failure: CallFailure): string {
	if (failure.kind === 'waited' || (failure.kind === 'body' && failure.reason !== 'noData')) return '';
	const pauseMs = pauseOf(failure);
	const code = failure.kind === 'connection' ? failure.code : failure.status;
	if (!pauseMs) return ` (${code})`;
	const end = new Date(Math.min(Date.now() + pauseMs, MAX_TIME));
	return ` (${code}). It asked for a pause until ${end.toISOString().slice(0, 19)}Z`;
}

/** The pause that a rate-limiting or overloaded service asks for. */
function pauseOf(failure: CallFailure): number | undefined {
	const isAsked = failure.kind === 'status' && rowOf(failure).next === 'wait';
	return isAsked ? failure.retryAfterMs : undefined;
}
