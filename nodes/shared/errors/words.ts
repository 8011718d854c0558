import { type CallFailure, type TokenRequestWords, type Words, isTransientCause } from './failure';
import { outcomeOf, rowOf } from './failureTable';

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
}

/** @returns what happened and how to fix it, by the table of outcomes, in words that fit where they are read */
export function failureWords(failure: CallFailure, context: WordsContext): Words {
	const { ofToken, isUnsent } = failure;
	const { addressField = 'Base URL', inRun } = context;
	const [happened, hint] = ofToken ? tokenWords(failure, ofToken) : ownWords(failure, context);
	const fill = (text: string) =>
		text
			.replace('{address}', `'${ofToken?.addressField ?? addressField}'`)
			.replace('{detail}', () => detailOf(failure));
	const setting = inRun && outcomeOf(failure).next === 'wait';
	return [
		fill(happened) + placeOf(failure) + (isUnsent ? ': the call was not sent' : ''),
		fill(hint) + (setting ? ", or raise 'Give Up After (Minutes)' under Options" : ''),
	];
}

function ownWords(failure: CallFailure, { statusWords }: WordsContext): Words {
	const status = failure.kind === 'status' ? failure.status : 0;
	return statusWords?.[status] ?? rowOf(failure).words;
}

/** What is said of a call's 401 or 403 is not about a request for a token. */
function tokenWords(
	failure: CallFailure,
	{ refused, none, isRefused }: TokenRequestWords & { isRefused: boolean },
): Words {
	const [happened, hint] = ownWords(failure, {});
	if (isRefused) return refused;
	if (failure.kind !== 'status' && failure.kind !== 'body') return [happened, hint];
	return [none[0], isTransientCause(rowOf(failure).cause) ? hint : none[1]];
}

function detailOf(failure: CallFailure): string {
	if (failure.kind === 'redirect')
		return failure.address ? `to ${failure.address}` : 'without a target';
	return failure.kind === 'body' ? failure.problem : '';
}

/** The status or code, where the words do not say as much. */
function placeOf(failure: CallFailure): string {
	if (failure.kind === 'waited' || (failure.kind === 'body' && failure.reason !== 'noData'))
		return '';
	return ` (${failure.kind === 'connection' ? failure.code : failure.status})`;
}
