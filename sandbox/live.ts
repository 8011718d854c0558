import { addBookings, addCustomer, patchBooking, patchCustomer, patchRecipient } from './control/records.ts';
import type { Sandbox } from './sandbox.ts';
import { BOOKING_STATUS, RECIPIENT_STATUS } from './state/codes.ts';

const EVENTS = [
	{ weight: 10, value: bookingArrives },
	{ weight: 4, value: bookingChanges },
	{ weight: 2, value: bookingIsCanceled },
	{ weight: 2, value: customerArrives },
	{ weight: 1, value: customerChanges },
	{ weight: 2, value: surveyIsAnswered },
];

function bookingArrives(sandbox: Sandbox): void {
	addBookings(sandbox, 1, {});
}

/** One of the latest bookings that are still to come, so that something happens to what people have just seen. */
function someBooking({ mainState, faker, service }: Sandbox) {
	const now = service.clock.now();
	const open = [...mainState.bookings.all()].filter(
		({ web }) =>
			Date.parse(web.start) > now &&
			(web.status === BOOKING_STATUS.reserved || web.status === BOOKING_STATUS.confirmed),
	);
	return open.length > 0 ? faker.helpers.arrayElement(open.slice(-20)).web : undefined;
}

function bookingChanges(sandbox: Sandbox): void {
	const booking = someBooking(sandbox);
	if (!booking) return bookingArrives(sandbox);
	const status = BOOKING_STATUS.confirmed;
	patchBooking(sandbox, booking.guid, { guests: sandbox.faker.number.int({ min: 1, max: 10 }), status });
}

function bookingIsCanceled(sandbox: Sandbox): void {
	const booking = someBooking(sandbox);
	if (!booking) return bookingArrives(sandbox);
	patchBooking(sandbox, booking.guid, { status: BOOKING_STATUS.canceled });
}

function customerArrives(sandbox: Sandbox): void {
	addCustomer(sandbox, {});
}

function customerChanges(sandbox: Sandbox): void {
	const { mainState, faker } = sandbox;
	const customer = faker.helpers.arrayElement([...mainState.customers.all()]);
	patchCustomer(sandbox, String(customer.id), { phone: faker.phone.number({ style: 'international' }) });
}

function surveyIsAnswered(sandbox: Sandbox): void {
	const waiting = [...sandbox.mainState.recipients.all()].find(
		({ status }) => status === RECIPIENT_STATUS.sent || status === RECIPIENT_STATUS.opened,
	);
	if (!waiting) return bookingArrives(sandbox);
	patchRecipient(sandbox, waiting.id, { status: RECIPIENT_STATUS.responded });
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
