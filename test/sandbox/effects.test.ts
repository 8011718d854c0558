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
