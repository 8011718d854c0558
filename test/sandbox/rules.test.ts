import FormData from 'form-data';
import { send } from './support/client';
import { operations } from './support/contract';
import { became, type Json, useSandbox } from './support/useSandbox';

interface Article {
	articleId: string;
	name: string;
	description: string;
	prices: Record<'regular' | 'takeAway' | 'conference', { inclVat: number; exclVat: number }>;
	attributes: Json;
}

const here = useSandbox();
const { accepted, status } = here;

function listBookings(query: Json): Promise<Json[]> {
	return accepted<Json[]>('webBooking.getAll', { query });
}

/** Makes a web booking behind the service's back; returns its GUID. */
async function addBooking(booking: Json): Promise<string> {
	const [made] = await here.control<Array<{ guid: string }>>('POST', '/bookings', { booking });
	return made?.guid ?? '';
}

const listGuids = async (query: Json) => (await listBookings(query)).map(({ guid }) => guid);

const EVERYTHING = { changedFrom: '2000-01-01T00:00:00Z' };

const batch = (items: unknown[]) => ({ body: { items } });

function item(index: number, fields: Json = {}): Json {
	return { articleId: here.ids.articleIds[index], ...fields };
}

/** The article as it is now: a batch that provides nothing changes nothing. */
async function article(index: number): Promise<Article> {
	const { items } = await accepted<{ items: Article[] }>(
		'article.batchUpdate',
		batch([item(index)]),
	);
	const [found] = items;
	if (!found) throw new Error(`No article ${index}`);
	return found;
}

async function confirmations(guid: string): Promise<string[]> {
	const all = await here.control<Array<{ bookingGuid: string; channel: string }>>(
		'GET',
		'/state/confirmations',
	);
	return all.filter(({ bookingGuid }) => bookingGuid === guid).map(({ channel }) => channel);
}

/** One test for each rule that the contract states, under its operation and by its name. */
const rules: Record<string, Record<string, () => Promise<void>>> = {
	'webBooking.getAll': {
		periodOrChange: async () => {
			const time = '2031-01-01T00:00:00Z';
			for (const query of [{}, { startTime: time }, { endTime: time }]) {
				expect(await status('webBooking.getAll', { query })).toBe(400);
			}
			expect(await listBookings({ startTime: time, endTime: time })).toEqual([]);
			expect(await listBookings(EVERYTHING)).toHaveLength(40);
		},
		period: async () => {
			const guid = await addBooking({ start: '2040-06-01T18:00:00Z', end: '2040-06-01T20:00:00Z' });
			const found = (from: string, to: string) =>
				listGuids({ startTime: `2040-06-01T${from}Z`, endTime: `2040-06-01T${to}Z` });
			expect(await found('19:59:59', '23:00:00')).toContain(guid);
			expect(await found('20:00:00', '23:00:00')).not.toContain(guid);
			expect(await found('10:00:00', '18:00:01')).toContain(guid);
			expect(await found('10:00:00', '18:00:00')).not.toContain(guid);
			expect(await found('18:30:00', '19:00:00')).toContain(guid);
		},
		changedFrom: async () => {
			const stamp = '2040-06-01T18:00:00.000Z';
			const created = await addBooking({ createdDate: stamp, changeDate: null });
			const changed = await addBooking({ createdDate: '2030-01-01T00:00:00Z', changeDate: stamp });
			expect(await listGuids({ changedFrom: '2040-06-01T17:59:59.999Z' })).toEqual([
				created,
				changed,
			]);
			expect(await listGuids({ changedFrom: stamp })).toEqual([]);
			await accepted('webBooking.cancel');
			const minuteAgo = new Date(Date.now() - 60_000).toISOString();
			expect(await listGuids({ changedFrom: minuteAgo })).toContain(here.ids.guid);
		},
		includes: async () => {
			const related: Record<string, string> = {
				includeContact: 'contact',
				includeInternalContact: 'internalContactName',
				includeTableArticles: 'articles',
				includeNonTableArticles: 'nonTableArticles',
				includePayMethod: 'payMethod',
				includeCustomer: 'customer',
				includeMarkings: 'markings',
			};
			const [plain] = await listBookings(EVERYTHING);
			expect(Object.values(related).filter((field) => field in (plain ?? {}))).toEqual([]);
			for (const [flag, field] of Object.entries(related)) {
				const [booking] = await listBookings({ ...EVERYTHING, [flag]: true });
				expect(Object.values(related).filter((name) => name in (booking ?? {}))).toEqual([field]);
				const [without] = await listBookings({ ...EVERYTHING, [flag]: false });
				expect(without).not.toHaveProperty(field);
			}
		},
		articleCategories: async () => {
			const query = { ...EVERYTHING, articleCategoryIds: [101] };
			expect(await status('webBooking.getAll', { query })).toBe(400);
			const found = await listBookings({ ...query, includeNonTableArticles: true });
			const groups = found.map(({ nonTableArticles }) =>
				(nonTableArticles as Json[]).map(({ articleGroupId }) => articleGroupId),
			);
			expect(groups.length).toBeGreaterThan(0);
			expect(groups.every((ids) => ids.includes(101))).toBe(true);
			const tables = { ...EVERYTHING, articleCategoryIds: [100, 999], includeTableArticles: true };
			expect(await listBookings(tables)).toHaveLength(40);
		},
	},
	'webBooking.updatePayment': {
		paymentOnly: async () => {
			const before = await here.booking();
			const body = here.request('webBooking.updatePayment').body as Json;
			expect(await accepted('webBooking.updatePayment')).toEqual(body);
			const { payMethod, ...amounts } = body;
			const after = await here.booking();
			expect(after).toEqual({
				...before,
				web: {
					...before.web,
					...amounts,
					payMethod: expect.objectContaining({ name: payMethod }),
					changeDate: after.web['changeDate'],
				},
			});
		},
	},
	'webBooking.cancel': {
		canceled: async () => {
			const canceled = await accepted('webBooking.cancel', { body: {} });
			expect(canceled).toMatchObject(became('Canceled'));
			const listed = (await listBookings(EVERYTHING)).find(({ guid }) => guid === here.ids.guid);
			expect(listed).toMatchObject({
				status: canceled['status'],
				changeDate: canceled['changeDate'],
			});
		},
		confirmations: async () => {
			const cases: Array<[Json, string[]]> = [
				[{}, ['email', 'sms']],
				[{ disableEmailConfirmationMessage: true }, ['sms']],
				[{ disableSmsConfirmationMessage: true }, ['email']],
				[{ disableAllConfirmationMessages: true }, []],
			];
			for (const [body, channels] of cases) {
				const guid = await addBooking({});
				await accepted('webBooking.cancel', { path: { id: guid }, body });
				expect(await confirmations(guid)).toEqual(channels);
			}
		},
	},
	'checkoutBooking.checkIn': {
		noBody: async () => {
			const booking = await accepted('checkoutBooking.checkIn');
			expect(booking).toMatchObject({ bookingRootId: here.ids.rootId });
		},
	},
	'checkoutBooking.checkOut': {
		invoiced: async () => {
			const before = (await here.booking()).web['paymentEvents'] as Json[];
			const { result } = await accepted<{ result: Json }>('checkoutBooking.checkOut', {
				body: { bookingRootId: here.ids.rootId, cashierName: 'Robin' },
			});
			expect(result).toMatchObject({ bookingRootId: here.ids.rootId, mustBeInvoiced: true });
			expect((await here.booking()).web['paymentEvents']).toEqual([
				...before,
				expect.objectContaining({ message: 'Invoice', createdBy: 'Robin' }),
			]);
		},
		validation: async () => {
			const check = (body: Json) =>
				accepted<{
					validationResult: Record<string, Json[]>;
					validationResults: Json;
					result: Json;
				}>('checkoutBooking.checkOut', { body: { bookingRootId: here.ids.rootId, ...body } });
			const unknown = await check({ tableArticleIds: [-5] });
			expect(unknown.validationResult['propertyErrors']).toEqual([
				expect.objectContaining({ propertyName: 'tableArticleIds', messageData: { id: '-5' } }),
			]);
			expect(Object.keys(unknown.validationResults)).toEqual(['tableArticleIds']);
			expect(unknown.result['mustBeInvoiced']).toBe(false);
			expect((await check({})).validationResult['generalWarnings']).toHaveLength(1);
			expect((await check({})).validationResult['generalErrors']).toHaveLength(1);
		},
	},
	'checkoutBooking.cancelToBeInvoiced': {
		canceled: async () => {
			await accepted('checkoutBooking.cancelToBeInvoiced');
			const bookings = await here.control<Array<{ alias?: string; web: { history: Json[] } }>>(
				'GET',
				'/state/bookings',
			);
			const booking = bookings.find(({ alias }) => alias === here.ids.alias);
			expect(booking?.web.history.at(-1)).toMatchObject({ statusName: 'Canceled' });
		},
		validation: async () => {
			const cancel = () =>
				accepted<{ validationResult: Record<string, Json[]> }>(
					'checkoutBooking.cancelToBeInvoiced',
				);
			expect((await cancel()).validationResult['generalWarnings']).toEqual([]);
			expect((await cancel()).validationResult['generalWarnings']).toHaveLength(1);
		},
	},
	'customer.getAll': {
		changedFrom: async () => {
			const stamp = '2040-06-01T18:00:00.000Z';
			const { id } = await here.control<{ id: number }>('POST', '/customers', {
				lastChangedUtc: stamp,
			});
			const after = (changedFromUtc: string) =>
				accepted<Json[]>('customer.getAll', { query: { changedFromUtc } });
			expect((await after('2040-06-01T17:59:59.999Z')).map((customer) => customer['id'])).toEqual([
				id,
			]);
			expect(await after(stamp)).toEqual([]);
			expect((await accepted<Json[]>('customer.getAll', { query: {} })).length).toBe(26);
		},
	},
	'survey.updateContent': {
		wholeContent: async () => {
			const { body: full } = here.request('survey.updateContent');
			const survey = await accepted('survey.updateContent');
			expect([survey['content'], survey['revision']]).toEqual([full, 2]);
			const body = { title: 'New', pages: [] };
			expect((await accepted('survey.updateContent', { body }))['content']).toEqual(body);
			expect((await accepted('surveyRecipient.getWithSurvey'))['content']).toEqual(body);
		},
	},
	'surveyRecipient.getAll': {
		survey: async () => {
			const recipients = await accepted<Json[]>('surveyRecipient.getAll', {
				query: { surveyId: here.ids.surveyId },
			});
			expect(recipients.map(({ surveyId }) => surveyId)).toEqual(Array(8).fill(here.ids.surveyId));
			expect(await accepted('surveyRecipient.getAll', { query: { surveyId: 'none' } })).toEqual([]);
		},
		statuses: async () => {
			const statuses = async (query: Json) =>
				(await accepted<Json[]>('surveyRecipient.getAll', { query })).map(
					(recipient) => recipient['status'],
				);
			expect(await statuses({ status: [4] })).toEqual([4, 4]);
			expect((await statuses({ status: [1, 999] })).sort()).toEqual([1, 1, 999, 999]);
			expect(await statuses({})).toHaveLength(16);
		},
	},
	'surveyRecipient.getWithSurvey': {
		content: async () => {
			for (const code of [0, 1, 2, 3, 4, 5, 6, 999]) {
				await here.control('PATCH', `/recipients/${here.ids.recipientId}`, { status: code });
				const shown = await accepted('surveyRecipient.getWithSurvey');
				expect(['content' in shown, (shown['recipient'] as Json)['status']]).toEqual([
					![4, 5].includes(code),
					code,
				]);
			}
		},
		noSystem: async () => {
			expect(
				await status('surveyRecipient.getWithSurvey', { headers: { system: undefined } }),
			).toBe(200);
		},
	},
	'article.batchUpdate': {
		most: async () => {
			const items = (count: number) =>
				here.ids.articleIds.slice(0, count).map((articleId) => ({ articleId, name: 'Changed' }));
			const refused = await here.call('article.batchUpdate', batch(items(51)));
			expect([refused.status, refused.body]).toEqual([
				400,
				expect.objectContaining({
					validationErrors: [{ field: 'items', errorId: 'MaxItems' }],
					entity: 'Article',
				}),
			]);
			expect((await article(0)).name).not.toBe('Changed');
			const { items: updated } = await accepted<{ items: Article[] }>(
				'article.batchUpdate',
				batch(items(50)),
			);
			expect(updated.map(({ name, articleId }) => [name, articleId])).toEqual(
				here.ids.articleIds.slice(0, 50).map((articleId) => ['Changed', articleId]),
			);
		},
		allOrNothing: async () => {
			const before = await here.control('GET', '/state/articles');
			const items = here.ids.articleIds
				.slice(0, 49)
				.map((articleId) => ({ articleId, name: 'Changed' }));
			const unknown = { articleId: '00000000-0000-4000-8000-000000000000', name: 'Changed' };
			const bad = [unknown, item(50, { prices: { regular: { inclVat: 'ten' } } })];
			for (const [position, wrong] of bad.entries()) {
				const mixed = [...items.slice(0, 30), wrong, ...items.slice(30)];
				expect(await status('article.batchUpdate', batch(mixed))).toBe(400);
				expect([position, await here.control('GET', '/state/articles')]).toEqual([
					position,
					before,
				]);
			}
		},
		providedFields: async () => {
			const before = await article(1);
			const update = item(1, {
				name: 'New',
				prices: { takeAway: { inclVat: 99 } },
				attributes: { ageRestriction: 7 },
			});
			await accepted('article.batchUpdate', batch([update]));
			expect(await article(1)).toEqual({
				...before,
				name: 'New',
				prices: { ...before.prices, takeAway: { ...before.prices.takeAway, inclVat: 99 } },
				attributes: { ...before.attributes, ageRestriction: 7 },
			});
		},
		resetFlags: async () => {
			const attributes: Record<string, [string, unknown, string]> = {
				resetColor: ['colorHexValue', '#123456', 'color'],
				resetAllowDiscount: ['allowDiscount', false, 'allowDiscount'],
				resetAllowPriceOverride: ['allowPriceOverride', true, 'allowPriceOverride'],
				resetSalesUnit: ['salesUnit', 'crate', 'salesUnit'],
				resetKeepStockBalance: ['keepStockBalance', true, 'keepStockBalance'],
				resetIsLoyaltyContributing: ['isLoyaltyContributing', false, 'isLoyaltyContributing'],
				resetAgeRestriction: ['ageRestriction', 21, 'ageRestriction'],
				resetNonSale: ['nonSale', true, 'nonSale'],
			};
			const inherited = await article(1);
			for (const [flag, [field, value, shown]] of Object.entries(attributes)) {
				await accepted('article.batchUpdate', batch([item(1, { attributes: { [field]: value } })]));
				expect((await article(1)).attributes[shown]).not.toEqual(inherited.attributes[shown]);
				await accepted('article.batchUpdate', batch([item(1, { attributes: { [flag]: false } })]));
				expect((await article(1)).attributes[shown]).not.toEqual(inherited.attributes[shown]);
				await accepted('article.batchUpdate', batch([item(1, { attributes: { [flag]: true } })]));
				expect(await article(1)).toEqual(inherited);
			}
		},
	},
	'token.issue': {
		form: async () => {
			const fields = here.client.tokenForm();
			const form = new FormData();
			for (const [name, value] of Object.entries(fields)) form.append(name, value);
			const others: Array<[headers: Record<string, string>, body: string]> = [
				[form.getHeaders(), form.getBuffer().toString()],
				[{ 'content-type': 'application/json' }, JSON.stringify(fields)],
			];
			for (const [headers, body] of others) {
				const refused = await send(
					`${here.sandbox.info.authUrl}/connect/token`,
					'POST',
					headers,
					body,
				);
				expect([refused.status, JSON.parse(refused.text)]).toEqual([
					400,
					expect.objectContaining({ error: 'invalid_request' }),
				]);
			}
		},
		lifetime: async () => {
			await here.control('PUT', '/tokens', { lifetimeSeconds: 2 });
			const issued = await accepted('token.issue');
			expect(issued).toMatchObject({ token_type: 'Bearer', expires_in: 2, scope: 'publicAPI' });
			const headers = { authorization: `Bearer ${String(issued['access_token'])}` };
			expect(await status('customer.getAll', { headers })).toBe(200);
			await new Promise((resolve) => setTimeout(resolve, 2100));
			expect(await status('customer.getAll', { headers })).toBe(401);
		},
	},
	'customer.authenticate': {
		created: async () => {
			const { status: code, headers, body } = await here.call('customer.authenticate');
			expect([code, headers['location']]).toEqual([201, '/v1/authentication']);
			expect(body).toMatchObject({ IsAuthenticated: true });
			const { paymentCustomerId: CustomerId } = here.sandbox.info;
			const wrong = await here.call('customer.authenticate', {
				body: { CustomerId, Password: 'wrong' },
			});
			expect([wrong.status, wrong.body]).toEqual([201, { IsAuthenticated: false }]);
		},
	},
	'subscription.get': {
		bodyOfGet: async () => {
			expect(await accepted('subscription.get')).toMatchObject({ Status: 'Active' });
			expect(await status('subscription.get', { body: undefined })).toBe(400);
		},
		unknownPlan: async () => {
			expect(await status('subscription.get', { body: { Id: 'plan-none' } })).toBe(404);
		},
	},
};

const stated = operations.flatMap(({ id, rules: own }) =>
	Object.entries(own).map(([name, words]) => ({ id, name, words })),
);

test.each(operations)(
	'$id takes a request with every field and parameter, and answers by the contract',
	async ({ id }) => {
		expect(Math.floor((await status(id)) / 100)).toBe(2);
	},
);

test.each(stated)('$id: $words', async ({ id, name }) => {
	const check = rules[id]?.[name];
	if (!check) throw new Error('This rule of the contract has no test');
	await check();
});

test('every second booking of today has a payment, by whose root ID it can be checked out', async () => {
	const today = new Date().toISOString().slice(0, 10);
	const query = { startTime: `${today}T00:00:00Z`, endTime: `${today}T23:59:59Z` };
	const bookings = await listBookings(query);
	const rootIds = bookings.flatMap(({ paymentEvents }) =>
		(paymentEvents as Json[]).map(({ bookingRootId }) => bookingRootId),
	);

	expect(bookings.length).toBeGreaterThan(6);
	expect(rootIds).toHaveLength(Math.ceil(bookings.length / 2));
	for (const bookingRootId of rootIds) {
		const body = { bookingRootId };
		const { result } = await accepted<{ result: Json }>('checkoutBooking.checkOut', { body });
		expect(result).toMatchObject({ bookingRootId, mustBeInvoiced: true });
	}
});

test('tests no rule that the contract does not state', () => {
	const tested = Object.entries(rules).flatMap(([id, own]) =>
		Object.keys(own).map((name) => `${id} ${name}`),
	);
	expect(tested.sort()).toEqual(stated.map(({ id, name }) => `${id} ${name}`).sort());
});
