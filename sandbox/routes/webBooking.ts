import mapKeys from 'lodash/mapKeys.js';
import pick from 'lodash/pick.js';
import { invalid, notFound } from '../http/serviceError.ts';
import { makeTable } from '../seed/bookings.ts';
import { changeBooking } from '../state/changes.ts';
import { sameCase } from '../state/collection.ts';
import { BOOKING_STATUS } from '../state/codes.ts';
import { isoStamp } from '../state/clock.ts';
import type {
	BookedArticle,
	Booking,
	ChargeAmounts,
	Contact,
	WebBooking,
	WebBookingCustomer,
} from '../state/records.ts';
import { CHARGE_AMOUNTS } from '../state/records.ts';
import type { State } from '../state/state.ts';
import { ok, type Call, type Route } from './route.ts';

interface ListQuery extends Record<keyof typeof RELATED, boolean> {
	startTime?: string;
	endTime?: string;
	changedFrom?: string;
	unitIds?: number[];
	articleCategoryIds?: number[];
}

/** The flags of the list, with the field that each includes. */
const RELATED = {
	includeContact: 'contact',
	includeInternalContact: 'internalContactName',
	includeTableArticles: 'articles',
	includeNonTableArticles: 'nonTableArticles',
	includePayMethod: 'payMethod',
	includeCustomer: 'customer',
	includeMarkings: 'markings',
} as const;

const flags = Object.keys(RELATED) as Array<keyof typeof RELATED>;

function* listed(state: State, query: ListQuery): Generator<Partial<WebBooking>> {
	const changedFrom = query.changedFrom === undefined ? undefined : Date.parse(query.changedFrom);
	const from = query.startTime === undefined ? undefined : Date.parse(query.startTime);
	const to = query.endTime === undefined ? undefined : Date.parse(query.endTime);
	const hidden = flags.filter((flag) => !query[flag]).map((flag) => [RELATED[flag], undefined]);
	const leftOut = Object.fromEntries(hidden) as Partial<WebBooking>;
	const units = query.unitIds && new Set(query.unitIds);
	const categories = query.articleCategoryIds && new Set(query.articleCategoryIds);
	const hasCategory = ({ articleGroupId }: BookedArticle) => categories?.has(articleGroupId);
	for (const { record, index } of state.records.bookings.visible()) {
		if (changedFrom !== undefined && index.changed <= changedFrom) continue;
		if (from !== undefined && to !== undefined && (index.end <= from || index.start >= to)) {
			continue;
		}
		const { web } = record;
		if (units && !units.has(web.unitId)) continue;
		if (
			categories &&
			!(query.includeTableArticles && web.articles.some(hasCategory)) &&
			!(query.includeNonTableArticles && web.nonTableArticles.some(hasCategory))
		) {
			continue;
		}
		yield { ...web, ...leftOut };
	}
}

const getAll: Route = ({ state, query }) => {
	const list = query as unknown as ListQuery;
	const window = list.startTime !== undefined && list.endTime !== undefined;
	if (!window && list.changedFrom === undefined) {
		throw invalid('changedFrom', 'Required', 'is required, or both startTime and endTime');
	}
	if (list.articleCategoryIds && !list.includeTableArticles && !list.includeNonTableArticles) {
		throw invalid('articleCategoryIds', 'RequiresArticles', 'requires articles to be included');
	}
	return ok([...listed(state, list)]);
};

interface Update {
	timeSetDate: string;
	times: Array<{ ruleId?: number; start?: string }>;
	guests: number;
	guestsChildren?: number;
	contact?: Partial<Contact>;
	customer?: Partial<WebBookingCustomer>;
	bookingStatus?: number;
	message?: string | null;
	logMessage?: string | null;
	lang?: string | null;
	payMethod?: string | null;
	invoiceMarking?: string | null;
	eventTag?: string | null;
	isWaitList?: boolean;
	isInquiry?: boolean;
	isPending?: boolean;
	disableAllConfirmationMessages?: boolean;
	disableEmailConfirmationMessage?: boolean;
	disableSmsConfirmationMessage?: boolean;
	markings?: string[] | null;
	bookingGuid?: string;
	replaceTimes?: boolean;
	removeTimes?: Array<{ sectionId?: number; startTime?: string }> | null;
}

const STATUSES = new Set([
	...Array.from({ length: 11 }, (_, i) => i),
	...Array.from({ length: 17 }, (_, i) => 100 + i),
	9999,
	-1,
]);

function find(state: State, guid: string): Booking {
	const booking = state.records.bookings.get(guid);
	if (!booking) throw notFound(`Web booking ${guid}`);
	return booking;
}

/** The tables after an update: some are released, then the new times are added or replace all. */
function bookedTables(state: State, web: WebBooking, update: Update): BookedArticle[] {
	const removed = update.removeTimes ?? [];
	const kept = web.articles.filter(
		(table) =>
			!removed.some(
				({ sectionId, startTime }) =>
					(sectionId === undefined || sectionId === table.sectionId) &&
					(startTime === undefined || Date.parse(startTime) === Date.parse(table.start)),
			),
	);
	const pattern = web.articles[0] ?? makeTable(state, web);
	const length = Date.parse(pattern.end) - Date.parse(pattern.start);
	const added = update.times.flatMap(({ ruleId, start }): BookedArticle[] => {
		const begin = start ?? web.start;
		return [
			{
				...pattern,
				bookedArticleId: state.nextId(),
				ruleId: ruleId ?? null,
				start: begin,
				end: isoStamp(Date.parse(begin) + length),
			},
		];
	});
	return update.replaceTimes && added.length > 0 ? added : [...kept, ...added];
}

function latest(dates: string[]): string {
	return dates.reduce((a, b) => (Date.parse(a) >= Date.parse(b) ? a : b));
}

function earliest(dates: string[]): string {
	return dates.reduce((a, b) => (Date.parse(a) <= Date.parse(b) ? a : b));
}

function confirm(
	{ state, service }: Call,
	web: WebBooking,
	about: 'updated' | 'canceled',
	settings: CancelSettings,
): void {
	if (settings.disableAllConfirmationMessages) return;
	const time = service.clock.stamp();
	const tell = (channel: 'email' | 'sms') =>
		state.records.confirmations.put({
			id: state.nextId(),
			bookingGuid: web.guid,
			about,
			time,
			channel,
		});
	if (!settings.disableEmailConfirmationMessage) tell('email');
	if (!settings.disableSmsConfirmationMessage) tell('sms');
}

function requestedStatus(update: Update): number | undefined {
	if (update.bookingStatus !== undefined) {
		if (!STATUSES.has(update.bookingStatus)) {
			throw invalid('bookingStatus', 'Enum', `must be one of ${[...STATUSES].join(', ')}`);
		}
		return update.bookingStatus;
	}
	if (update.isInquiry) return BOOKING_STATUS.inquiry;
	if (update.isWaitList) return BOOKING_STATUS.waitList;
	if (update.isPending) return BOOKING_STATUS.pending;
	return undefined;
}

/** Fields of an update that a booking keeps as they are, with their names in the booking. */
const KEPT = {
	guestsChildren: 'guestsChildren',
	message: 'message',
	lang: 'language',
	eventTag: 'eventTag',
	disableAllConfirmationMessages: 'disableAllConfirmationMessages',
} as const;

const update: Route = (call) => {
	const { state, service } = call;
	const body = call.body as Update;
	if (!body.bookingGuid) {
		throw invalid('bookingGuid', 'Required', 'is required: it names the booking');
	}
	const booking = find(state, body.bookingGuid);
	const { web } = booking;
	const status = requestedStatus(body);
	const articles = bookedTables(state, web, body);
	const times = articles.length > 0 && (body.times.length > 0 || body.removeTimes?.length);
	const fields: Partial<WebBooking> = { guests: body.guests, articles };
	if (times) {
		fields.start = earliest(articles.map(({ start }) => start));
		fields.end = latest(articles.map(({ end }) => end));
	}
	Object.assign(
		fields,
		mapKeys(pick(body, Object.keys(KEPT)), (_, name) => KEPT[name as keyof typeof KEPT]),
	);
	if (body.contact) fields.contact = { ...web.contact, ...body.contact };
	if (body.customer) fields.customer = { ...web.customer, ...body.customer } as WebBookingCustomer;
	if (status !== undefined) fields.status = status;
	if (body.payMethod !== undefined) fields.payMethod = { ...web.payMethod, name: body.payMethod };
	if (body.markings !== undefined) {
		fields['markings'] =
			body.markings?.map((text) => ({ text, prefix: null, hidden: false })) ?? null;
	}
	const log = [...booking.log, `updated, times set ${body.timeSetDate}`];
	if (body.logMessage) log.push(body.logMessage);
	if (body.invoiceMarking) log.push(`invoice marking ${body.invoiceMarking}`);
	const changed = changeBooking(service, state, booking, fields, { log });
	confirm(call, changed.web, 'updated', body);
	return ok(changed.web);
};

type Payment = Partial<ChargeAmounts> & {
	guid?: string | null;
	chargeId?: string | null;
	payMethod?: string | null;
};

const updatePayment: Route = ({ state, service, path, body }) => {
	const { guid, payMethod, chargeId, ...amounts } = body as Payment;
	const booking = find(state, String(path['id']));
	if (guid && sameCase(guid) !== booking.web.guid) {
		throw invalid('guid', 'Mismatch', 'must be the booking of the address');
	}
	const { web } = booking;
	const fields: Partial<WebBooking> = { ...pick(web, CHARGE_AMOUNTS), ...amounts };
	if (chargeId !== undefined) fields['chargeId'] = chargeId;
	if (payMethod !== undefined) fields.payMethod = { ...web.payMethod, name: payMethod };
	const changed = changeBooking(service, state, booking, fields).web;
	return ok({
		...pick(changed, ['guid', 'chargeId', ...CHARGE_AMOUNTS]),
		payMethod: changed.payMethod.name,
	});
};

interface CancelSettings {
	logMessage?: string | null;
	disableAllConfirmationMessages?: boolean;
	disableEmailConfirmationMessage?: boolean;
	disableSmsConfirmationMessage?: boolean;
}

const cancel: Route = (call) => {
	const { state, service, path } = call;
	const settings = call.body as CancelSettings;
	const booking = find(state, String(path['id']));
	if (booking.web.status === BOOKING_STATUS.canceled) return ok(booking.web);
	const log = settings.logMessage ? [...booking.log, settings.logMessage] : booking.log;
	const fields: Partial<WebBooking> = { status: BOOKING_STATUS.canceled };
	if (settings.disableAllConfirmationMessages !== undefined) {
		fields.disableAllConfirmationMessages = settings.disableAllConfirmationMessages;
	}
	const canceled = changeBooking(service, state, booking, fields, { log });
	confirm(call, canceled.web, 'canceled', settings);
	return ok(canceled.web);
};

export const webBooking: Record<string, Route> = {
	'webBooking.getAll': getAll,
	'webBooking.update': update,
	'webBooking.updatePayment': updatePayment,
	'webBooking.cancel': cancel,
};
