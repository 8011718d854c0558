import { DateTime } from 'luxon';

/** How the service writes date-times: with `Z`, without an offset, or with the offset of its time zone. */
export type OffsetStyle = 'Z' | 'none' | 'local';

/** The clock settings that the control interface can change. */
export interface ClockSettings {
	skewMs: number;
	offset: OffsetStyle;
	timeZone: string;
}

const EARLIEST = Date.parse('0001-01-02T00:00:00Z');
const LATEST = Date.parse('9999-12-30T00:00:00Z');

/** An ISO string in UTC; later years become 9999, as an ISO string has four digits. */
export function isoStamp(instant: number): string {
	return new Date(Math.min(instant, LATEST)).toISOString();
}

/** An ISO string in UTC some minutes away from an instant. */
export function minutesFrom(instant: number, minutes: number): string {
	return new Date(instant + minutes * 60_000).toISOString();
}

/** `lastChangedUtc`, `changedFromUtc`, `cancelAllowedBeforeUtc`. */
function isNamedUtc(field: string): boolean {
	return field.endsWith('Utc');
}

const QUARTER_HOUR = 15 * 60_000;

/** The service's own clock and its way of writing date-times. The state holds ISO strings in UTC. */
export class Clock {
	settings: ClockSettings;
	private readonly offsets = new Map<number, { minutes: number; text: string }>();

	constructor(timeZone: string) {
		this.settings = { skewMs: 0, offset: 'Z', timeZone };
	}

	/** Replaces some of the settings. */
	set(settings: Partial<ClockSettings>): void {
		this.settings = { ...this.settings, ...settings };
		this.offsets.clear();
	}

	/** Milliseconds since 1970 by the service's clock. */
	now(): number {
		return Date.now() + this.settings.skewMs;
	}

	/** The current timestamp, ISO 8601 in UTC. */
	stamp(): string {
		return new Date(this.now()).toISOString();
	}

	/**
	 * Reads a date-time with or without an offset; without, it is in the service's time zone, or in UTC where the field is
	 * named so. Returns milliseconds since 1970, or NaN for a day that does not exist or lies outside the years 1 to 9999.
	 */
	read(text: string, field: string): number {
		const zone = isNamedUtc(field) ? 'UTC' : this.settings.timeZone;
		const instant = DateTime.fromISO(text, { zone }).toMillis();
		return instant >= EARLIEST && instant <= LATEST ? instant : NaN;
	}

	/** Writes an ISO string in UTC the way the settings say; a field that is named so stays in UTC. */
	write(utc: string, field: string): string {
		const { offset } = this.settings;
		if (offset === 'Z') return utc;
		if (isNamedUtc(field)) return offset === 'none' ? utc.replace(/Z$/, '') : utc;
		const instant = Date.parse(utc);
		if (Number.isNaN(instant)) return utc;
		const { minutes, text } = this.offsetAt(instant);
		const local = new Date(instant + minutes * 60_000).toISOString().slice(0, -1);
		return offset === 'none' ? local : local + text;
	}

	private offsetAt(instant: number): { minutes: number; text: string } {
		const key = Math.floor(instant / QUARTER_HOUR);
		let offset = this.offsets.get(key);
		if (!offset) {
			const local = DateTime.fromMillis(instant, { zone: this.settings.timeZone });
			offset = { minutes: local.offset, text: local.toFormat('ZZ') };
			this.offsets.set(key, offset);
		}
		return offset;
	}
}
