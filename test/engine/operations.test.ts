import uniq from 'lodash/uniq';
import type { INodeParameters } from 'n8n-workflow';
import { digest } from '../sandbox/support/client';
import { operation as contractOperation } from '../sandbox/support/contract';
import { rows } from '../support/sampleForm';
import type { Run } from './support/engine';
import {
	type Call,
	type Records,
	byId,
	byHand,
	linkedName,
	useOperation,
} from './support/operation';
import type { ReceivedRequest } from './support/service';

const UNKNOWN = '00000000-0000-4000-8000-000000000000';

/** What the promises that every operation keeps are checked with. */
interface Case {
	/** Values of the path's placeholders, as in the contract. */
	path?: (records: Records) => Record<string, string | number>;
	/** Nothing but what is required. */
	smallest: (records: Records) => Call;
	/** All that the query takes; each field of a body lands in its place by test/unit/requests.test.ts. */
	withQuery?: (records: Records) => Call;
	/** For one of each way in which a run goes: parameters that differ from item to item, see `threeItems`. */
	perItem?: INodeParameters;
}

/** The update of a record by its number. */
const byNumber = (name: string, number: number): Case => ({
	path: () => ({ id: number }),
	smallest: () => ({
		parameters: { [name]: String(number), updateFields: { name: 'New name' } },
		body: { name: 'New name', id: number },
	}),
});

const INCLUDE =
	'includeContact includeInternalContact includeTableArticles includeNonTableArticles includePayMethod includeCustomer includeMarkings'.split(
		' ',
	);
const campaignId = 'campaign-1';
/** The one call without a token. */
const AUTHENTICATE = 'customer.authenticate';

const CASES: Record<string, Case> = {
	'webBooking.getAll': {
		smallest: () => ({
			parameters: {
				getBy: 'lastChange',
				changedFrom: '2026-03-01T10:00:00Z',
				output: 'raw',
				include: [],
			},
			query: { changedFrom: '2026-03-01T10:00:00Z' },
		}),
		withQuery: () => {
			const period = {
				startTime: '2026-03-01T10:00:00+01:00',
				endTime: '2026-03-02T10:00:00+01:00',
			};
			const filters = { unitIds: '1, 2', articleCategoryIds: '3, 4' };
			const included = Object.fromEntries(INCLUDE.map((name) => [name, 'true']));
			return {
				parameters: { getBy: 'period', ...period, output: 'raw', include: INCLUDE, filters },
				query: {
					// In the zone of the credential.
					startTime: '2026-03-01T09:00:00Z',
					endTime: '2026-03-02T09:00:00Z',
					unitIds: ['1', '2'],
					articleCategoryIds: ['3', '4'],
					...included,
				},
			};
		},
	},
	'webBooking.update': {
		smallest: ({ guid }) => ({
			parameters: {
				webBookingId: byId(guid),
				timeSetDate: '2031-05-01T18:00:00Z',
				guests: 0,
				times: {},
			},
			body: { bookingGuid: guid, timeSetDate: '2031-05-01T18:00:00Z', guests: 0, times: [] },
		}),
	},
	'webBooking.updatePayment': {
		path: ({ guid }) => ({ id: guid }),
		smallest: ({ guid }) => ({
			parameters: { webBookingId: byId(guid), payment: { payMethod: 'Card' } },
			body: { payMethod: 'Card', guid },
		}),
	},
	'webBooking.cancel': {
		path: ({ guid }) => ({ id: guid }),
		smallest: ({ guid }) => ({ parameters: { webBookingId: byId(guid) }, body: {} }),
	},
	'checkoutBooking.checkIn': {
		path: ({ rootId }) => ({ bookingRootId: rootId }),
		smallest: ({ rootId }) => ({ parameters: { bookingRootId: String(rootId) } }),
		withQuery: ({ rootId }) => ({
			parameters: { bookingRootId: rootId, additionalFields: { cashierName: 'Åsa & Co' } },
			query: { cashierName: 'Åsa & Co' },
		}),
	},
	'checkoutBooking.checkOut': {
		smallest: ({ rootId }) => ({
			parameters: { bookingRootId: String(rootId) },
			body: { bookingRootId: rootId },
		}),
		perItem: { bookingRootId: '={{ $json.rootId }}' },
	},
	'checkoutBooking.cancelToBeInvoiced': {
		smallest: ({ alias }) => ({ parameters: { alias }, query: { alias } }),
	},
	'contact.connectToCustomer': {
		smallest: () => ({
			parameters: { contactId: '1', customerId: byId(2) },
			body: { contactId: 1, customerId: 2 },
		}),
	},
	'contact.sendGuestMessage': {
		smallest: () => ({
			parameters: { event: { propertiesAction: 'updated' } },
			body: { properties: { action: 'updated' } },
		}),
		withQuery: () => ({
			parameters: {
				event: { propertiesAction: 'updated' },
				queryFields: { passcode: 'pass code' },
			},
			query: { passcode: 'pass code' },
			body: { properties: { action: 'updated' } },
		}),
	},
	'customer.getAll': {
		smallest: () => ({ parameters: {} }),
		withQuery: () => {
			const filters = { changedFromUtc: '2026-03-01T10:00:00+01:00' };
			return { parameters: { filters }, query: { changedFromUtc: '2026-03-01T09:00:00Z' } };
		},
		perItem: {},
	},
	'contactFilter.update': byNumber('contactFilterId', 1),
	'survey.updateContent': {
		path: ({ surveyId }) => ({ id: surveyId }),
		smallest: ({ surveyId }) => ({
			parameters: { surveyId, title: 'Dinner', pages: '[{"sections":[]}]' },
			body: { title: 'Dinner', pages: [{ sections: [] }] },
		}),
	},
	'surveyRecipient.getAll': {
		smallest: () => ({ parameters: {} }),
		withQuery: ({ surveyId }) => ({
			parameters: { filters: { surveyId, status: [2, 4, 999] } },
			query: { surveyId, status: ['2', '4', '999'] },
		}),
	},
	'surveyRecipient.getWithSurvey': {
		path: ({ recipientId }) => ({ id: recipientId }),
		smallest: ({ recipientId }) => ({ parameters: { surveyRecipientId: byId(recipientId) } }),
	},
	'campaign.update': {
		path: () => ({ id: campaignId }),
		smallest: () => ({
			parameters: { campaignId, updateFields: { name: 'New name' } },
			body: { name: 'New name' },
		}),
		withQuery: () => ({
			parameters: {
				campaignId,
				updateFields: { name: 'New name' },
				queryFields: { _: 1_700_000_000_000 },
			},
			query: { _: '1700000000000' },
			body: { name: 'New name' },
		}),
	},
	'articleGroup.update': byNumber('articleGroupId', 100),
	'department.update': byNumber('departmentId', 1),
	'article.batchUpdate': {
		path: ({ companyId, brandId }) => ({ companyId, brandId }),
		smallest: ({ companyId, brandId, articleIds: [articleId] }) => ({
			parameters: {
				companyId,
				brandId,
				article: byHand({ articleId: String(articleId), name: 'New' }),
			},
			body: { items: [{ articleId, name: 'New' }] },
		}),
		perItem: {
			article: byHand({ articleId: '={{ $json.articleId }}', name: 'New' }),
			onRejectedBatch: 'setAside',
		},
	},
	'subscription.get': {
		smallest: ({ planId }) => ({ parameters: { id: planId }, body: { Id: planId } }),
		perItem: { id: '={{ $json.planId }}' },
	},
	'subscription.cancel': {
		smallest: ({ planId }) => ({ parameters: { id: planId }, body: { Id: planId } }),
	},
	[AUTHENTICATE]: {
		smallest: ({ customer }) => ({ parameters: { customer: 'own' }, body: customer }),
	},
};

test('every operation is tried', () => {
	expect(rows.map(({ id }) => id).sort()).toEqual(Object.keys(CASES).sort());
});

describe.each(Object.entries(CASES))('%s', (id, { path, smallest, withQuery, perItem }) => {
	const contract = contractOperation(id);
	const isPayment = contract.service === 'pay';
	const here = useOperation(id);

	/** Exactly one request, of exactly this form. */
	async function expectCall({ parameters, query = {}, body }: Call): Promise<void> {
		const { error } = await here.run(parameters);
		expect(error).toBeUndefined();
		const requests = await here.service.requests();
		expect(requests).toHaveLength(1);
		const [{ headers, status, ...request }] = requests as [ReceivedRequest];
		const values = path?.(here.records) ?? {};
		const filled = contract.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
			String(values[name]),
		);
		expect(request).toMatchObject({
			method: contract.method,
			path: `${isPayment ? '/pay' : ''}${filled}`,
		});
		// The sandbox shows no password.
		const shown = id === AUTHENTICATE ? { ...Object(body), Password: '…' } : body;
		expect([request.query, request.body]).toEqual([query, shown]);
		expect(Math.floor(status / 100)).toBe(2);
		const { system, authorization, accept, 'content-type': contentType } = headers;
		const takesSystem = contract.parameters.some(({ name }) => name === 'system');
		expect(system).toBe(takesSystem ? here.service.info.system : undefined);
		if (id === AUTHENTICATE) expect(authorization).toBeUndefined();
		else expect(authorization).toMatch(/^Bearer \S+/);
		expect(accept).toBe('application/json');
		expect(contentType).toBe(body === undefined ? undefined : 'application/json');
		if (!isPayment) return;
		expect(headers.digest).toBe(digest(JSON.stringify(body)));
		expect(headers.location).toBe(`${here.service.info.payUrl}/v1${filled}`);
		expect(new Date(String(headers.date)).toUTCString()).toBe(headers.date);
	}

	beforeEach(async () => {
		if (!isPayment) return;
		// Opens the session that the calls of the test take.
		await here.run(smallest(here.records).parameters);
		await here.service.forgetRequests();
	});

	test('sends the smallest input and nothing else', async () => {
		await expectCall(smallest(here.records));
	});

	if (withQuery) {
		test('sends each parameter of the query', async () => {
			await expectCall(withQuery(here.records));
		});
	}

	/** The second of three items is refused by the service: its system does not exist, nor do its records. */
	async function threeItems(): Promise<Run> {
		const other = await here.readRecords();
		const { rootId, planId, articleIds } = here.records;
		const [first, third] = articleIds;
		const known = { system: here.service.info.system, planId };
		const items = [
			{ ...known, name: 'first', articleId: first, rootId },
			{ name: 'second', system: 'nowhere', articleId: UNKNOWN, rootId: 1, planId: UNKNOWN },
			{ ...known, name: 'third', articleId: third, rootId: other.rootId },
		];
		const options = { system: '={{ $json.system }}' };
		const parameters = { ...smallest(here.records).parameters, options, ...perItem };
		return await here.run(parameters, { items, onError: 'continueErrorOutput', after: linkedName });
	}

	if (perItem) {
		test('links items on both outputs when the second of three fails', async () => {
			const run = await threeItems();

			expect(run.error).toBeUndefined();
			expect(uniq(run.after(0).map(({ name }) => name))).toEqual(['first', 'third']);
			expect(run.after(1)).toEqual([{ name: 'second' }]);
			const [refused] = run.json(1);
			expect(refused).toMatchObject({ name: 'second', error: expect.stringContaining('[item 1]') });
			expect(refused?.details).toMatchObject({
				status: expect.any(Number),
				description: expect.any(String),
			});
		});
	}
});
