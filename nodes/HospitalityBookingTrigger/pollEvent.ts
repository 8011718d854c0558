import { createHash } from 'crypto';
import { type IDataObject, type INodeExecutionData, type IPollFunctions, sleep } from 'n8n-workflow';

import { beginPoll } from '../shared/auth/authorizedCall';
import { responseFields } from '../shared/contract/responseFields';
import { applyOptions } from '../shared/operation/options';
import { shapeRecord } from '../shared/booking/recordShape';
import { isRecord } from '../shared/values/record';
import { type ServiceRequest, send } from '../shared/http/send';
import type { EventEntry } from './events';
import type { Query } from './feeds/feed';
import { type Outgoing, type PollWorld, poll } from './poll';
import type { StoredState } from './pollState';
import { findSample } from './sample';
import { type TriggerForm, readForm } from './settings';

/** For n8n before 2.41, which does not say. */
const DEFAULT_BUDGET_MS = 30_000;
/** What n8n gives a poll that its scheduler does not make. */
const UNSCHEDULED_BUDGET_MS = 300_000;

/** The contexts that have polled, and those that have left a state: n8n uses one from a publication to the next. */
const polled = new WeakSet<IPollFunctions>();
const begun = new WeakSet<IPollFunctions>();

/**
 * One poll within n8n: reads the form, makes the call and gives what is new, or a sample in the editor.
 *
 * @returns the items to start the workflow with, or null for none
 * @throws as `poll` and `findSample` do; NodeApiError for a call that failed; InvalidValueError that names the parameter
 */
export async function pollEvent(
	context: IPollFunctions,
	event: EventEntry,
): Promise<INodeExecutionData[][] | null> {
	beginPoll(context);
	const budgetMs = budgetOf(context);
	const publishing = decidesOnPublishing(context, budgetMs);
	const form = await readForm(context, event);
	const present = presenter(event, form);
	const fetch = fetcher(context, event, form);
	if (context.getMode() === 'manual') {
		const now = Date.now();
		const sample = await findSample(form.feed, form.zone, now, (path, query) =>
			fetch(path, query, now + budgetMs),
		);
		return sample ? present([{ ...sample, again: false }]) : null;
	}
	const anew = !form.catchUp && context.getActivationMode() === 'activate' && !begun.has(context);
	return await poll({ ...worldOf(context), publishing, budgetMs, fetch, present }, { ...form, anew });
}

function worldOf(
	context: IPollFunctions,
): Pick<PollWorld<INodeExecutionData[][]>, 'id' | 'readEarly' | 'load' | 'save' | 'warn' | 'now' | 'wait'> {
	const node = context.getNode();
	const state = context.getWorkflowStaticData('node');
	return {
		id: `${context.getWorkflow().id}:${node.id}`,
		// So n8n calls the polls that its scheduler makes; the others read the state themselves.
		readEarly: context.getActivationMode() === 'update',
		load: () => readState(state),
		save: (next) => {
			state.polling = next as unknown as IDataObject;
			begun.add(context);
		},
		warn: (message) => context.logger.warn(`${node.name}: ${message}`),
		now: () => Date.now(),
		wait: sleep,
	};
}

/** A service that refuses a poll for now is left alone after this time: n8n waits between polls, and shows it. */
const PATIENCE_MS = 10_000;

function fetcher(context: IPollFunctions, { action, output }: EventEntry, { options }: TriggerForm) {
	return async (path: string, query: Query, deadline: number): Promise<unknown> => {
		const request: ServiceRequest = {
			credential: 'hospitalityBookingApi',
			method: 'GET',
			path,
			query,
			documented: responseFields[output.schema ?? ''],
			deadline,
			giveUpAt: Math.min(deadline, Date.now() + PATIENCE_MS),
		};
		applyOptions(request, options, context.getNode().parameters.options, true);
		return (await send(context, request, { node: context.getNode(), action })).body;
	};
}

function presenter({ output, value: type }: EventEntry, form: TriggerForm) {
	return (records: Outgoing[]): INodeExecutionData[][] => [
		records.map(({ record, key, time, again }) => {
			const json = shapeRecord(record, output, form.output.mode, form.output.fields);
			if (!form.eventDetails && !again) return { json };
			const event = {
				id: eventId(form.system, type, key),
				type,
				time: time === null ? null : new Date(time).toISOString(),
				...(again ? { again } : {}),
			};
			return { json: { ...json, event } };
		}),
	];
}

/** The same for one event of one system, whichever workflow or poll sees it: 32 characters. */
function eventId(system: string, type: string, key: string): string {
	const parts = JSON.stringify([system, type, Buffer.from(key, 'latin1').toString('hex')]);
	return createHash('sha256').update(parts).digest('hex').slice(0, 32);
}

/** How long n8n waits for a poll, in milliseconds. */
function budgetOf(context: Partial<Pick<IPollFunctions, 'getPollBudgetMs'>>): number {
	return context.getPollBudgetMs?.() ?? DEFAULT_BUDGET_MS;
}

/** The first poll of a publication or of n8n's start: while it fails, the workflow is not published. */
function decidesOnPublishing(context: IPollFunctions, budgetMs: number): boolean {
	const isFirst = !polled.has(context);
	polled.add(context);
	const byScheduler = context.getActivationMode() === 'update' && budgetMs < UNSCHEDULED_BUDGET_MS;
	return isFirst && !byScheduler && context.getMode() !== 'manual';
}

function readState({ polling }: IDataObject): StoredState | undefined {
	return isRecord(polling) && typeof polling.watching === 'string' && isRecord(polling.cursor)
		? (polling as unknown as StoredState)
		: undefined;
}
