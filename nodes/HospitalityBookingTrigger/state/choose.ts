import { isRecord } from '../../shared/values/record';
import { type State, readState } from './stored';

/** What a trigger is: if one of these changes, it starts over. */
export type Identity = Pick<State, 'node' | 'watching' | 'account'>;

/** What n8n has kept of a trigger, and how its form says to start. */
export interface Kept {
	/** The node's own state. */
	own: unknown;
	/** The number of its last publication and, as long as n8n may not have stored the node's own state, a copy of that. */
	published: unknown;
	/** Whether n8n says that the workflow was published before. */
	wasPublished: boolean;
	/** Whether what happened since the last poll is left out. */
	skipsMissed: boolean;
}

/** Where a poll goes on from. `why`: what a person is told of starting over. */
export type Choice =
	| { kind: 'continue'; state: State; publication: number }
	| { kind: 'begin'; how: 'asTheFormSays' | 'fromNowOn'; why?: string; publication: number };

/** A pure table: what is kept, and what follows. The first row that applies counts. */
export function chooseState(identity: Identity, { own, published, wasPublished, skipsMissed }: Kept): Choice {
	const copy = isRecord(published) ? published : {};
	const isOfNode = (value: unknown) => !isRecord(value) || (value.node ?? identity.node) === identity.node;
	const ownState = isOfNode(own) ? readState(own) : undefined;
	const publication = Math.max(ownState?.publication ?? 0, Number(copy.publication) || 0);
	// With durable cursors n8n does not store the state of a publication: then the copy counts, until the node's own is later.
	const isOwnNewest = ownState?.publication === publication;
	const state = isOwnNewest ? ownState : isOfNode(copy.state) ? readState(copy.state) : undefined;
	const isSame = state?.watching === identity.watching && state.account === identity.account;
	const isKept = own !== undefined || published !== undefined;
	const begin = (why?: string): Choice => ({
		kind: 'begin',
		how: 'asTheFormSays',
		publication,
		...(why ? { why } : {}),
	});

	if (state && isSame && skipsMissed) return { kind: 'begin', how: 'fromNowOn', publication };
	if (state && isSame) return { kind: 'continue', state, publication };
	if (state && state.account !== identity.account)
		return begin("the credential's address or time zone has changed");
	if (state) return begin("its event, filters or system have changed, or 'Add What Changed'");
	if (isKept) return begin('the node was renamed, or copied with its workflow');
	if (wasPublished) return begin('n8n has no stored state for it');
	return begin();
}
