import type { IPollFunctions } from 'n8n-workflow';

import { RecentMap } from '../../shared/values/recentMap';

/**
 * How n8n makes a poll. While the first poll of a publication, or of n8n's start, fails, the workflow is not published. The scheduler may
 * read the state before it has stored that of the last poll.
 */
export type Mode = 'publication' | 'timer' | 'scheduler';

/** What this process remembers of a trigger, besides its state. */
export interface PollMemory {
	/** The poll under way: n8n may start one while the last one is still running. */
	running?: Promise<unknown>;
	/** After how many polls the last batch was emitted, and when, by n8n's clock. */
	emitted?: { atPollCount: number; at: number };
}

/** What this process remembers of a trigger's polls by n8n. */
export interface TriggerMemory extends PollMemory {
	/** Its last context, and how many polls were made with it. */
	context?: WeakRef<IPollFunctions>;
	polls: number;
	/** When n8n last showed that its polls fail, by n8n's clock. */
	failedAt: number;
}

/** By workflow and node. */
const triggers = new RecentMap<TriggerMemory>(1000);

/** @returns what this process remembers of the trigger that is polled */
export function memoryOf(context: IPollFunctions): TriggerMemory {
	const { id, name } = context.getNode();
	const trigger = JSON.stringify([context.getWorkflow().id, id, name]);
	return triggers.open(trigger, () => ({ polls: 0, failedAt: -Infinity }));
}

/**
 * n8n's timers keep the context of a publication; its scheduler makes one for each poll. n8n says `update` of the polls that its scheduler
 * makes, and of publishing a change: where the last context was polled again and again, n8n's timers poll, and a new one is a publication.
 *
 * @returns undefined for a test event in the editor
 */
export function modeOf(context: IPollFunctions, memory: TriggerMemory): Mode | undefined {
	if (context.getMode() === 'manual') return undefined;
	if (memory.context?.deref() === context) {
		memory.polls++;
		return 'timer';
	}
	const hasTimers = memory.polls > 1;
	memory.context = new WeakRef(context);
	memory.polls = 1;
	const isScheduler = context.getActivationMode() === 'update' && !hasTimers;
	return isScheduler ? 'scheduler' : 'publication';
}
