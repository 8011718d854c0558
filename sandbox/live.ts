import { addBookings, addCustomer, patchBooking, patchCustomer, patchRecipient } from './control/records.ts';
import type { Sandbox } from './sandbox.ts';
import { BOOKING_STATUS, RECIPIENT_STATUS } from './state/codes.ts';
import type { SurveyRecipient, WebBooking } from './state/records.ts';

const SCORES = [5, 4, 3, 2, 1];

/** Lets one thing happen. Returns it in words, e.g. "Booking B110230 is canceled: Anna Lind, 4 guests". */
type Happening = (sandbox: Sandbox) => string;

/** What a person can let happen with a button of the start page. */
export const HAPPENINGS = {
	bookingMade: bookingArrives,
	bookingChanged: bookingChanges,
	bookingCanceled: bookingIsCanceled,
	surveyAnswered: surveyIsAnswered,
} satisfies Record<string, Happening>;

const EVENTS: Array<{ weight: number; value: Happening }> = [
	{ weight: 10, value: bookingArrives },
	{ weight: 4, value: bookingChanges },
	{ weight: 2, value: bookingIsCanceled },
	{ weight: 2, value: customerArrives },
	{ weight: 1, value: customerChanges },
	{ weight: 2, value: surveyIsAnswered },
];

function counted(guests: number): string {
	return guests === 1 ? '1 guest' : `${guests} guests`;
}

function described({ globalBookingNumber, contact, guests }: WebBooking, what: string): string {
	return `Booking ${globalBookingNumber} ${what}: ${contact.fname} ${contact.lname}, ${counted(guests)}`;
}

function bookingArrives(sandbox: Sandbox): string {
	return addBookings(sandbox, 1, {})
		.map((booking) => described(booking, 'is made'))
		.join();
}

/** One of the latest bookings that are still to come, so that something happens to what people have just seen. */
function someBooking({ mainState, faker, service }: Sandbox): WebBooking | undefined {
	const now = service.clock.now();
	const open = [...mainState.bookings.all()].filter(
		({ web }) =>
			Date.parse(web.start) > now &&
			(web.status === BOOKING_STATUS.reserved || web.status === BOOKING_STATUS.confirmed),
	);
	return open.length > 0 ? faker.helpers.arrayElement(open.slice(-20)).web : undefined;
}

function bookingChanges(sandbox: Sandbox): string {
	const booking = someBooking(sandbox);
	if (!booking) return bookingArrives(sandbox);
	const others = Array.from({ length: 10 }, (_, index) => index + 1).filter((one) => one !== booking.guests);
	const guests = sandbox.faker.helpers.arrayElement(others);
	patchBooking(sandbox, booking.guid, { guests, status: BOOKING_STATUS.confirmed });
	return described({ ...booking, guests }, `is changed, from ${counted(booking.guests)}`);
}

function bookingIsCanceled(sandbox: Sandbox): string {
	const booking = someBooking(sandbox);
	if (!booking) return bookingArrives(sandbox);
	patchBooking(sandbox, booking.guid, { status: BOOKING_STATUS.canceled });
	return described(booking, 'is canceled');
}

function customerArrives(sandbox: Sandbox): string {
	return `Customer ${addCustomer(sandbox, {}).name} is new`;
}

function customerChanges(sandbox: Sandbox): string {
	const { mainState, faker } = sandbox;
	const customer = faker.helpers.arrayElement([...mainState.customers.all()]);
	patchCustomer(sandbox, String(customer.id), { phone: faker.phone.number({ style: 'international' }) });
	return `Customer ${customer.name} has another phone number`;
}

/** Somebody who has a survey and has not answered it; when all have, one of them gets it once more. */
function waitingRecipient({ mainState, faker }: Sandbox): SurveyRecipient | undefined {
	const all = [...mainState.recipients.all()];
	const waiting = all.find(
		({ status }) => status === RECIPIENT_STATUS.sent || status === RECIPIENT_STATUS.opened,
	);
	const answered = all.filter(({ status }) => status === RECIPIENT_STATUS.responded);
	if (waiting || answered.length === 0) return waiting;
	const { respondedTime: _answered, ...again } = faker.helpers.arrayElement(answered);
	return mainState.recipients.put({ ...again, id: faker.string.uuid(), status: RECIPIENT_STATUS.sent });
}

/** The documents do not show where answers are kept: here the score is one of the recipient's `replaceParams`. */
function surveyIsAnswered(sandbox: Sandbox): string {
	const recipient = waitingRecipient(sandbox);
	if (!recipient) return bookingArrives(sandbox);
	const score = sandbox.faker.helpers.arrayElement(SCORES);
	patchRecipient(sandbox, recipient.id, {
		status: RECIPIENT_STATUS.responded,
		replaceParams: { ...recipient.replaceParams, score: String(score) },
	});
	return `${recipient.name} has answered a survey with ${score} of 5`;
}

/** Lets something happen every `interval` milliseconds: most often a booking arrives. The first event is one. */
export function startLive(sandbox: Sandbox, interval: number): { stop: () => void } {
	let first = true;
	const timer = setInterval(() => {
		const event = first ? bookingArrives : sandbox.faker.helpers.weightedArrayElement(EVENTS);
		first = false;
		event(sandbox);
	}, interval);
	return { stop: () => clearInterval(timer) };
}
