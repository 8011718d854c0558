import type { Faker } from '@faker-js/faker';
import isPlainObject from 'lodash/isPlainObject.js';
import { DateTime } from 'luxon';
import type { Clock } from '../state/clock.ts';
import { BOOKING_STATUS, DEPOSIT_PAYMENT, statusName } from '../state/codes.ts';
import type {
	BookedArticle,
	Booking,
	HistoryEntry,
	PayMethod,
	PaymentEvent,
	WebBooking,
} from '../state/records.ts';
import type { State } from '../state/state.ts';
import { blank, sample } from './byContract.ts';
import { embedCustomer } from './people.ts';
import { minutesFrom } from '../state/clock.ts';
import type { Words } from './words.ts';

/** Milliseconds. */
export const DAY = 86_400_000;

const UNITS = [
	{ id: 1, sections: [11, 12] },
	{ id: 2, sections: [21] },
	{ id: 3, sections: [31] },
];

const EXTRAS = [
	{ articleId: 501, group: 1, price: 495, vat: 12 },
	{ articleId: 502, group: 1, price: 445, vat: 12 },
	{ articleId: 503, group: 2, price: 125, vat: 25 },
	{ articleId: 504, group: 3, price: 350, vat: 12 },
] as const;

const STATUSES = [
	{ weight: 5, value: BOOKING_STATUS.confirmed },
	{ weight: 3, value: BOOKING_STATUS.reserved },
	{ weight: 1, value: BOOKING_STATUS.canceled },
];

/** What a booking without articles to pay for pays in advance. */
export const DEPOSIT = 200;

const round = (amount: number) => Math.round(amount * 100) / 100;

/** When a booking was made, and for when. */
export interface BookingTimes {
	/** Milliseconds since 1970. */
	created: number;
	/** Milliseconds since 1970. */
	start: number;
}

/** A table of a unit for the time of a booking; by default the first table of the first section. */
export function makeTable(
	state: State,
	{ unitId, start, end }: Pick<WebBooking, 'unitId' | 'start' | 'end'>,
	number = 1,
	sectionId = UNITS.find(({ id }) => id === unitId)?.sections[0] ?? 0,
): BookedArticle {
	const name = `${state.words.table} ${number}`;
	return {
		...blank('BookedArticle'),
		articleId: 1000 + number,
		bookedArticleId: state.nextId(),
		sectionId,
		articleGroupId: 100,
		articleGroupName: state.words.articleGroups[0],
		unitId,
		departmentId: String(unitId),
		name,
		tableName: name,
		tableNumber: String(number),
		articleGroupType: 1,
		start,
		end,
		tableChairs: 4,
		quantity: 1,
		outAmountExVat: 0,
		outAmountInclVat: 0,
		isTable: true,
		ruleId: unitId,
	};
}

function extra(
	faker: Faker,
	state: State,
	{ unitId, guests, start, end }: Pick<WebBooking, 'unitId' | 'guests' | 'start' | 'end'>,
): BookedArticle {
	const { articleId, group, price, vat } = faker.helpers.arrayElement(EXTRAS);
	const { articleGroups, extras } = state.words;
	return {
		...blank('BookedArticle'),
		articleId,
		bookedArticleId: state.nextId(),
		sectionId: 0,
		articleGroupId: 100 + group,
		articleGroupName: articleGroups[group],
		unitId,
		departmentId: String(unitId),
		name: extras[articleId - 501] ?? null,
		articleGroupType: 2,
		start,
		end,
		quantity: guests,
		outPriceIncVat: price,
		vat,
		outAmountExVat: round((guests * price) / (1 + vat / 100)),
		outAmountInclVat: guests * price,
		ruleId: null,
	};
}

function payMethod({ payMethods }: Words, id: number): PayMethod {
	return { id, name: payMethods[id - 1] ?? null, hidden: false, changeStatus: 0 };
}

function history(
	words: Words,
	status: number,
	created: string,
	changed: string | null,
): HistoryEntry[] {
	const { reserved } = BOOKING_STATUS;
	const first = { changeDate: created, status: reserved, statusName: statusName(words, reserved) };
	return status === reserved
		? [first]
		: [first, { changeDate: changed ?? created, status, statusName: statusName(words, status) }];
}

/**
 * A web booking of one of the contacts, sometimes of a customer too. Without `status`, a random one.
 * The booking is not stored yet.
 */
export function makeBooking(
	faker: Faker,
	state: State,
	people: People,
	times: BookingTimes,
	status: number = faker.helpers.weightedArrayElement(STATUSES),
): Booking {
	const rootId = state.nextId();
	const unit = faker.helpers.arrayElement(UNITS);
	const guests = faker.number.int({ min: 1, max: 8 });
	const start = minutesFrom(times.start, 0);
	const end = minutesFrom(times.start, 120);
	const created = minutesFrom(times.created, 0);
	const changed = status === BOOKING_STATUS.reserved ? created : minutesFrom(times.created, 7);
	const contact = faker.helpers.arrayElement(people.contacts);
	const customer = faker.datatype.boolean(0.25)
		? faker.helpers.arrayElement(people.customers)
		: undefined;
	const nonTableArticles = faker.datatype.boolean(0.5)
		? [extra(faker, state, { unitId: unit.id, guests, start, end })]
		: [];
	const amount = nonTableArticles.reduce((sum, article) => sum + article.outAmountInclVat, 0);
	const vat = round(
		nonTableArticles.reduce((sum, a) => sum + a.outAmountInclVat - a.outAmountExVat, 0),
	);
	const web: WebBooking = {
		...blank('WebBooking'),
		guid: faker.string.uuid(),
		globalBookingNumber: `B${100_000 + rootId}`,
		unitId: unit.id,
		start,
		end,
		status,
		history: history(state.words, status, created, changed),
		guests,
		guestsChildren: faker.number.int({ max: 2 }),
		message: faker.helpers.arrayElement(state.words.messages),
		createdDate: created,
		changeDate: changed,
		recoupTime: 15,
		articles: [
			makeTable(
				state,
				{ unitId: unit.id, start, end },
				faker.number.int({ min: 1, max: 40 }),
				faker.helpers.arrayElement(unit.sections),
			),
		],
		nonTableArticles,
		chargeType: amount > 0 ? 1 : 0,
		chargeId: amount > 0 ? `ch_${rootId}` : null,
		chargeShouldPayAmount: amount,
		chargeShouldPayVat: vat,
		chargeShouldPayAmountVat: vat,
		chargeAuthorizedAmount: amount,
		chargePayedAmount: 0,
		chargeRefundedAmount: 0,
		customerFriendlyId: customer ? customer.customerNumber : null,
		contact,
		...(customer ? { customer } : {}),
		payMethod: payMethod(state.words, faker.number.int({ min: 1, max: 3 })),
		longBookingNumber: `B${100_000 + rootId}-1`,
		language: state.language,
		cancelAllowedBeforeUtc: minutesFrom(times.start, -1440),
		paymentEvents: [],
	};
	return { web, rootId, checkoutStatus: 0, mustBeInvoiced: false, checkoutPlaceId: null, log: [] };
}

/** A payment of a booking. It names the booking's root, by which the checkout knows it. The booking is not changed. */
export function makePaymentEvent(
	state: State,
	{ rootId, web }: Booking,
	time: string,
	fields: Pick<PaymentEvent, 'type'> & Record<string, unknown>,
): PaymentEvent {
	return {
		...blank('PaymentEvent'),
		id: state.nextId(),
		bookingRootId: rootId,
		bookingVersionId: 1,
		payMethodId: 2,
		requestedAmount: web.chargeShouldPayAmount,
		createdDate: time,
		changedDate: time,
		...fields,
	};
}

/** Who can make a booking; the embedded forms are shared by all bookings of one person. */
export interface People {
	contacts: WebBooking['contact'][];
	customers: Array<ReturnType<typeof embedCustomer>>;
}

/** The people of a system, in the forms that bookings embed. */
export function peopleOf(state: State): People {
	return {
		contacts: [...state.records.contacts.all()],
		customers: [...state.records.customers.all()].map(embedCustomer),
	};
}

/** A full or half hour between 11:00 and 21:00 of the zone's day that an instant is in; milliseconds since 1970. */
export function openingTime(faker: Faker, zone: string, instant: number): number {
	const halfHours = faker.number.int({ min: 22, max: 42 });
	const time = { hour: Math.floor(halfHours / 2), minute: (halfHours % 2) * 30 };
	return DateTime.fromMillis(instant, { zone }).startOf('day').set(time).toMillis();
}

/**
 * Seeds web bookings around now: three in five within a week on either side, the others up to 90 days away; each
 * made some time before it starts and before now. Of today's, every second has paid a deposit. Every tenth was created to be
 * invoiced and has an order alias `order-1001`, `order-1002` …
 */
export function seedBookings(faker: Faker, state: State, clock: Clock, count: number): void {
	const now = clock.now();
	const people = peopleOf(state);
	let today = 0;
	for (let i = 0; i < count; i++) {
		const reach = faker.datatype.boolean(0.6) ? 7 : 90;
		const day = i % 5 === 0 ? 0 : faker.number.int({ min: -reach, max: reach });
		const start = openingTime(faker, clock.settings.timeZone, now + day * DAY);
		const created = Math.min(start, now) - faker.number.int({ min: 1, max: 30 * 24 }) * 3_600_000;
		const booking = makeBooking(faker, state, people, { created, start });
		if (day === 0) {
			if (today % 2 === 0) payDeposit(state, booking);
			today += 1;
		}
		if (i === 0) addRareFields(booking, state, people);
		state.putBooking(
			i % 10 === 9 ? { ...booking, alias: `order-${1001 + (i - 9) / 10}` } : booking,
		);
	}
}

/** The API shows a booking's root ID in its payments alone, so only a booking that has one can be found at the checkout. */
function payDeposit(state: State, booking: Booking): void {
	const { web } = booking;
	const amount = web.chargeShouldPayAmount || DEPOSIT;
	web.chargePayedAmount = amount;
	const event = makePaymentEvent(state, booking, web.createdDate ?? web.start, {
		type: DEPOSIT_PAYMENT,
		message: 'Deposit',
		requestedAmount: amount,
		payedAmount: amount,
	});
	web.paymentEvents = [event];
}

/** Fills, in one booking, the fields that most bookings leave empty, with whatever the contract allows. */
function addRareFields(booking: Booking, { words }: State, people: People): void {
	const { web } = booking;
	const example = sample<WebBooking>('WebBooking');
	const [message = null] = words.messages.filter(Boolean);
	booking.checkoutPlaceId = 'till-1';
	Object.assign(web, filled({ ...web, customer: people.customers[0] }, { ...example, message }));
}

/** A value with a sample in place of each part that is empty. */
function filled(value: unknown, example: unknown): unknown {
	if (Array.isArray(value) && Array.isArray(example) && value.length > 0) {
		return value.map((one) => filled(one, example[0]));
	}
	if (!isPlainObject(value)) return isEmpty(value) ? example : value;
	const merged = Object.entries({ ...(example as object), ...(value as object) });
	return Object.fromEntries(
		merged.map(([name, part]) => [
			name,
			filled(part, (example as Record<string, unknown>)[name] ?? part),
		]),
	);
}

const isEmpty = (value: unknown) =>
	value === null ||
	value === undefined ||
	value === '' ||
	(Array.isArray(value) && value.length === 0);
