import { createHash } from 'crypto';
import get from 'lodash/get';
import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import intersection from 'lodash/intersection';
import pick from 'lodash/pick';

import { readSystem } from '../../shared/operation/options';
import { plainText } from '../../shared/values/plainText';
import { isRecord } from '../../shared/values/record';
import { type ServiceRequest, openAccount } from '../../shared/auth/account';
import { type ErrorContext, toNodeError } from '../../shared/errors/nodeErrors';
import type { EventEntry, TriggerEvent } from '../events';
import type { Changes, Query } from '../feeds/feed';
import type { Emission } from '../follow/step';
import { type TriggerForm, readEvent, readForm } from '../form/readForm';
import type { StoredState } from '../state/stored';
import { type MODES, type NoticesError, isPassing, poll } from './poll';
import { findSample } from './sample';

/** For n8n before 2.41, which does not tell its budget. */
const DEFAULT_BUDGET_MS = 30_000;
/** n8n's budget for polls that its scheduler does not make. */
const UNSCHEDULED_BUDGET_MS = 300_000;

/** By n8n's context, one per publication: whether the trigger has stored a state since. */
const contexts = new WeakMap<IPollFunctions, { hasBegun: boolean }>();

/** After this time a rate-limited poll gives up: n8n waits until the next poll, and shows the error. */
const GIVE_UP_AFTER_MS = 10_000;

const TIMES = ['start', 'end'];

/** Key in the workflow's static data: the last publications of its triggers, by node ID. */
const PUBLISHED = 'hospitalityBookingTrigger';

/**
 * One poll within n8n: reads the form, makes the call and returns what is new or, in the editor, a sample.
 *
 * @returns the items to start the workflow with, or null for none
 * @throws NodeApiError or NodeOperationError, which name what was polled
 */
export async function pollInN8n(context: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	const errorContext = { node: context.getNode(), action: 'Poll' };
	const { getPollBudgetMs } = context as Partial<IPollFunctions>;
	const budgetMs = getPollBudgetMs?.call(context) ?? DEFAULT_BUDGET_MS;
	const mode = modeOf(context, budgetMs);
	try {
		const event = readEvent(context);
		errorContext.action = event.action;
		return await pollFor(event, context, errorContext, mode, budgetMs);
	} catch (error) {
		const shown = toNodeError(errorContext, error);
		// It leaves no state, so the person has to act; n8n only shows the message.
		if (mode === 'publication' && isPassing(shown))
			shown.message = `${shown.message}. Publish the workflow again in a moment`;
		throw shown;
	}
}

async function pollFor(
	event: EventEntry,
	context: IPollFunctions,
	errorContext: ErrorContext,
	mode: keyof typeof MODES,
	budgetMs: number,
): Promise<INodeExecutionData[][] | null> {
	// n8n keeps a trigger's context while its workflow is published: the credential may change meanwhile.
	const account = await openAccount(context, 'hospitalityBookingApi');
	const form = readForm(context, event, account);
	const present = presenter(event.value, form);
	const fetch = async (path: string, query: Query, until: number): Promise<unknown> => {
		const leftMs = until - Date.now();
		const request: ServiceRequest = {
			method: 'GET',
			path,
			query,
			expects: 'list',
			deadline: performance.now() + leftMs,
			giveUpAfterMs: Math.min(leftMs, GIVE_UP_AFTER_MS),
			system: readSystem({ read: (name) => get(form, name) as unknown, node: errorContext.node }),
		};
		return (await account.call(request, errorContext)).body;
	};
	if (context.getMode() === 'manual') {
		const now = Date.now();
		const sample = await findSample(form, now, (path, query) => fetch(path, query, now + budgetMs));
		return sample ? present([sample]) : null;
	}
	const isFirst = context.getActivationMode() === 'activate' && !contexts.get(context)?.hasBegun;
	const host = { ...hostOf(context, errorContext, mode), budgetMs, fetch, present };
	return await poll(host, { ...form, skipsMissed: !form.catchUp && isFirst });
}

/**
 * The state is the node's static data. With durable cursors n8n does not store a publication's state there, so it is also
 * stored with the workflow until n8n has stored the node's own.
 */
function hostOf(context: IPollFunctions, errorContext: ErrorContext, mode: keyof typeof MODES) {
	const node = context.getNode();
	const own = context.getWorkflowStaticData('node');
	const shared = context.getWorkflowStaticData('global');
	const publications = (isRecord(shared[PUBLISHED]) ? shared[PUBLISHED] : {}) as Record<string, IDataObject>;
	const published = publications[node.id];
	return {
		id: JSON.stringify([context.getWorkflow().id, node.id, node.name]),
		mode,
		wasPublished: context.getActivationMode() === 'init',
		load: () => ({ own: own.polling, published }),
		save: (state: StoredState) => {
			const polling = state as unknown as IDataObject;
			const { publication } = state;
			const isStored = isRecord(own.polling) && own.polling.publication === publication;
			own.polling = polling;
			if (mode === 'publication')
				shared[PUBLISHED] = { ...publications, [node.id]: { publication, state: polling } };
			else if (isStored && published?.state)
				shared[PUBLISHED] = { ...publications, [node.id]: { publication } };
			contexts.set(context, { hasBegun: true });
		},
		report: (notices: NoticesError) => context.__emitError(toNodeError(errorContext, notices)),
		warn: (message: string) => context.logger.warn(plainText(`${node.name}: ${message}`)),
		now: () => Date.now(),
	};
}

function presenter(type: TriggerEvent, form: TriggerForm) {
	return (records: Emission[]): INodeExecutionData[][] => [
		records.map(({ record, key, time, again, changes }) => {
			const shaped = form.shape(record);
			const json =
				changes === undefined ? shaped : { ...shaped, changes: shapeChanges(record, changes, form) };
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

/** Writes earlier times in the form of the record's times. */
function shapeChanges(record: unknown, changes: Changes | null, { shape }: TriggerForm): IDataObject | null {
	if (!changes) return null;
	const earlier = shape({ ...(record as IDataObject), ...changes.before });
	return {
		...changes,
		before: { ...changes.before, ...pick(earlier, intersection(TIMES, Object.keys(changes.before))) },
	};
}

/** The ID of an event of a system, the same in every workflow and poll: 32 characters. */
function eventId(system: string, type: string, key: string): string {
	const parts = JSON.stringify([system, type, key]);
	return createHash('sha256').update(parts).digest('hex').slice(0, 32);
}

/** n8n says `update` of the polls that its scheduler makes, and of republishing; the scheduler's have a shorter budget. */
function modeOf(context: IPollFunctions, budgetMs: number): keyof typeof MODES {
	const isFirst = !contexts.has(context);
	if (isFirst) contexts.set(context, { hasBegun: false });
	const isUpdate = context.getActivationMode() === 'update';
	const isScheduled = isUpdate && budgetMs < UNSCHEDULED_BUDGET_MS;
	if (isFirst && !isScheduled && context.getMode() !== 'manual') return 'publication';
	return isUpdate ? 'scheduler' : 'timer';
}
