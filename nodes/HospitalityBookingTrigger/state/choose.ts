import { toNumber } from '../../shared/values/number';
import { isRecord } from '../../shared/values/record';
import { type State, readState } from './stored';

/** What a trigger is: if one of these changes, it starts over, from `startAt`. */
export interface Identity extends Pick<State, 'node' | 'watching' | 'account'> {
	/** Milliseconds since 1970; null to emit only new events. */
	startAt: number | null;
	/** Whether what happened since the last poll is left out. */
	skipsMissed: boolean;
}

/** What n8n has kept of a trigger, and how its form says to start. */
export interface StoredStates {
	/** The state of the node. */
	stored: unknown;
	/** What is kept with the workflow of its last publication: the node and, as long as n8n may not have stored its state, a copy. */
	published: unknown;
	/** Whether n8n says that the workflow was published before. */
	wasPublished: boolean;
}

/** Where a poll goes on from; without a state, the trigger begins. */
export interface Start {
	state?: State;
	/** The copy that is kept with the workflow, if the node's own state is not later. */
	copy?: State;
	/** How many polls have led to it. */
	polls: number;
	/** What happened from then on counts as new, where the trigger begins; null: what comes next. */
	startAt: number | null;
	/** Without 'Catch Up': the state that is not gone on from. */
	skipped?: State;
	/** What a person is told of starting over. */
	why?: string;
}

/** A pure table: what is kept, and what follows. The first row that applies counts. */
export function chooseStart(identity: Identity, kept: StoredStates): Start {
	const { node, startAt } = identity;
	const { stored, published } = kept;
	const publishedState = isRecord(published) ? published.state : undefined;
	const polls = Math.max(pollsOf(stored), pollsOf(publishedState));
	const begin = (why?: string): Start => ({ polls, startAt, why });

	const readOwn = (state: unknown) => {
		if (!isOfNode(published, node) || !isOfNode(state, node)) return undefined;
		return readState(state);
	};
	const own = readOwn(stored);
	const copy = readOwn(publishedState);
	// With durable cursors n8n does not store the state of a publication: then the copy counts, until the node's is later.
	const copiedPolls = copy?.polls ?? 0;
	const isOwn = own !== undefined && own.polls > copiedPolls;
	const state = isOwn ? own : copy;

	if (!state) {
		const isOfAnother = stored !== undefined || published !== undefined;
		if (isOfAnother) return begin('the node was renamed, or copied with its workflow');
		if (kept.wasPublished) return begin('n8n has no stored state for it');
		return begin();
	}
	if (state.account !== identity.account) {
		return begin("the credential's address or time zone has changed");
	}
	if (state.watching !== identity.watching) {
		return begin("its event, filters or system have changed, or 'Add What Changed'");
	}
	if (identity.skipsMissed) return { polls, startAt: null, skipped: state };
	return { polls, startAt, state, copy: isOwn ? undefined : copy };
}

function pollsOf(state: unknown): number {
	if (!isRecord(state)) return 0;
	return toNumber(state.polls) || 0;
}

/** Whether what is stored belongs to a node, or does not say whose it is. */
function isOfNode(value: unknown, node: string): boolean {
	if (!isRecord(value)) return true;
	const owner = value.node ?? node;
	return owner === node;
}
