import {
	type IDataObject,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	type IPollFunctions,
	NodeConnectionTypes,
	NodeOperationError,
} from 'n8n-workflow';

import { searchCustomers, searchSurveys } from '../shared/booking/listSearch';
import { getBookingStatuses } from '../shared/booking/bookingStatuses';
import { testBookingAccess } from '../shared/auth/credentialTests';
import { type ErrorContext, toNodeError, unreadableResponseError } from '../shared/errors/nodeErrors';
import { applyOptions } from '../shared/operation/options';
import { shapeRecord } from '../shared/booking/recordShape';
import { isRecord } from '../shared/values/record';
import { type ServiceRequest, send } from '../shared/http/send';
import type { Feed } from './feeds/feed';
import { BusyError, NoListError, type PollWorld, type StoredState, poll } from './poll';
import { properties } from './properties';
import { findSample } from './sample';
import { readEvent, readForm } from './settings';

const DEFAULT_BUDGET_MS = 30_000;

/** The contexts whose publication has been dealt with: n8n uses one from a publication to the next. */
const begun = new WeakSet<IPollFunctions>();

/** The last warning of each trigger: a record that is skipped stays in the answers for a while. */
const warned = new Map<string, string>();

/** Starts a workflow on new and changed web bookings, customers and survey answers. */
export class HospitalityBookingTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Hospitality Booking Trigger',
		name: 'hospitalityBookingTrigger',
		icon: { light: 'file:../../icons/hospitality.svg', dark: 'file:../../icons/hospitality.dark.svg' },
		group: ['trigger'],
		version: 1,
		subtitle: '={{ $parameter["event"] }}',
		description:
			'Starts the workflow when a reservation, customer or survey answer of a restaurant, hotel or activity center is new or has changed',
		defaults: { name: 'Hospitality Booking Trigger' },
		polling: true,
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'hospitalityBookingApi', required: true, testedBy: 'testBookingAccess' }],
		properties,
	};

	methods = {
		credentialTest: { testBookingAccess },
		listSearch: { searchCustomers, searchSurveys },
		loadOptions: { getBookingStatuses },
	};

	async poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
		let action = 'Poll';
		try {
			const event = readEvent(this);
			action = event.action;
			return await pollFor(this, event);
		} catch (error) {
			const place = { node: this.getNode(), action };
			if (error instanceof BusyError) throw busyError(place);
			throw error instanceof NoListError
				? unreadableResponseError(place, 200, 'something that is not a list')
				: toNodeError(place, error);
		}
	}
}

/** n8n waits before the next poll, where it would take "nothing new" for a sign that all is well. */
function busyError({ node, action }: ErrorContext): NodeOperationError {
	const error = new NodeOperationError(node, `The poll before is still waiting for the service – ${action}`, {
		description: 'Nothing is lost: the next poll asks again. Poll less often if this happens a lot.',
	});
	error.failure = { cause: 'temporarily-unavailable' };
	return error;
}

async function pollFor(
	context: IPollFunctions,
	event: ReturnType<typeof readEvent>,
): Promise<INodeExecutionData[][] | null> {
	const deadline = Date.now() + budgetOf(context);
	const form = await readForm(context, event);
	const node = context.getNode();
	const fetch = async (path: string, query: ReturnType<Feed['query']>) => {
		const request: ServiceRequest = {
			credential: 'hospitalityBookingApi',
			method: 'GET',
			path,
			query,
			deadline,
		};
		applyOptions(request, form.options, true);
		return (await send(context, request, { node, action: event.action })).body;
	};
	const present = (records: unknown[]) => [
		records.map((record) => ({
			json: shapeRecord(record, event.output, form.output.mode, form.output.fields),
		})),
	];
	if (context.getMode() === 'manual') {
		const sample = await findSample(form.feed, form.zone, fetch, Date.now());
		return sample === undefined ? null : present([sample]);
	}
	const anew = !form.catchUp && context.getActivationMode() === 'activate' && !begun.has(context);
	const state = context.getWorkflowStaticData('node');
	const id = `${context.getWorkflow().id}:${node.id}`;
	const world: PollWorld<INodeExecutionData[][]> = {
		id,
		// So n8n calls the polls that its scheduler makes; the others read the state themselves.
		readEarly: context.getActivationMode() === 'update',
		load: () => readState(state),
		save: (next) => {
			state.polling = next as unknown as IDataObject;
			begun.add(context);
		},
		fetch,
		present,
		warn: (message) => {
			if (warned.get(id) === message) return;
			warned.set(id, message);
			context.logger.warn(`${node.name}: ${message}`);
		},
		now: () => Date.now(),
	};
	return await poll(world, { ...form, anew });
}

/** How long n8n waits for a poll, in milliseconds; n8n before 2.41 does not say. */
function budgetOf(context: Partial<Pick<IPollFunctions, 'getPollBudgetMs'>>): number {
	return context.getPollBudgetMs?.() ?? DEFAULT_BUDGET_MS;
}

function readState({ polling }: IDataObject): StoredState | undefined {
	return isRecord(polling) && typeof polling.watching === 'string' && isRecord(polling.cursor)
		? (polling as unknown as StoredState)
		: undefined;
}
