import type { StartedSandbox } from '../../support/sandbox';
import type { CallInput } from './client';
import { bodySchema, operation, sampleOf } from './contract';

/** The records of the sandbox that tests refer to. */
export interface Ids {
	guid: string;
	rootId: number;
	alias: string;
	tableId: number;
	sectionId: number;
	surveyId: string;
	recipientId: string;
	campaignId: string;
	articleIds: string[];
}

interface StoredBooking {
	web: { guid: string; status: number; articles: Array<{ articleId: number; sectionId: number }> };
	rootId: number;
	alias?: string;
}

const CANCELED = 5;

/** Looks up records by the control interface; the booking is the seeded one with a value in every field. */
export async function findIds({ control }: StartedSandbox): Promise<Ids> {
	const bookings = await control<StoredBooking[]>('GET', '/state/bookings');
	const [booking] = bookings;
	const alias = bookings.find((one) => one.alias !== undefined && one.web.status !== CANCELED)?.alias;
	const [survey] = await control<Array<{ id: string }>>('GET', '/state/surveys');
	const recipients = await control<Array<{ id: string; status: number }>>('GET', '/state/recipients');
	const [campaign] = await control<Array<{ campaignId: string }>>('GET', '/state/campaigns');
	const articles = await control<Array<{ articleId: string }>>('GET', '/state/articles');
	const recipient = recipients.find(({ status }) => status === 3);
	const table = booking?.web.articles[0];
	if (!booking || !alias || !survey || !recipient || !campaign || !table)
		throw new Error('Nothing was seeded');
	return {
		guid: booking.web.guid,
		rootId: booking.rootId,
		alias,
		tableId: table.articleId,
		sectionId: table.sectionId,
		surveyId: survey.id,
		recipientId: recipient.id,
		campaignId: campaign.campaignId,
		articleIds: articles.map(({ articleId }) => articleId),
	};
}

/**
 * A request of each operation that gives every field of its body and every parameter and is accepted by a freshly
 * seeded sandbox.
 */
export function fullRequests(sandbox: StartedSandbox, ids: Ids): Record<string, () => CallInput> {
	const { info } = sandbox;
	const full = (id: string, own: Record<string, unknown> = {}) => {
		const schema = bodySchema(operation(id));
		if (!schema) throw new Error(`${id} has no body`);
		return { ...(sampleOf(schema) as Record<string, unknown>), ...own };
	};
	return {
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
		'contact.sendGuestMessage': () => ({
			query: { passcode: 'open' },
			body: full('contact.sendGuestMessage'),
		}),
		'customer.getAll': () => ({ query: { changedFromUtc: '2000-01-01T00:00:00Z' } }),
		'contactFilter.update': () => ({ path: { id: 1 }, body: full('contactFilter.update', { id: 1 }) }),
		'survey.updateContent': () => ({ path: { id: ids.surveyId }, body: full('survey.updateContent') }),
		'surveyRecipient.getAll': () => ({ query: { surveyId: ids.surveyId, status: [3, 4] } }),
		'surveyRecipient.getWithSurvey': () => ({ path: { id: ids.recipientId } }),
		'campaign.update': () => ({
			path: { id: ids.campaignId },
			query: { _: 1 },
			body: full('campaign.update', { campaignId: ids.campaignId }),
		}),
		'articleGroup.update': () => ({ path: { id: 101 }, body: full('articleGroup.update', { id: 101 }) }),
		'department.update': () => ({ path: { id: 1 }, body: full('department.update', { id: 1 }) }),
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
