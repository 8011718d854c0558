import omitBy from 'lodash/omitBy';
import pick from 'lodash/pick';
import type { CallInput } from './support/client';
import { bodySchema, fieldsOf, operation, operations } from './support/contract';
import { became, type Json, useSandbox } from './support/useSandbox';

const here = useSandbox();
const { accepted } = here;

/** The smallest update of a web booking, with these fields. */
const withRequired = (given: Json) => ({
	body: {
		timeSetDate: '2031-05-01T10:00:00Z',
		times: [],
		guests: 3,
		bookingGuid: here.ids.guid,
		...given,
	},
});
const update = (given: Json) => accepted('webBooking.update', withRequired(given));

const start = '2031-05-02T17:00:00.000Z';

interface Effect {
	given: Json;
	/** Fields of the answered booking. */
	shown?: Json;
	/** Part of the log of the booking. */
	logged?: string;
	/** Confirmations sent. */
	confirmed?: string[];
}

/** What each field of a web booking update does. */
const updates: Record<string, Effect> = {
	timeSetDate: { given: {}, logged: '2031-05-01T10:00:00.000Z' },
	times: { given: { times: [{ ruleId: 77, start }] }, shown: { end: '2031-05-02T19:00:00.000Z' } },
	guests: { given: { guests: 9 }, shown: { guests: 9 } },
	guestsChildren: { given: { guestsChildren: 4 }, shown: { guestsChildren: 4 } },
	contact: {
		given: { contact: { fname: 'Kim' } },
		shown: { contact: expect.objectContaining({ fname: 'Kim', id: expect.any(Number) }) },
	},
	customer: {
		given: { customer: { name: 'Acme' } },
		shown: { customer: expect.objectContaining({ name: 'Acme', id: 1 }) },
	},
	bookingStatus: { given: { bookingStatus: 100 }, shown: { status: 100 } },
	message: { given: { message: 'Late' }, shown: { message: 'Late' } },
	logMessage: { given: { logMessage: 'Called in' }, logged: 'Called in' },
	lang: { given: { lang: 'sv' }, shown: { language: 'sv' } },
	payMethod: {
		given: { payMethod: 'Cash' },
		shown: { payMethod: expect.objectContaining({ name: 'Cash' }) },
	},
	invoiceMarking: { given: { invoiceMarking: 'PO 7' }, logged: 'PO 7' },
	eventTag: { given: { eventTag: 'gala' }, shown: { eventTag: 'gala' } },
	isWaitList: { given: { isWaitList: true }, shown: became('Wait list') },
	isInquiry: { given: { isInquiry: true }, shown: became('Inquiry') },
	isPending: { given: { isPending: true }, shown: became('Pending') },
	disableAllConfirmationMessages: {
		given: { disableAllConfirmationMessages: true },
		shown: { disableAllConfirmationMessages: true },
		confirmed: [],
	},
	disableEmailConfirmationMessage: { given: { disableEmailConfirmationMessage: true }, confirmed: ['sms'] },
	disableSmsConfirmationMessage: { given: { disableSmsConfirmationMessage: true }, confirmed: ['email'] },
	markings: {
		given: { markings: ['VIP'] },
		shown: { markings: [{ text: 'VIP', prefix: null, hidden: false }] },
	},
	bookingGuid: { given: {}, shown: { guests: 3 } },
	replaceTimes: {
		given: { replaceTimes: true, times: [{ ruleId: 77, start }] },
		shown: { start, articles: [expect.objectContaining({ ruleId: 77, start })] },
	},
	removeTimes: { given: { removeTimes: [{}] }, shown: { articles: [] } },
};

const updateFields = fieldsOf(bodySchema(operation('webBooking.update')) ?? {})
	.filter(({ path }) => path.length === 1)
	.map(({ path }) => String(path[0]));

test.each(updateFields)('a web booking update applies %s and leaves the rest alone', async (field) => {
	const effect = updates[field];
	if (!effect) throw new Error('This field has no test');
	const before = await here.booking();
	const answer = await update(effect.given);
	const after = await here.booking();
	expect(answer).toEqual(after.web);
	expect(after.web).toMatchObject(effect.shown ?? {});
	if (effect.logged) expect(after.log.join('\n')).toContain(effect.logged);
	const sent = await here.control<Array<{ channel: string }>>('GET', '/state/confirmations');
	expect(sent.map(({ channel }) => channel)).toEqual(effect.confirmed ?? ['email', 'sms']);

	const mayChange = ['changeDate', 'guests', 'history', 'status', 'start', 'end', 'articles'];
	const changed = Object.keys(after.web).filter(
		(name) => JSON.stringify(after.web[name]) !== JSON.stringify(before.web[name]),
	);
	expect(changed.filter((name) => !mayChange.includes(name) && !(name in (effect.shown ?? {})))).toEqual([]);
	expect(Date.parse(String(after.web['changeDate']))).toBeGreaterThan(
		Date.parse(String(before.web['changeDate'])),
	);
});

test('a web booking update gives back the tables of the section and time it names, and only those', async () => {
	const { articles } = (await here.booking()).web as {
		articles: Array<{ sectionId: number; start: string }>;
	};
	const [{ sectionId, start: startTime } = { sectionId: 0, start: '' }] = articles;
	const remove = async (removeTimes: Json[]) => (await update({ removeTimes }))['articles'];
	expect(await remove([{ sectionId: sectionId + 1, startTime }])).toEqual(articles);
	expect(await remove([{ sectionId, startTime: start }])).toEqual(articles);
	expect(await remove([{ sectionId, startTime }])).toEqual([]);
});

test('a web booking update refuses a status that no booking can have', async () => {
	expect(await here.status('webBooking.update', withRequired({ bookingStatus: 11 }))).toBe(400);
});

test('canceling notes the log message once and stamps the change', async () => {
	await accepted('webBooking.cancel', { body: { logMessage: 'No show' } });
	const first = await here.booking();
	expect(first.log).toEqual(['No show']);
	await accepted('webBooking.cancel', { body: { logMessage: 'Again' } });
	expect(await here.booking()).toEqual(first);
});

test('checking in and out notes who did it and moves the web booking', async () => {
	const booking = await accepted('checkoutBooking.checkIn', { query: { cashierName: 'Robin' } });
	expect(booking).toMatchObject({ messageInternal: 'Checked in by Robin', mustBeInvoiced: false });
	expect((await here.booking()).web).toMatchObject(became('Arrived'));
	const { bookingRootId, tableArticleIds } = here.request('checkoutBooking.checkOut').body as Json;
	const body = { bookingRootId, cashierName: 'Kim', tableArticleIds };
	expect(await accepted('checkoutBooking.checkOut', { body })).toMatchObject({
		result: { messageInternal: 'Checked out by Kim', mustBeInvoiced: true },
		validationResult: { generalErrors: [], generalWarnings: [], propertyErrors: [] },
	});
});

test.each(['contactFilter.update', 'campaign.update', 'articleGroup.update', 'department.update'])(
	'%s answers with every field as it was given, keeps it, and changes only provided fields',
	async (id) => {
		/** Stamped by the service itself, whatever a request says. */
		const stamped = (answer: Json) => (id === 'articleGroup.update' ? pick(answer, 'changeDate') : {});
		const answer = await accepted(id);
		expect(answer).toEqual({ ...(here.request(id).body as Json), ...stamped(answer) });
		const again = await accepted(id, { body: { name: 'Only the name' } });
		expect(again).toEqual({ ...answer, name: 'Only the name', ...stamped(again) });
	},
);

test.each([
	['webBooking.updatePayment', { guid: 'other' }],
	['contactFilter.update', { id: 424_242 }],
	['campaign.update', { campaignId: 'other' }],
	['articleGroup.update', { id: 424_242 }],
	['department.update', { id: 424_242 }],
])('%s refuses a body about another record than its address', async (id, body) => {
	expect(await here.status(id, { body })).toBe(400);
});

test('an article batch shows every field it was given', async () => {
	const { items: full } = here.request('article.batchUpdate').body as { items: [{ attributes: Json }] };
	const set = omitBy(full[0].attributes, (_, name) => name.startsWith('reset'));
	const { colorHexValue, ...attributes } = set;
	const body = { items: [{ ...full[0], attributes: set }] };
	const { items } = await accepted<{ items: Json[] }>('article.batchUpdate', { body });
	expect(items[0]).toMatchObject({
		...full[0],
		attributes: { ...attributes, color: { name: colorHexValue, hexValue: colorHexValue } },
	});
});

test('a contact customer connection is kept whole, and made once', async () => {
	await accepted('contact.connectToCustomer');
	const [connection] = await here.control<Json[]>('GET', '/state/connections');
	const given = here.request('contact.connectToCustomer').body as Json;
	expect(connection).toEqual({ ...given, id: connection?.['id'] });
	expect(await here.status('contact.connectToCustomer')).toBe(409);
});

test('a guest message is kept whole, with the passcode of the query', async () => {
	await accepted('contact.sendGuestMessage');
	const [message] = await here.control<Json[]>('GET', '/state/guestMessages');
	const { query, body } = here.request('contact.sendGuestMessage');
	expect(message).toMatchObject({ ...query, body });
});

test('a canceled subscription is read as canceled', async () => {
	const body = { Id: 'plan-plus' };
	const canceled = await accepted('subscription.cancel', { body });
	expect(canceled).toMatchObject({ PlanId: 'plan-plus', Status: 'Canceled' });
	expect(await accepted('subscription.get', { body })).toMatchObject({ Status: 'Canceled' });
});

test('the second system has data of its own', async () => {
	const headers = { system: here.sandbox.info.secondSystem };
	expect(await accepted('customer.getAll', { headers })).toHaveLength(3);
	expect(await here.status('webBooking.cancel', { headers })).toBe(404);
});

test('a web booking without a table gets one at the new time', async () => {
	expect(await update({ removeTimes: [{}] })).toMatchObject({ articles: [] });
	expect(await update({ times: [{ ruleId: 77, start }] })).toMatchObject({
		start,
		articles: [{ ruleId: 77, start, articleId: expect.any(Number) }],
	});
});

test('a booking to be invoiced that was canceled as a web booking is canceled at the checkout too', async () => {
	const bookings = await here.control<Array<{ alias?: string; web: { guid: string } }>>(
		'GET',
		'/state/bookings',
	);
	const guid = bookings.find(({ alias }) => alias === here.ids.alias)?.web.guid;
	const { status } = await accepted('webBooking.cancel', { path: { id: guid } });
	expect(await accepted('checkoutBooking.cancelToBeInvoiced')).toMatchObject({
		result: { status, mustBeInvoiced: false },
	});
});

const GUID = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
const WITH_GUIDS = operations.map(({ id }) => id).filter((id) => /^(webBooking|survey|article\.)/.test(id));

test.each(WITH_GUIDS)('%s finds a record by its GUID in capitals', async (id) => {
	const request = JSON.stringify(here.request(id));
	const capitals = JSON.parse(request.replace(GUID, (guid) => guid.toUpperCase())) as CallInput;
	const found = await here.call(id, capitals);
	const ids = (text: string) => text.match(GUID);
	expect(found.status).toBe(200);
	expect(ids(found.text)).toEqual(ids((await here.call(id)).text));
});
