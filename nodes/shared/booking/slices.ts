import { isTooLarge } from '../errors/nodeErrors';
import { DAY, HOUR, SECOND } from '../values/timestamp';

/**
 * The first slice of a period. Get Many and searches by number or guest always begin with this one; the trigger's `periodReader.ts`
 * begins with a shorter one after a failure.
 */
export const DEFAULT_SLICE_DAYS = 31;
const NARROWEST_MS = HOUR;

/** A period, in milliseconds since 1970. */
export interface Period {
	from: number;
	to: number;
}

/** What follows on a slice. `halve` reads its first half next; a slice that cannot be halved counts as read. */
export type NextSlice = 'goOn' | 'goOnWider' | 'halve' | 'stop';

/** Whether a period is long enough to be read in halves. */
export function canHalve({ from, to }: Period): boolean {
	return to - from > NARROWEST_MS;
}

/**
 * Reads the bookings of a period slice by slice, one call after another, so that no response grows without bound. A slice
 * whose response is too large is read in halves.
 *
 * @param read reads one slice and says what follows
 * @param firstMs length of the first slice
 * @returns up to where the period was read: its end, unless `read` has stopped before
 */
export async function readSlices(
	period: Period,
	read: (slice: Period) => Promise<NextSlice>,
	firstMs = DEFAULT_SLICE_DAYS * DAY,
): Promise<number> {
	let from = period.from;
	let width = Math.max(NARROWEST_MS, firstMs);
	while (from < period.to) {
		const to = Math.min(from + width, period.to);
		const slice = { from, to };
		const next = await read(slice).catch((error: unknown): NextSlice => {
			if (isTooLarge(error) && canHalve(slice)) return 'halve';
			throw error;
		});
		if (next === 'stop') break;
		if (next === 'halve' && canHalve(slice)) {
			const seconds = Math.ceil((to - from) / 2 / SECOND);
			width = Math.max(NARROWEST_MS, seconds * SECOND);
			continue;
		}
		if (next === 'goOnWider') width *= 2;
		from = to;
	}
	return from;
}
