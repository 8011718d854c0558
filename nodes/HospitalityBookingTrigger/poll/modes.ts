import type { IPollFunctions } from 'n8n-workflow';

import { RecentMap } from '../../shared/values/recentMap';

/**
 * How n8n makes a poll.
 *
 * - `publication`: the first one after publishing or n8n's start. While it fails, the workflow is not published.
 * - `timer`: a later one by n8n's timers, with the context of the publication.
 * - `scheduler`: a later one by n8n's scheduler, with a context of its own. It may read the state before it has stored that of the last poll.
 */
export type Mode = 'publication' | 'timer' | 'scheduler';

/** The last batch that was emitted. */
interface EmittedBatch {
	/** How many polls there were before. */
	atPollCount: number;
	/** By n8n's clock. */
	at: number;
}

/** What this process remembers of a trigger, besides its state. */
export interface PollMemory {
	/** The poll under way: n8n may start one while the last one is still running. */
	running?: Promise<unknown>;
	emitted?: EmittedBatch;
	/** The context of the last poll, and how many polls n8n has made with it. */
	context?: WeakRef<IPollFunctions>;
	pollsOfContext?: number;
	/** When n8n last showed that the polls fail, by n8n's clock; undefined if the last poll succeeded. */
	failedAt?: number | undefined;
}

/** By workflow and node. */
const memories = new RecentMap<PollMemory>(1000);

/** @returns what this process remembers of the trigger that is polled */
export function memoryOf(context: IPollFunctions): PollMemory {
	const { id, name } = context.getNode();
	const workflow = context.getWorkflow();
	const trigger = JSON.stringify([workflow.id, id, name]);
	return memories.open(trigger, () => ({}));
}

/**
 * Finds out how n8n makes a poll, and remembers its context for the next one.
 *
 * n8n's timers poll with the context of the publication, again and again; its scheduler makes a new context for each poll. So a context
 * that was seen before is a timer's. A new one is the scheduler's if n8n calls it an `update` and timers have not polled so far: it also
 * calls the publication of a change an `update`.
 *
 * @returns undefined for a test event in the editor
 */
export function noteMode(context: IPollFunctions, memory: PollMemory): Mode | undefined {
	if (context.getMode() === 'manual') return undefined;
	const polls = memory.pollsOfContext ?? 0;
	if (memory.context?.deref() === context) {
		memory.pollsOfContext = polls + 1;
		return 'timer';
	}
	memory.context = new WeakRef(context);
	memory.pollsOfContext = 1;
	const isUpdate = context.getActivationMode() === 'update';
	const hasTimers = polls > 1;
	return isUpdate && !hasTimers ? 'scheduler' : 'publication';
}
