import type { ContractClient } from './support/client';
import { bodySchema, fieldsOf, operation } from './support/contract';
import { useSandbox } from './support/useSandbox';

type Json = Record<string, unknown>;

const here = useSandbox();

async function accepted(id: string, own: Parameters<ContractClient['call']>[1] = {}): Promise<Json> {
	const { status, body, text } = await here.client.call(id, { ...here.requests[id]?.(), ...own });
	if (status >= 300) throw new Error(`${id}: ${status} ${text}`);
	return body as Json;
}

/** The booking as the here.sandbox holds it, with what no answer shows. */
async function stored(): Promise<{ web: Json; log: string[] }> {
	const bookings = await here.sandbox.control<Array<{ web: Json; log: string[] }>>('GET', '/state/bookings');
	const booking = bookings.find(({ web }) => web['guid'] === here.ids.guid);
	if (!booking) throw new Error('The booking is gone');
	return booking;
}

const REQUIRED = { timeSetDate: '2031-05-01T10:00:00Z', times: [], guests: 3 };

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
	isWaitList: {
		given: { isWaitList: true },
		shown: { history: expect.arrayContaining([expect.objectContaining({ statusName: 'Wait list' })]) },
	},
	isInquiry: {
		given: { isInquiry: true },
		shown: { history: expect.arrayContaining([expect.objectContaining({ statusName: 'Inquiry' })]) },
	},
	isPending: {
		given: { isPending: true },
		shown: { history: expect.arrayContaining([expect.objectContaining({ statusName: 'Pending' })]) },
	},
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
	const before = await stored();
	const body = { ...REQUIRED, bookingGuid: here.ids.guid, ...effect.given };
	const answer = await accepted('webBooking.update', { body });
	const after = await stored();
	expect(answer).toEqual(after.web);
	expect(after.web).toMatchObject(effect.shown ?? {});
	if (effect.logged) expect(after.log.join('\n')).toContain(effect.logged);
	const sent = await here.sandbox.control<Array<{ channel: string }>>('GET', '/state/confirmations');
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
	const { articles } = (await stored()).web as { articles: Array<{ sectionId: number; start: string }> };
	const [{ sectionId, start: startTime } = { sectionId: 0, start: '' }] = articles;
	const remove = async (removeTimes: Json[]) =>
		(await accepted('webBooking.update', { body: { ...REQUIRED, bookingGuid: here.ids.guid, removeTimes } }))[
			'articles'
		];
	expect(await remove([{ sectionId: sectionId + 1, startTime }])).toEqual(articles);
	expect(await remove([{ sectionId, startTime: start }])).toEqual(articles);
	expect(await remove([{ sectionId, startTime }])).toEqual([]);
});

test('a web booking update refuses a status that no booking can have', async () => {
	const body = { ...REQUIRED, bookingGuid: here.ids.guid, bookingStatus: 11 };
	expect((await here.client.call('webBooking.update', { body })).status).toBe(400);
});

const paymentFields = fieldsOf(bodySchema(operation('webBooking.updatePayment')) ?? {}).map(({ path }) =>
	String(path[0]),
);

test('a payment update shows every field it was given, in the answer and in the booking', async () => {
	const body = here.requests['webBooking.updatePayment']?.().body as Json;
	expect(Object.keys(body).sort()).toEqual([...paymentFields].sort());
	expect(await accepted('webBooking.updatePayment', { body })).toEqual(body);
	const { payMethod, guid, ...amounts } = body;
	expect((await stored()).web).toMatchObject({ ...amounts, guid, payMethod: { name: payMethod } });
	expect(
		(
			await here.client.call('webBooking.updatePayment', {
				path: { id: here.ids.guid },
				body: { guid: 'other' },
			})
		).status,
	).toBe(400);
});

test('canceling notes the log message once and stamps the change', async () => {
	await accepted('webBooking.cancel', { body: { logMessage: 'No show' } });
	const first = await stored();
	expect(first.log).toEqual(['No show']);
	await accepted('webBooking.cancel', { body: { logMessage: 'Again' } });
	expect(await stored()).toEqual(first);
});

test('checking in and out notes who did it and moves the web booking', async () => {
	const booking = await accepted('checkoutBooking.checkIn', { query: { cashierName: 'Robin' } });
	expect(booking).toMatchObject({ messageInternal: 'Checked in by Robin', mustBeInvoiced: false });
	expect((await stored()).web['history']).toEqual(
		expect.arrayContaining([expect.objectContaining({ statusName: 'Arrived' })]),
	);
	const { result, validationResult } = (await accepted('checkoutBooking.checkOut', {
		body: { bookingRootId: here.ids.rootId, cashierName: 'Kim', tableArticleIds: [here.ids.tableId] },
	})) as { result: Json; validationResult: Json };
	expect(result).toMatchObject({ messageInternal: 'Checked out by Kim', mustBeInvoiced: true });
	expect(validationResult).toMatchObject({ generalErrors: [], generalWarnings: [], propertyErrors: [] });
});

/** Fields that the service stamps itself, whatever a request says. */
const stampedBySandbox: Record<string, string[]> = { 'articleGroup.update': ['changeDate'] };

test.each(['contactFilter.update', 'campaign.update', 'articleGroup.update', 'department.update'])(
	'%s answers with every field as it was given, keeps it, and changes only provided fields',
	async (id) => {
		const given = here.requests[id]?.().body as Json;
		const stamped = stampedBySandbox[id] ?? [];
		const answer = await accepted(id);
		expect(answer).toEqual({ ...given, ...Object.fromEntries(stamped.map((name) => [name, answer[name]])) });
		const again = await accepted(id, { body: { name: 'Only the name' } });
		expect(again).toEqual({
			...answer,
			name: 'Only the name',
			...Object.fromEntries(stamped.map((name) => [name, again[name]])),
		});
		const identity = id === 'campaign.update' ? 'campaignId' : 'id';
		const other = identity === 'id' ? 424_242 : 'other';
		const { path } = here.requests[id]?.() ?? {};
		expect((await here.client.call(id, { path, body: { [identity]: other } })).status).toBe(400);
	},
);

test('a survey holds every field of its new content', async () => {
	const body = here.requests['survey.updateContent']?.().body;
	expect((await accepted('survey.updateContent'))['content']).toEqual(body);
});

test('an article batch shows every field it was given', async () => {
	const { body } = here.requests['article.batchUpdate']?.() as {
		body: { items: Array<{ attributes: Json }> };
	};
	const [full] = body.items;
	if (!full) throw new Error('No item');
	const set = Object.fromEntries(
		Object.entries(full.attributes).filter(([name]) => !name.startsWith('reset')),
	);
	const { colorHexValue, ...attributes } = set;
	const item = { ...full, attributes: set };
	const { items } = (await accepted('article.batchUpdate', { body: { items: [item] } })) as { items: Json[] };
	expect(items[0]).toMatchObject({
		...full,
		attributes: { ...attributes, color: { name: colorHexValue, hexValue: colorHexValue } },
	});
});

test('a contact customer connection is kept whole, and made once', async () => {
	const given = here.requests['contact.connectToCustomer']?.().body as Json;
	await accepted('contact.connectToCustomer');
	const [connection] = await here.sandbox.control<Json[]>('GET', '/state/connections');
	expect(connection).toEqual({ ...given, id: connection?.['id'] });
	expect((await here.client.call('contact.connectToCustomer', { body: given })).status).toBe(409);
});

test('a guest message is kept whole, with the passcode of the query', async () => {
	await accepted('contact.sendGuestMessage');
	const [message] = await here.sandbox.control<Json[]>('GET', '/state/guestMessages');
	expect(message).toMatchObject({
		passcode: 'open',
		body: here.requests['contact.sendGuestMessage']?.().body,
	});
});

test('a canceled subscription is read as canceled', async () => {
	const body = { Id: 'plan-plus' };
	expect(await accepted('subscription.cancel', { body })).toMatchObject({
		PlanId: 'plan-plus',
		Status: 'Canceled',
	});
	expect(await accepted('subscription.get', { body })).toMatchObject({ Status: 'Canceled' });
});

test('the second system has data of its own', async () => {
	const headers = { system: here.sandbox.info.secondSystem };
	const { body } = await here.client.call('customer.getAll', { headers });
	expect(body).toHaveLength(3);
	const path = { id: here.ids.guid };
	expect((await here.client.call('webBooking.cancel', { path, body: {}, headers })).status).toBe(404);
});
