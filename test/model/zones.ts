import { DateTime } from 'luxon';

const MINUTE = 60_000;
const QUARTER_HOUR = 15 * MINUTE;

/** By zone and quarter of an hour. */
const offsets = new Map<string, Map<number, number>>();

/** How far the clocks of a zone are ahead of UTC, in milliseconds. They are changed on the quarter hour. */
export function offsetAt(ms: number, zone: string): number {
	const quarter = Math.floor(ms / QUARTER_HOUR) * QUARTER_HOUR;
	const known = offsets.get(zone) ?? new Map<number, number>();
	offsets.set(zone, known);
	let offset = known.get(quarter);
	if (offset === undefined) {
		offset = DateTime.fromMillis(quarter, { zone }).offset * MINUTE;
		if (known.size > 200_000) known.clear();
		known.set(quarter, offset);
	}
	return offset;
}

/** How a service writes times, and what it compares: local milliseconds where they have no offset, else UTC. */
export interface TimeForm {
	/** IANA name; times without an offset, and local ones, are of this zone. */
	zone: string;
	form: 'Z' | 'offset' | 'none';
}

export function orderAt(ms: number, { zone, form }: TimeForm): number {
	return form === 'none' ? ms + offsetAt(ms, zone) : ms;
}

/** A moment as the clocks of a zone show it, to the second, and how a date-time ends that says of which zone it is. */
export function writeTime(ms: number, { zone, form }: TimeForm): [string, string] {
	const offset = form === 'Z' ? 0 : offsetAt(ms, zone);
	const wall = new Date(ms + offset).toISOString().slice(0, 19);
	if (form !== 'offset') return [wall, form === 'Z' ? 'Z' : ''];
	const hours = Math.floor(Math.abs(offset) / (60 * MINUTE));
	const minutes = (Math.abs(offset) / MINUTE) % 60;
	const digits = [hours, minutes].map((part) => String(part).padStart(2, '0')).join(':');
	return [wall, (offset < 0 ? '-' : '+') + digits];
}
