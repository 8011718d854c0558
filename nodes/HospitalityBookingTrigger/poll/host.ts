import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';

import { type Account, type ServiceRequest, openAccount } from '../../shared/auth/account';
import { ExplainedError } from '../../shared/errors/explainedError';
import { type ErrorContext, isTransient, toNodeError } from '../../shared/errors/nodeErrors';
import { readList } from '../../shared/http/response';
import { asText } from '../../shared/values/asText';
import { HOUR } from '../../shared/values/timestamp';
import type { Event } from '../events/events';
import { fieldsOf } from '../events/rule';
import { type TriggerForm, readEvent, readForm } from '../form/readForm';
import type { State } from '../state/stored';
import { type Mode, type PollMemory, memoryOf, noteMode } from './modes';
import { type PollHost, poll } from './poll';
import type { BookingClient } from './pollCalls';
import { findTestEvent } from './testEvent';
import { toItems } from './toItems';

/** For n8n before 2.41, which does not say how long it waits. */
const DEFAULT_BUDGET_MS = 30_000;
/** After this time a rate-limited poll gives up: n8n waits until the next poll, and shows the error. */
const GIVE_UP_AFTER_MS = 10_000;
/** Key in the workflow's static data: the last publications of its triggers, by node ID. */
const PUBLISHED = 'hospitalityBookingTrigger';

/** A poll by n8n, or a test event in the editor, for which `mode` is undefined. */
interface N8nPoll {
	context: IPollFunctions;
	memory: PollMemory;
	mode: Mode | undefined;
	errorContext: ErrorContext;
}

/**
 * One poll within n8n: reads the form, makes the call and returns what is new or, in the editor, a test event.
 *
 * @returns the items to start the workflow with, or null for none
 * @throws NodeApiError or NodeOperationError, which name what was polled
 */
export async function pollInN8n(context: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	const memory = memoryOf(context);
	const mode = noteMode(context, memory);
	const errorContext: ErrorContext = { node: context.getNode(), action: 'Poll' };
	try {
		const output = await pollOnce({ context, memory, mode, errorContext });
		memory.failedAt = undefined;
		return output;
	} catch (error) {
		// n8n would show a failed execution a minute. Its scheduler waits longer after each failure, so it has to know of all.
		if (mode === 'timer') {
			const now = Date.now();
			const lastShown = memory.failedAt ?? -Infinity;
			if (Math.abs(now - lastShown) < HOUR) return null;
			memory.failedAt = now;
		}
		const shown = toNodeError(errorContext, error);
		// It leaves no state, so the person has to act; n8n only shows the message.
		if (mode === 'publication' && isTransient(shown)) {
			shown.message = `${shown.message}. Publish the workflow again in a moment`;
		}
		throw shown;
	}
}

async function pollOnce(n8nPoll: N8nPoll): Promise<INodeExecutionData[][] | null> {
	const { context, errorContext, memory, mode } = n8nPoll;
	const event = readEvent(context);
	errorContext.action = `Poll ${event.kind.name}s`;
	// n8n keeps a trigger's context while its workflow is published: the credential may change meanwhile.
	const account = await openAccount(context, 'hospitalityBookingApi');
	errorContext.secrets = () => account.currentSecrets();
	const form = readForm(context, event, account);
	const client = clientOf(n8nPoll, account, event, form);
	if (!mode) {
		const testEvent = await findTestEvent(form.feed, client);
		return [toItems([testEvent], event, form)];
	}
	const isPublished = mode === 'publication' && context.getActivationMode() === 'activate';
	const host: PollHost<INodeExecutionData[][]> = {
		...client,
		...storageOf(context),
		mode,
		memory,
		present: (emissions) => [toItems(emissions, event, form)],
		report: (notices) => reportNotices(n8nPoll, notices),
	};
	const skipsMissed = !form.catchUp && isPublished;
	return await poll(host, { ...form, skipsMissed });
}

function clientOf(
	{ context, errorContext }: N8nPoll,
	account: Account,
	event: Event,
	form: TriggerForm,
): BookingClient {
	return {
		budgetMs: (context as Partial<IPollFunctions>).getPollBudgetMs?.() ?? DEFAULT_BUDGET_MS,
		now: Date.now,
		fetch: async (query, until) => {
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
			const list = readList(body);
			const date = Date.parse(asText(headers.date));
			if (Number.isNaN(date)) return { list, date: undefined };
			return { list, date };
		},
	};
}

/**
 * The state is the node's static data. With durable cursors n8n does not store a publication's state there, so it is also
 * stored with the workflow until n8n has stored the node's own.
 */
function storageOf(context: IPollFunctions): Pick<PollHost<never>, 'load' | 'save'> {
	const node = context.getNode();
	const stored = context.getWorkflowStaticData('node');
	const shared = context.getWorkflowStaticData('global');
	const publications = fieldsOf(shared[PUBLISHED]);
	const published = publications[node.id];
	const lastCopy = fieldsOf(published).state;
	return {
		load: () => ({
			stored: stored.polling,
			published,
			wasPublished: context.getActivationMode() === 'init',
		}),
		save: (state: State, copy: State | undefined) => {
			stored.polling = state as unknown as IDataObject;
			if (copy === lastCopy) return;
			const publication = { node: state.node, state: copy };
			shared[PUBLISHED] = { ...publications, [node.id]: publication } as IDataObject;
		},
	};
}

function reportNotices({ context, errorContext }: N8nPoll, notices: readonly string[]): void {
	const reported = new ExplainedError(
		`Please check: ${notices.join('; ')}`,
		"The trigger continues: everything else has been emitted. You won't be warned again while this lasts.",
	);
	context.__emitError(toNodeError(errorContext, reported));
}
