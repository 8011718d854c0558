import type { Sandbox } from '../../../harness/sandbox.ts';
import type { CallInput } from './client';
import { bodySchema, operation, operations, sampleOf } from './contract';

/** The records of the sandbox that tests refer to. */
export interface Ids {
	guid: string;
	rootId: number;
	alias: string;
	tableId: number;
	sectionId: number;
	surveyId: string;
	recipientId: string;
	articleIds: string[];
	/** The identity of the first record of each resource that the sandbox keeps, e.g. `{ department: { id: 1 } }`. */
	first: Record<string, Identity>;
}

/** One entry: the identifying field and its value. */
type Identity = Record<string, string | number>;

interface StoredBooking {
	web: { guid: string; status: number; articles: Array<{ articleId: number; sectionId: number }> };
	rootId: number;
	alias?: string;
}

const CANCELED = 5;

/** Looks up records by the control interface; the booking is the seeded one with a value in every field. */
export async function findIds({ control }: Sandbox): Promise<Ids> {
	const bookings = await control<StoredBooking[]>('GET', '/state/bookings');
	const [booking] = bookings;
	const alias = bookings.find((one) => one.alias !== undefined && one.web.status !== CANCELED)?.alias;
	const [survey] = await control<Array<{ id: string }>>('GET', '/state/surveys');
	const recipients = await control<Array<{ id: string; status: number }>>('GET', '/state/recipients');
	const articles = await control<Array<{ articleId: string }>>('GET', '/state/articles');
	const recipient = recipients.find(({ status }) => status === 3);
	const table = booking?.web.articles[0];
	if (!booking || !alias || !survey || !recipient || !table) throw new Error('Nothing was seeded');
	return {
		guid: booking.web.guid,
		rootId: booking.rootId,
		alias,
		tableId: table.articleId,
		sectionId: table.sectionId,
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
 * The request that follows from the contract: every field of the body and every parameter, about the first record of the
 * resource.
 */
function requestFromContract(id: string, { first }: Ids): CallInput {
	const called = operation(id);
	const schema = bodySchema(called);
	const identity = first[id.split('.')[0] ?? ''] ?? {};
	const sample = schema && (sampleOf(schema) as Record<string, unknown>);
	const own = Object.entries(identity).filter(([field]) => sample && field in sample);
	const given = (place: 'path' | 'query') => called.parameters.filter((parameter) => parameter.in === place);
	return {
		path: Object.fromEntries(given('path').map(({ name }) => [name, Object.values(identity)[0] ?? ''])),
		query: Object.fromEntries(given('query').map(({ name, schema: type }) => [name, sampleOf(type)])),
		...(sample && { body: { ...sample, ...Object.fromEntries(own) } }),
	};
}

/**
 * A request of each operation that gives every field of its body and every parameter and is accepted by a freshly
 * seeded sandbox. Only those that need more than the contract says stand here.
 */
export function fullRequests(sandbox: Sandbox, ids: Ids): Record<string, () => CallInput> {
	const { info } = sandbox;
	const full = (id: string, own: Record<string, unknown> = {}) => ({
		...(requestFromContract(id, ids).body as Record<string, unknown>),
		...own,
	});
	return {
		...Object.fromEntries(operations.map(({ id }) => [id, () => requestFromContract(id, ids)])),
		'webBooking.getAll': () => ({
			query: {
				startTime: '2000-01-01T00:00:00Z',
				endTime: '2100-01-01T00:00:00Z',
				changedFrom: '2000-01-01T00:00:00Z',
				unitIds: [1, 2, 3],
				articleCategoryIds: [100, 101],
				includeContact: true,
				includeInternalContact: true,
				includeTableArticles: true,
				includeNonTableArticles: true,
				includePayMethod: true,
				includeCustomer: true,
				includeMarkings: true,
			},
		}),
		'webBooking.update': () => ({
			body: full('webBooking.update', { bookingGuid: ids.guid, bookingStatus: 2 }),
		}),
		'webBooking.updatePayment': () => ({
			path: { id: ids.guid },
			body: full('webBooking.updatePayment', { guid: ids.guid }),
		}),
		'webBooking.cancel': () => ({ path: { id: ids.guid }, body: full('webBooking.cancel') }),
		'checkoutBooking.checkIn': () => ({
			path: { bookingRootId: ids.rootId },
			query: { cashierName: 'Robin' },
		}),
		'checkoutBooking.checkOut': () => ({
			body: full('checkoutBooking.checkOut', { bookingRootId: ids.rootId, tableArticleIds: [ids.tableId] }),
		}),
		'checkoutBooking.cancelToBeInvoiced': () => ({ query: { alias: ids.alias } }),
		'contact.connectToCustomer': () => ({
			body: full('contact.connectToCustomer', { customerId: 1, contactId: 1 }),
		}),
		'customer.getAll': () => ({ query: { changedFromUtc: '2000-01-01T00:00:00Z' } }),
		'contact.sendGuestMessage': () => ({
			query: { passcode: 'open' },
			body: full('contact.sendGuestMessage'),
		}),
		'surveyRecipient.getAll': () => ({ query: { surveyId: ids.surveyId, status: [3, 4] } }),
		'surveyRecipient.getWithSurvey': () => ({ path: { id: ids.recipientId } }),
		'article.batchUpdate': () => {
			const { items } = full('article.batchUpdate') as { items: Array<Record<string, unknown>> };
			return {
				path: { companyId: info.companyId, brandId: info.brandId },
				body: { items: items.map((item) => ({ ...item, articleId: ids.articleIds[0] })) },
			};
		},
		'token.issue': () => ({
			body: {
				grant_type: 'client_credentials',
				client_id: info.clientId,
				client_secret: info.clientSecret,
				scope: 'publicAPI',
			},
		}),
		'customer.authenticate': () => ({
			body: { CustomerId: info.paymentCustomerId, Password: info.paymentPassword },
		}),
		'subscription.get': () => ({ body: { Id: 'plan-basic' } }),
		'subscription.cancel': () => ({ body: { Id: 'plan-plus' } }),
	};
}
