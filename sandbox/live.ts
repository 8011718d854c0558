import { addBookings, patchBooking, patchRecipient } from './control/records.ts';
import type { Sandbox } from './sandbox.ts';
import { DEPOSIT } from './seed/bookings.ts';
import { type Words, wordsOf } from './seed/words.ts';
import { isoStamp } from './state/clock.ts';
import { BOOKING_STATUS, RECIPIENT_STATUS } from './state/codes.ts';
import type { SurveyRecipient, WebBooking } from './state/records.ts';

const SCORES = [5, 4, 3, 2, 1];
const HALF_AN_HOUR = 30 * 60_000;
const HOUR = 60 * 60_000;
const SOON = 20 * HOUR;

/** What has happened. */
export interface Happened {
	/** E.g. "Booking B110230 is canceled: Anna Lind, 4 guests". */
	text: string;
	/** The record's key in a table of the demo. */
	id: string;
	/** What an email about it names. */
	name: string;
}

/** Lets one thing happen. */
type Happening = (sandbox: Sandbox) => Happened;

type HappenedWords = Words['happened'];

function wordsFor({ options }: Sandbox): HappenedWords {
	return wordsOf(options.language).happened;
}

function counted(guests: number, words: HappenedWords): string {
	return `${guests} ${guests === 1 ? words.guest : words.guests}`;
}

function described(sandbox: Sandbox, booking: WebBooking, what: string): Happened {
	const { globalBookingNumber, contact, guests } = booking;
	const words = wordsFor(sandbox);
	return {
		text: `${words.booking} ${globalBookingNumber} ${what}: ${contact.fname} ${contact.lname}, ${counted(guests, words)}`,
		id: globalBookingNumber,
		name: globalBookingNumber,
	};
}

function bookingArrives(sandbox: Sandbox, fields: Partial<WebBooking> = {}): Happened {
	const [booking] = addBookings(sandbox, 1, fields);
	if (!booking) throw new Error('No booking was made.');
	return described(sandbox, booking, wordsFor(sandbox).made);
}

/** A booking within a day, of which its guest is reminded. */
function bookingForSoon(sandbox: Sandbox): Happened {
	const start = sandbox.service.clock.now() + SOON;
	return bookingArrives(sandbox, { start: isoStamp(start), end: isoStamp(start + 2 * HOUR) });
}

/** Lets something happen to one of the latest future bookings, that people have just seen; if there is none, one is made. */
function toSomeBooking(change: (booking: WebBooking, sandbox: Sandbox) => Happened): Happening {
	return (sandbox) => {
		const { mainState, faker, service } = sandbox;
		const now = service.clock.now();
		const open = [...mainState.records.bookings.all()].filter(
			({ web }) =>
				Date.parse(web.start) > now &&
				(web.status === BOOKING_STATUS.reserved || web.status === BOOKING_STATUS.confirmed),
		);
		return open.length === 0
			? bookingArrives(sandbox)
			: change(faker.helpers.arrayElement(open.slice(-20)).web, sandbox);
	};
}

const bookingChanges = toSomeBooking((booking, sandbox) => {
	const others = Array.from({ length: 10 }, (_, index) => index + 1).filter(
		(one) => one !== booking.guests,
	);
	const guests = sandbox.faker.helpers.arrayElement(others);
	patchBooking(sandbox, booking.guid, { guests, status: BOOKING_STATUS.confirmed });
	const words = wordsFor(sandbox);
	const what = `${words.changedFrom} ${counted(booking.guests, words)}`;
	return described(sandbox, { ...booking, guests }, what);
});

const bookingIsCanceled = toSomeBooking((booking, sandbox) => {
	patchBooking(sandbox, booking.guid, { status: BOOKING_STATUS.canceled });
	return described(sandbox, booking, wordsFor(sandbox).canceled);
});

const bookingIsMoved = toSomeBooking((booking, sandbox) => {
	const later = (text: string) => isoStamp(Date.parse(text) + HALF_AN_HOUR);
	patchBooking(sandbox, booking.guid, { start: later(booking.start), end: later(booking.end) });
	return described(sandbox, booking, wordsFor(sandbox).moved);
});

/** An authorized amount is paid first, then refunded; without one, a deposit is paid. */
const bookingIsPaid = toSomeBooking((booking, sandbox) => {
	const { guid, chargePayedAmount: paid, chargeAuthorizedAmount: authorized } = booking;
	if (paid > booking.chargeRefundedAmount) {
		patchBooking(sandbox, guid, { chargeRefundedAmount: paid });
		return described(sandbox, booking, `${wordsFor(sandbox).refunded} ${paid}`);
	}
	const amount = paid + (authorized || DEPOSIT);
	patchBooking(sandbox, guid, { chargePayedAmount: amount });
	return described(sandbox, booking, `${wordsFor(sandbox).paid} ${amount}`);
});

/** Someone with an unanswered survey; if all are answered, one person gets it again. */
function waitingRecipient({ mainState, faker }: Sandbox): SurveyRecipient | undefined {
	const all = [...mainState.records.recipients.all()];
	const waiting = all.find(
		({ status }) => status === RECIPIENT_STATUS.sent || status === RECIPIENT_STATUS.opened,
	);
	const answered = all.filter(({ status }) => status === RECIPIENT_STATUS.responded);
	if (waiting || answered.length === 0) return waiting;
	const { respondedTime: _answered, ...again } = faker.helpers.arrayElement(answered);
	return mainState.records.recipients.put({
		...again,
		id: faker.string.uuid(),
		status: RECIPIENT_STATUS.sent,
	});
}

/** The API does not specify where answers are kept: here the score is one of the recipient's `replaceParams`. */
function surveyIsAnswered(sandbox: Sandbox): Happened {
	const recipient = waitingRecipient(sandbox);
	if (!recipient) return bookingArrives(sandbox);
	const score = sandbox.faker.helpers.arrayElement(SCORES);
	patchRecipient(sandbox, recipient.id, {
		status: RECIPIENT_STATUS.responded,
		replaceParams: { ...recipient.replaceParams, score: String(score) },
	});
	const { id, name } = recipient;
	const { answered, of } = wordsFor(sandbox);
	return { text: `${name} ${answered} ${score} ${of} 5`, id, name };
}

/** What a person can trigger with a button of the start page. */
export const HAPPENINGS = {
	bookingMade: (sandbox) => bookingArrives(sandbox),
	bookingSoon: bookingForSoon,
	bookingChanged: bookingChanges,
	bookingCanceled: bookingIsCanceled,
	bookingMoved: bookingIsMoved,
	bookingPaid: bookingIsPaid,
	surveyAnswered: surveyIsAnswered,
} satisfies Record<string, Happening>;

const EVENTS: Array<{ weight: number; value: Happening }> = [
	{ weight: 10, value: (sandbox) => bookingArrives(sandbox) },
	{ weight: 4, value: bookingChanges },
	{ weight: 2, value: bookingIsCanceled },
	{ weight: 2, value: bookingIsMoved },
	{ weight: 2, value: bookingIsPaid },
	{ weight: 2, value: surveyIsAnswered },
];

/** Triggers an event every `interval` milliseconds: usually, and always first, a new booking. */
export function startLive(sandbox: Sandbox, interval: number): { stop: () => void } {
	let first = true;
	const timer = setInterval(() => {
		const event = first ? bookingArrives : sandbox.faker.helpers.weightedArrayElement(EVENTS);
		first = false;
		event(sandbox);
	}, interval);
	return { stop: () => clearInterval(timer) };
}
