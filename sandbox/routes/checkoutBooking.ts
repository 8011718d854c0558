import pick from 'lodash/pick.js';
import { notFound } from '../http/serviceError.ts';
import { makePaymentEvent } from '../seed/bookings.ts';
import { changeBooking } from '../state/changes.ts';
import { BOOKING_STATUS, INVOICE_PAYMENT } from '../state/codes.ts';
import type { Booking } from '../state/records.ts';
import type { State } from '../state/state.ts';
import { ok, type Route } from './route.ts';

const EXTRA_FIELDS = [
	'start',
	'articleId',
	'bookedArticleId',
	'name',
	'quantity',
	'outPriceIncVat',
	'vat',
];

/** A booking as the checkout sees it: the contract's CheckoutBooking. */
function checkoutView({
	web,
	rootId,
	checkoutStatus,
	mustBeInvoiced,
	checkoutPlaceId,
	log,
}: Booking) {
	const isCanceled = web.status === BOOKING_STATUS.canceled;
	return {
		...pick(web, ['message', 'start', 'end', 'guests', 'guestsChildren']),
		bookingNumber: web.globalBookingNumber,
		messageInternal: log.at(-1) ?? null,
		contactFirstName: web.contact.fname,
		contactLastName: web.contact.lname,
		customerName: web.customer?.name ?? null,
		checkoutPlaceId,
		status: isCanceled ? BOOKING_STATUS.canceled : checkoutStatus,
		contactId: web.contact.id,
		customerId: web.customer?.id ?? 0,
		bookingRootId: rootId,
		id: rootId,
		articleId: web.articles[0]?.articleId ?? 0,
		tableArticles: web.articles.map((table) => ({
			...pick(table, ['start', 'end', 'articleId', 'tableName', 'bookedArticleId']),
			articleName: table['name'],
		})),
		nonTableArticles: web.nonTableArticles.map((article) => pick(article, EXTRA_FIELDS)),
		mustBeInvoiced: mustBeInvoiced && !isCanceled,
	};
}

interface GeneralMessage {
	message: string;
	messageData: Record<string, string>;
}

interface Validation {
	generalErrors?: GeneralMessage[];
	generalWarnings?: GeneralMessage[];
	propertyErrors?: Array<GeneralMessage & { propertyName: string }>;
}

/** The contract's CheckoutResult; results by property are kept under the name of the property. */
function checkoutResult(booking: Booking, validation: Validation = {}) {
	const lists = {
		generalErrors: [],
		generalWarnings: [],
		propertyErrors: [],
		propertyWarnings: [],
	};
	const byProperty = (validation.propertyErrors ?? []).map((error) => [
		error.propertyName,
		{ ...lists, propertyErrors: [error] },
	]);
	return ok({
		result: checkoutView(booking),
		validationResult: { ...lists, ...validation },
		validationResults: Object.fromEntries(byProperty) as Record<string, unknown>,
	});
}

function find(state: State, rootId: number): Booking {
	const booking = state.bookingByRoot(rootId);
	if (!booking) throw notFound(`Booking ${rootId}`);
	return booking;
}

function withNote(booking: Booking, note: string | null | undefined): string[] {
	return note ? [...booking.log, note] : booking.log;
}

const checkIn: Route = ({ state, service, path, query }) => {
	const booking = find(state, Number(path['bookingRootId']));
	const cashier = query['cashierName'] as string | undefined;
	const arrived = changeBooking(
		service,
		state,
		booking,
		{ status: BOOKING_STATUS.arrived },
		{
			checkoutStatus: BOOKING_STATUS.arrived,
			log: withNote(booking, cashier && `Checked in by ${cashier}`),
		},
	);
	return ok(checkoutView(arrived));
};

const checkOut: Route = ({ state, service, body }) => {
	const request = body as {
		bookingRootId?: number;
		cashierName?: string | null;
		tableArticleIds?: number[] | null;
	};
	const booking = find(state, request.bookingRootId ?? 0);
	const { web } = booking;
	const tables = new Set(
		web.articles.flatMap(({ articleId, bookedArticleId }) => [articleId, bookedArticleId]),
	);
	const unknown = (request.tableArticleIds ?? []).filter((id) => !tables.has(id));
	if (unknown.length > 0) {
		return checkoutResult(booking, {
			propertyErrors: unknown.map((id) => ({
				propertyName: 'tableArticleIds',
				message: `The booking has no table {id}`,
				messageData: { id: String(id) },
			})),
		});
	}
	if (booking.mustBeInvoiced) {
		return checkoutResult(booking, {
			generalErrors: [
				{
					message: 'Booking {bookingNumber} is already marked for invoicing',
					messageData: { bookingNumber: web.globalBookingNumber },
				},
			],
		});
	}
	const cashier = request.cashierName ?? null;
	const event = makePaymentEvent(state, booking, service.clock.stamp(), {
		type: INVOICE_PAYMENT,
		message: 'Invoice',
		createdBy: cashier,
	});
	const checkedOut = changeBooking(
		service,
		state,
		booking,
		{ status: BOOKING_STATUS.checkedOut, paymentEvents: [...web.paymentEvents, event] },
		{
			checkoutStatus: BOOKING_STATUS.checkedOut,
			mustBeInvoiced: true,
			log: withNote(booking, cashier && `Checked out by ${cashier}`),
		},
	);
	const notArrived = web.status !== BOOKING_STATUS.arrived;
	return checkoutResult(
		checkedOut,
		notArrived
			? { generalWarnings: [{ message: 'The guests were not checked in', messageData: {} }] }
			: {},
	);
};

const cancelToBeInvoiced: Route = ({ state, service, query }) => {
	const alias = String(query['alias']);
	const booking = state.bookingByAlias(alias);
	if (!booking) throw notFound(`A booking with the alias ${alias}`);
	if (booking.web.status === BOOKING_STATUS.canceled) {
		return checkoutResult(booking, {
			generalWarnings: [{ message: 'Booking {alias} was canceled before', messageData: { alias } }],
		});
	}
	return checkoutResult(
		changeBooking(service, state, booking, { status: BOOKING_STATUS.canceled }),
	);
};

export const checkoutBooking: Record<string, Route> = {
	'checkoutBooking.checkIn': checkIn,
	'checkoutBooking.checkOut': checkOut,
	'checkoutBooking.cancelToBeInvoiced': cancelToBeInvoiced,
};
