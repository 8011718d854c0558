import { asText } from '../values/asText';
import { isBlank } from '../values/blank';
import { KeyMap, KeySet } from '../values/keys';
import { isRecord } from '../values/record';
import { comparable } from '../values/text';
import { type QueryPeriod, periodsAroundNow, readWholePeriod } from './aroundNow';

/** What is kept of a booking that has a number. */
export interface NumberedBooking {
	guid: string;
	/** Its numbers in the checkout; none before its first payment. */
	rootIds: readonly string[];
}

type ListBookings = (period: QueryPeriod) => Promise<unknown[]>;

/**
 * Finds bookings by their number, and so the GUID and the root ID that belong to it; `run/lookUps.ts` puts them where a person has entered a
 * number. The periods around now are read from now outwards, as far as a number makes it necessary, once for all that are looked for.
 */
export class BookingNumbers {
	private readonly unread = periodsAroundNow();
	/** Bookings by number, then by GUID. */
	private readonly known = new KeyMap<string, Map<string, NumberedBooking>>();
	/** The GUID of the booking that has a number in the checkout. */
	private readonly guidByRootId = new KeyMap<string, string>();

	/** @param timeZone of the credential */
	constructor(private readonly timeZone: string) {}

	/**
	 * @param list the call that lists the bookings of a period
	 * @returns the bookings with a number: all of those in the period in which the first is found
	 */
	async find(number: string, list: ListBookings): Promise<NumberedBooking[]> {
		const wanted = comparable(number);
		let found = this.known.get(wanted);
		while (!found) {
			const period = this.unread[0];
			if (!period) return [];
			const bookings = await readWholePeriod(period, this.timeZone, list);
			this.unread.shift();
			for (const booking of bookings) this.note(booking);
			found = this.known.get(wanted);
		}
		return Array.from(found.values());
	}

	/** @returns the GUID of the booking with a number in the checkout, among those that were read; undefined for none */
	guidOfRootId(rootId: string): string | undefined {
		return this.guidByRootId.get(rootId);
	}

	private note(booking: unknown) {
		if (!isRecord(booking)) return;
		const { guid: id, globalBookingNumber, paymentEvents } = booking;
		if (isBlank(id)) return;
		const guid = asText(id);
		const rootIds = rootIdsOf(paymentEvents);
		for (const rootId of rootIds) this.guidByRootId.set(rootId, guid);
		if (isBlank(globalBookingNumber)) return;
		const number = comparable(asText(globalBookingNumber));
		const withNumber = this.known.get(number) ?? new KeyMap();
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
	if (!Array.isArray(paymentEvents)) return [];
	const ids = new KeySet<string>();
	for (const event of paymentEvents.filter(isRecord)) {
		const id = asText(event.bookingRootId);
		if (/^[1-9]\d{0,18}$/.test(id)) ids.add(id);
		for (const ofPart of rootIdsOf(event.subPaymentEvents)) ids.add(ofPart);
	}
	return Array.from(ids);
}
