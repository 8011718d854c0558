import type { Booking, Customer, SurveyRecipient, WebBooking } from './records.ts';
import { statusName, RECIPIENT_STATUS } from './codes.ts';
import type { Service, State } from './state.ts';

/**
 * Replaces fields of a web booking, stamps changeDate and, when the status becomes another, adds to the history.
 * A changeDate among the fields is kept as it is given.
 */
export function changeBooking(
	service: Service,
	state: State,
	booking: Booking,
	web: Partial<WebBooking>,
	checkout: Partial<Omit<Booking, 'web'>> = {},
): Booking {
	const changeDate = web.changeDate ?? service.clock.stamp();
	const status = web.status ?? booking.web.status;
	const history =
		status === booking.web.status
			? booking.web.history
			: [
					...(booking.web.history ?? []),
					{ changeDate, status, statusName: statusName(state.words, status) },
				];
	return state.putBooking({
		...booking,
		...checkout,
		web: { ...booking.web, history, ...web, changeDate },
	});
}

/** Replaces fields of a customer and stamps lastChangedUtc, unless the fields bring a stamp. */
export function changeCustomer(
	service: Service,
	state: State,
	customer: Customer,
	fields: Partial<Customer>,
): Customer {
	return state.records.customers.put({
		...customer,
		lastChangedUtc: service.clock.stamp(),
		...fields,
	});
}

/** Replaces fields of a survey recipient, counts its revision and stamps the time of the status it moves to. */
export function changeRecipient(
	service: Service,
	state: State,
	recipient: SurveyRecipient,
	fields: Partial<SurveyRecipient>,
): SurveyRecipient {
	const stamp = service.clock.stamp();
	const moved = fields.status !== undefined && fields.status !== recipient.status;
	const times: Partial<SurveyRecipient> = {};
	if (moved && fields.status === RECIPIENT_STATUS.sent) times.sentTime = stamp;
	if (moved && fields.status === RECIPIENT_STATUS.opened) times.openedTime = stamp;
	if (moved && fields.status === RECIPIENT_STATUS.responded) times.respondedTime = stamp;
	return state.records.recipients.put({
		...recipient,
		rev: recipient.rev + 1,
		...times,
		...fields,
	});
}
