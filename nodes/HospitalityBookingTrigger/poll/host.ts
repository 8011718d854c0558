import { createHash } from 'crypto';
import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';

import { applyOptions } from '../../shared/operation/options';
import { plainText } from '../../shared/values/plainText';
import { isRecord } from '../../shared/values/record';
import { type ServiceRequest, openAccount } from '../../shared/auth/account';
import { toNodeError } from '../../shared/errors/nodeErrors';
import type { EventEntry, TriggerEvent } from '../events';
import type { Query } from '../feeds/feed';
import { findSample } from '../follow/sample';
import type { Emission } from '../follow/step';
import { type TriggerForm, readEvent, readForm } from '../form/readForm';
import { hexOf } from '../state/seen';
import type { StoredState } from '../state/stored';
import { NotBegunError, poll } from './poll';

/** For n8n before 2.41, which does not say. */
const DEFAULT_BUDGET_MS = 30_000;
/** What n8n gives a poll that its scheduler does not make. */
const UNSCHEDULED_BUDGET_MS = 300_000;

/** n8n uses one context from a publication to the next: whether it has polled, and whether it has left a state. */
const contexts = new WeakMap<IPollFunctions, { hasBegun: boolean }>();

/** A service that refuses a poll for now is left alone after this time: n8n waits between polls, and shows it. */
const PATIENCE_MS = 10_000;

/** Key of the workflow's own static data: what the publications of its triggers came to, by node id. */
const PUBLISHED = 'hospitalityBookingTrigger';

/**
 * One poll within n8n: reads the form, makes the call and gives what is new, or a sample in the editor.
 *
 * @returns the items to start the workflow with, or null for none
 * @throws NodeApiError or NodeOperationError, which name what was polled
 */
export async function pollInN8n(context: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	let action = 'Poll';
	try {
		const event = readEvent(context);
		action = event.action;
		return await pollFor(event, context);
	} catch (error) {
		const place = { node: context.getNode(), action };
		if (!(error instanceof NotBegunError)) throw toNodeError(place, error);
		// Nothing is kept of it, so the person has to act; n8n shows the message only.
		const cause = toNodeError(place, error.cause);
		cause.message = `${cause.message}. Publish the workflow again in a moment`;
		throw cause;
	}
}

async function pollFor(event: EventEntry, context: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	// n8n keeps the context of a trigger for as long as its workflow is published: the credential may change meanwhile.
	const account = await openAccount(context, 'hospitalityBookingApi');
	const { getPollBudgetMs } = context as Partial<IPollFunctions>;
	const budgetMs = getPollBudgetMs?.call(context) ?? DEFAULT_BUDGET_MS;
	const publishing = decidesOnPublishing(context, budgetMs);
	const form = readForm(context, event, account);
	const present = presenter(event.value, form);
	const errorContext = { node: context.getNode(), action: event.action };
	const fetch = async (path: string, query: Query, until: number): Promise<unknown> => {
		const leftMs = until - Date.now();
		const request: ServiceRequest = {
			method: 'GET',
			path,
			query,
			expects: 'list',
			deadline: performance.now() + leftMs,
			giveUpAfterMs: Math.min(leftMs, PATIENCE_MS),
		};
		applyOptions(request, form.options, errorContext.node.parameters.options, true);
		return (await account.call(request, errorContext)).body;
	};
	if (context.getMode() === 'manual') {
		const now = Date.now();
		const sample = await findSample(form, now, (path, query) => fetch(path, query, now + budgetMs));
		return sample ? present([sample]) : null;
	}
	const hasBegun = contexts.get(context)?.hasBegun ?? false;
	const anew = !form.catchUp && context.getActivationMode() === 'activate' && !hasBegun;
	return await poll({ ...hostOf(context, publishing), budgetMs, fetch, present }, { ...form, anew });
}

/**
 * The state is the node's static data. With durable cursors n8n does not store what a publication came to, and under another
 * name the node has another state: so what a publication came to is kept with the workflow as well.
 */
function hostOf(context: IPollFunctions, publishing: boolean) {
	const node = context.getNode();
	const own = context.getWorkflowStaticData('node');
	const shared = context.getWorkflowStaticData('global');
	const published = (): IDataObject => {
		const all = shared[PUBLISHED];
		return isRecord(all) ? (all as IDataObject) : {};
	};
	return {
		id: JSON.stringify([context.getWorkflow().id, node.id, node.name]),
		// So n8n calls the polls that its scheduler makes; the others read the state themselves.
		readEarly: context.getActivationMode() === 'update',
		publishing,
		wasPublished: context.getActivationMode() === 'init',
		load: () => [own.polling, published()[node.id]],
		save: (state: StoredState) => {
			const polling = state as unknown as IDataObject;
			own.polling = polling;
			if (publishing) shared[PUBLISHED] = { ...published(), [node.id]: polling };
			contexts.set(context, { hasBegun: true });
		},
		warn: (message: string) => context.logger.warn(plainText(`${node.name}: ${message}`)),
		now: () => Date.now(),
	};
}

function presenter(type: TriggerEvent, form: TriggerForm) {
	return (records: Emission[]): INodeExecutionData[][] => [
		records.map(({ record, key, time, again, difference }) => {
			const shaped = form.shape(record);
			const json = difference ? { ...shaped, changes: difference.changes as IDataObject | null } : shaped;
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
	const parts = JSON.stringify([system, type, hexOf(key)]);
	return createHash('sha256').update(parts).digest('hex').slice(0, 32);
}

/** The first poll of a publication or of n8n's start: while it fails, the workflow is not published. */
function decidesOnPublishing(context: IPollFunctions, budgetMs: number): boolean {
	const isFirst = !contexts.has(context);
	if (isFirst) contexts.set(context, { hasBegun: false });
	const byScheduler = context.getActivationMode() === 'update' && budgetMs < UNSCHEDULED_BUDGET_MS;
	return isFirst && !byScheduler && context.getMode() !== 'manual';
}
