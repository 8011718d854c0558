import { createHash } from 'crypto';
import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import mapValues from 'lodash/mapValues';
import pick from 'lodash/pick';

import { readList } from '../../shared/http/response';
import { type ServiceRequest, openAccount } from '../../shared/auth/account';
import { ExplainedError } from '../../shared/errors/explainedError';
import { type ErrorContext, isTransient, toNodeError } from '../../shared/errors/nodeErrors';
import { isRecord } from '../../shared/values/record';
import { RecentMap } from '../../shared/values/recentMap';
import { HOUR, SECOND, writeLike } from '../../shared/values/timestamp';
import { historyOf } from '../../shared/booking/states';
import { type Query, fieldsOf } from '../events/rule';
import type { Changes, Emission } from '../follow/step';
import { type TriggerForm, readEvent, readForm } from '../form/readForm';
import type { State } from '../state/stored';
import { type Live, type Mode, poll } from './poll';
import { findSample } from './sample';

/** For n8n before 2.41, which does not tell its budget. */
const DEFAULT_BUDGET_MS = 30_000;
/** After this time a rate-limited poll gives up: n8n waits until the next poll, and shows the error. */
const GIVE_UP_AFTER_MS = 10_000;
/** Key in the workflow's static data: the last publications of its triggers, by node ID. */
const PUBLISHED = 'hospitalityBookingTrigger';

/** What the form says about the output. */
type Presentation = Pick<TriggerForm, 'eventDetails' | 'feed' | 'shape' | 'system'>;

interface LiveTrigger extends Live {
	/** Its last context, and how many polls were made with it. */
	context?: WeakRef<IPollFunctions>;
	polls: number;
	/** When n8n last showed that its polls fail, by n8n's clock. */
	failedAt: number;
}

/** By workflow and node. */
const triggers = new RecentMap<LiveTrigger>(1000);

/**
 * One poll within n8n: reads the form, makes the call and returns what is new or, in the editor, a sample.
 *
 * @returns the items to start the workflow with, or null for none
 * @throws NodeApiError or NodeOperationError, which name what was polled
 */
export async function pollInN8n(context: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	const node = context.getNode();
	const id = JSON.stringify([context.getWorkflow().id, node.id, node.name]);
	const live = triggers.open(id, () => ({ polls: 0, failedAt: -Infinity }));
	const errorContext = { node, action: 'Poll' };
	const mode = context.getMode() === 'manual' ? undefined : modeOf(context, live);
	try {
		const output = await pollFor(context, errorContext, live, mode);
		live.failedAt = -Infinity;
		return output;
	} catch (error) {
		// n8n would show a failed execution a minute. Its scheduler waits longer after each failure, so it has to know of all.
		if (mode === 'timer') {
			const now = Date.now();
			if (Math.abs(now - live.failedAt) < HOUR) return null;
			live.failedAt = now;
		}
		const shown = toNodeError(errorContext, error);
		// It leaves no state, so the person has to act; n8n only shows the message.
		if (mode === 'publication' && isTransient(shown))
			shown.message = `${shown.message}. Publish the workflow again in a moment`;
		throw shown;
	}
}

async function pollFor(
	context: IPollFunctions,
	errorContext: ErrorContext,
	live: LiveTrigger,
	mode: Mode | undefined,
): Promise<INodeExecutionData[][] | null> {
	const event = readEvent(context);
	errorContext.action = `Poll ${event.kind.name}s`;
	// n8n keeps a trigger's context while its workflow is published: the credential may change meanwhile.
	const account = await openAccount(context, 'hospitalityBookingApi');
	const form = readForm(context, event, account);
	const budgetMs = (context as Partial<IPollFunctions>).getPollBudgetMs?.() ?? DEFAULT_BUDGET_MS;
	const fetch = async (query: Query, until: number) => {
		const leftMs = until - Date.now();
		const request: ServiceRequest = {
			method: 'GET',
			path: event.kind.path,
			query,
			expects: 'list',
			deadline: performance.now() + leftMs,
			giveUpAfterMs: Math.min(leftMs, GIVE_UP_AFTER_MS),
			system: form.otherSystem,
		};
		const { body, headers } = await account.call(request, errorContext);
		const date = Date.parse(String(headers.date));
		return { list: readList(body), date: Number.isNaN(date) ? undefined : date };
	};
	const present = presenter(event.value, form);
	if (!mode) {
		const now = Date.now();
		return present([await findSample(form.feed, now, (query) => fetch(query, now + budgetMs))]);
	}
	const isPublished = mode === 'publication' && context.getActivationMode() === 'activate';
	return await poll(
		{ ...keptBy(context, errorContext), mode, live, budgetMs, fetch, present, now: Date.now },
		{ ...form, skipsMissed: !form.catchUp && isPublished },
	);
}

/**
 * The state is the node's static data. With durable cursors n8n does not store a publication's state there, so it is also
 * stored with the workflow until n8n has stored the node's own.
 */
function keptBy(context: IPollFunctions, errorContext: ErrorContext) {
	const node = context.getNode();
	const kept = context.getWorkflowStaticData('node');
	const shared = context.getWorkflowStaticData('global');
	const publications = (isRecord(shared[PUBLISHED]) ? shared[PUBLISHED] : {}) as Record<
		string,
		IDataObject
	>;
	const published = publications[node.id];
	return {
		load: () => ({
			stored: kept.polling,
			published,
			wasPublished: context.getActivationMode() === 'init',
		}),
		save: (state: State, copy: State | undefined) => {
			kept.polling = state as unknown as IDataObject;
			const publication = { node: state.node, state: copy as IDataObject | undefined };
			if (copy !== published?.state)
				shared[PUBLISHED] = { ...publications, [node.id]: publication };
		},
		report: (notices: string[]) => {
			const told = new ExplainedError(
				`Please check: ${notices.join('; ')}`,
				"The trigger continues: everything else has been emitted. You won't be warned again while this lasts.",
			);
			context.__emitError(toNodeError(errorContext, told));
		},
	};
}

/** @returns what turns records into items, with their events if the form says so */
export function presenter(type: string, form: Presentation) {
	return (records: Emission[]): INodeExecutionData[][] => [
		records.map(({ record, key, time, changes }) => {
			const shaped = form.shape(record);
			const json =
				changes === undefined
					? shaped
					: { ...shaped, changes: shapeChanges(record, changes, form) };
			if (!form.eventDetails) return { json };
			const event = {
				id: eventId(form.system, type, key),
				type,
				time: time === null ? null : new Date(time).toISOString(),
			};
			return { json: { ...json, event } };
		}),
	];
}

/** Writes earlier values in the form of the record's own. */
function shapeChanges(
	record: unknown,
	changes: Changes | null,
	form: Presentation,
): IDataObject | null {
	if (!changes) return null;
	const { fields, before } = changes;
	const given = fieldsOf(record);
	const history = historyOf(given).filter(({ status }) => status === before.status);
	const earlier = mapValues(before, (value, name) => {
		const isTime = (name === 'start' || name === 'end') && value !== null;
		return isTime ? writeLike(String(given[name]), value * SECOND, form.feed.choice.zone) : value;
	});
	const was = { ...given, ...earlier, ...('status' in before ? { history } : {}) };
	const names = Object.keys(before);
	return { fields, before: pick(form.shape(was, names), names) };
}

/** The ID of an event of a system, the same in every workflow and poll: 32 characters. */
function eventId(system: string, type: string, key: string): string {
	const parts = JSON.stringify([system, type, key]);
	return createHash('sha256').update(parts).digest('hex').slice(0, 32);
}

/**
 * n8n's timers keep the context of a publication; its scheduler makes one for each poll. n8n says `update` of the polls that its scheduler
 * makes, and of publishing a change: where the last context was polled again and again, n8n's timers poll, and a new one is a publication.
 */
function modeOf(context: IPollFunctions, live: LiveTrigger): Mode {
	if (live.context?.deref() === context) {
		live.polls++;
		return 'timer';
	}
	const hasTimers = live.polls > 1;
	Object.assign(live, { context: new WeakRef(context), polls: 1 });
	return context.getActivationMode() === 'update' && !hasTimers ? 'scheduler' : 'publication';
}
