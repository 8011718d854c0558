import merge from 'lodash/merge';
import pick from 'lodash/pick';
import type { Sandbox } from '../../../dev/sandbox.ts';
import type { CallInput, ContractClient } from './client';
import { bodySchema, operations, sampleOf } from './contract';

/** The records of the sandbox that tests refer to. */
export interface Ids {
	guid: string;
	rootId: number;
	alias: string;
	tableId: number;
	surveyId: string;
	recipientId: string;
	articleIds: string[];
	/** The identity of the first record of each resource that the sandbox keeps, e.g. `{ department: { id: 1 } }`. */
	first: Record<string, Identity>;
}

/** One entry: the identifying field and its value. */
type Identity = Record<string, string | number>;

interface StoredBooking {
	web: { guid: string; status: number; articles: Array<{ articleId: number }> };
	rootId: number;
	alias?: string;
}

const CANCELED = 5;

/** Looks up records by the control interface; the booking is the seeded one with a value in every field. */
export async function findIds({ control }: Sandbox): Promise<Ids> {
	const bookings = await control<StoredBooking[]>('GET', '/state/bookings');
	const [booking] = bookings;
	const alias = bookings.find(
		(one) => one.alias !== undefined && one.web.status !== CANCELED,
	)?.alias;
	const [survey] = await control<Array<{ id: string }>>('GET', '/state/surveys');
	const recipients = await control<Array<{ id: string; status: number }>>(
		'GET',
		'/state/recipients',
	);
	const articles = await control<Array<{ articleId: string }>>('GET', '/state/articles');
	const recipient = recipients.find(({ status }) => status === 3);
	const table = booking?.web.articles[0];
	if (!booking || !alias || !survey || !recipient || !table) throw new Error('Nothing was seeded');
	return {
		guid: booking.web.guid,
		rootId: booking.rootId,
		alias,
		tableId: table.articleId,
		surveyId: survey.id,
		recipientId: recipient.id,
		articleIds: articles.map(({ articleId }) => articleId),
		first: await firstIdentities(control),
	};
}

async function firstIdentities(control: Sandbox['control']): Promise<Ids['first']> {
	const kept = await control<Record<string, number>>('GET', '/state');
	const resources = [...new Set(operations.map(({ id }) => id.split('.')[0] ?? ''))];
	const first: Ids['first'] = {};
	for (const resource of resources.filter((name) => kept[`${name}s`])) {
		const [record] = await control<Identity[]>('GET', `/state/${resource}s`);
		const field = [`${resource}Id`, 'id'].find((name) => record?.[name] !== undefined);
		const value = record?.[field ?? ''];
		if (field !== undefined && value !== undefined) first[resource] = { [field]: value };
	}
	return first;
}

/**
 * A request of each operation that gives every field of its body and every parameter, by the contract, and is accepted by
 * a freshly seeded sandbox.
 */
export function fullRequests(client: ContractClient, ids: Ids): Record<string, CallInput> {
	const own = beyondContract(client, ids);
	const requests = operations.map((called) => {
		const identity = ids.first[called.id.split('.')[0] ?? ''] ?? {};
		const schema = bodySchema(called);
		const sample = schema && (sampleOf(schema) as Record<string, unknown>);
		const given = (place: 'path' | 'query') =>
			called.parameters.filter((parameter) => parameter.in === place);
		const request = {
			path: Object.fromEntries(
				given('path').map(({ name }) => [name, Object.values(identity)[0] ?? '']),
			),
			query: Object.fromEntries(
				given('query').map(({ name, schema: type }) => [name, sampleOf(type)]),
			),
			body: sample && { ...sample, ...pick(identity, Object.keys(sample)) },
		};
		return [called.id, merge(request, own[called.id])] as const;
	});
	return Object.fromEntries(requests);
}

/** What an accepted request needs that the contract does not say. */
function beyondContract(client: ContractClient, ids: Ids): Record<string, CallInput> {
	const { companyId, brandId, paymentCustomerId, paymentPassword } = client.info;
	const everything = '2000-01-01T00:00:00Z';
	return {
		'webBooking.getAll': {
			query: {
				startTime: everything,
				endTime: '2100-01-01T00:00:00Z',
				changedFrom: everything,
				unitIds: [1, 2, 3],
				articleCategoryIds: [100, 101],
			},
		},
		'webBooking.update': { body: { bookingGuid: ids.guid, bookingStatus: 2 } },
		'webBooking.updatePayment': { path: { id: ids.guid }, body: { guid: ids.guid } },
		'webBooking.cancel': { path: { id: ids.guid } },
		'checkoutBooking.checkIn': { path: { bookingRootId: ids.rootId } },
		'checkoutBooking.checkOut': {
			body: { bookingRootId: ids.rootId, tableArticleIds: [ids.tableId] },
		},
		'checkoutBooking.cancelToBeInvoiced': { query: { alias: ids.alias } },
		'contact.connectToCustomer': { body: { customerId: 1, contactId: 1 } },
		'customer.getAll': { query: { changedFromUtc: everything } },
		'surveyRecipient.getAll': { query: { surveyId: ids.surveyId, status: [3, 4] } },
		'surveyRecipient.getWithSurvey': { path: { id: ids.recipientId } },
		'article.batchUpdate': {
			path: { companyId, brandId },
			body: { items: [{ articleId: ids.articleIds[0] }] },
		},
		'token.issue': { body: client.tokenForm() },
		'customer.authenticate': { body: { CustomerId: paymentCustomerId, Password: paymentPassword } },
		'subscription.get': { body: { Id: 'plan-basic' } },
		'subscription.cancel': { body: { Id: 'plan-plus' } },
	};
}
