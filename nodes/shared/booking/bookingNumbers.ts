import { isBlank } from '../values/blank';
import { isRecord } from '../values/record';
import { comparable } from '../values/text';
import { type QueryPeriod, periodsAroundNow, readWholePeriod } from './aroundNow';

/** What is kept of a booking that has a number. */
export interface NumberedBooking {
	guid: string;
	/** Its numbers in the checkout; none before its first payment. */
	rootIds: readonly string[];
}

/**
 * The numbers of bookings from 31 days ago to a year ahead, read from now outwards, as far as a number makes it necessary,
 * once for all that are looked for.
 */
export class BookingNumbers {
	private readonly unread = periodsAroundNow();
	/** Bookings by number, then by GUID. */
	private readonly known = new Map<string, Map<string, NumberedBooking>>();
	/** The GUID of the booking that has a number in the checkout. */
	private readonly guidByRootId = new Map<string, string>();

	/** @param timeZone of the credential */
	constructor(private readonly timeZone: string) {}

	/**
	 * @param list the call that lists the bookings of a period
	 * @returns the bookings with a number: all of those within the 31 days in which the first is found
	 */
	async find(
		number: string,
		list: (period: QueryPeriod) => Promise<unknown[]>,
	): Promise<NumberedBooking[]> {
		const wanted = comparable(number);
		for (;;) {
			const found = this.known.get(wanted);
			const period = this.unread[0];
			if (found) return [...found.values()];
			if (!period) return [];
			const bookings = await readWholePeriod(period, this.timeZone, list);
			this.unread.shift();
			for (const booking of bookings) this.note(booking);
		}
	}

	/** @returns the GUID of the booking with a number in the checkout, among those that were read; undefined for none */
	guidOfRootId(rootId: string): string | undefined {
		return this.guidByRootId.get(rootId);
	}

	private note(booking: unknown): void {
		if (!isRecord(booking) || isBlank(booking.guid)) return;
		const guid = String(booking.guid);
		const rootIds = rootIdsOf(booking.paymentEvents);
		for (const rootId of rootIds) this.guidByRootId.set(rootId, guid);
		if (isBlank(booking.globalBookingNumber)) return;
		const number = comparable(String(booking.globalBookingNumber));
		const withNumber = this.known.get(number) ?? new Map<string, NumberedBooking>();
		withNumber.set(guid, { guid, rootIds });
		this.known.set(number, withNumber);
	}
}

/**
 * @param paymentEvents of a web booking
 * @returns the booking's numbers in the checkout, each once, with all digits
 * @see contract/openapi.yaml PaymentEvent
 */
export function rootIdsOf(paymentEvents: unknown): string[] {
	const ids = new Set<string>();
	for (const event of Array.isArray(paymentEvents) ? paymentEvents : []) {
		if (!isRecord(event)) continue;
		if (/^[1-9]\d*$/.test(String(event.bookingRootId))) ids.add(String(event.bookingRootId));
		for (const id of rootIdsOf(event.subPaymentEvents)) ids.add(id);
	}
	return [...ids];
}
