import { DateTime } from 'luxon';

/** How the modelled service writes the times of bookings. */
export interface TimeForm {
	/** IANA name; times without an offset, and local ones, are of this zone. */
	zone: string;
	form: 'Z' | 'offset' | 'none';
}

export interface TimedBooking {
	guid: string;
	/** Milliseconds since 1970. */
	start: number;
	end: number;
	/** When the booking was entered. */
	created: number;
	status: number;
	removed: boolean;
}

const MINUTE = 60_000;

/** The service as the documents tell of it: lists the bookings that end after one moment and start before another. */
export class TimedService {
	readonly bookings: TimedBooking[] = [];

	constructor(private readonly times: TimeForm) {}

	list({ startTime, endTime }: Record<string, unknown>): unknown[] {
		const [from, to] = [this.orderOf(String(startTime)), this.orderOf(String(endTime))];
		return this.bookings
			.filter(({ removed }) => !removed)
			.filter(({ start, end }) => this.order(end) > from && this.order(start) < to)
			.map(({ guid, start, end, created, status }) => ({
				guid,
				createdDate: this.write(created),
				start: this.write(start),
				end: this.write(end),
				status,
			}));
	}

	/** The moment that a written time stands for: of two, the first. */
	readBack(ms: number): number {
		if (this.times.form !== 'none') return ms;
		const earlier = [60, 30].map((minutes) => ms - minutes * MINUTE);
		return earlier.find((moment) => this.write(moment) === this.write(ms)) ?? ms;
	}

	private write(ms: number): string {
		const { zone, form } = this.times;
		const moment = DateTime.fromMillis(ms, { zone: form === 'Z' ? 'UTC' : zone });
		const wall = moment.toFormat("yyyy-MM-dd'T'HH:mm:ss");
		return form === 'none' ? wall : wall + (form === 'Z' ? 'Z' : moment.toFormat('ZZ'));
	}

	/** What the service compares: local times as they stand there where it has no offsets. */
	private order(ms: number): number {
		const { zone, form } = this.times;
		return form === 'none' ? ms + DateTime.fromMillis(ms, { zone }).offset * MINUTE : ms;
	}

	private orderOf(text: string): number {
		return /(Z|[+-]\d\d:\d\d)$/.test(text) ? this.order(Date.parse(text)) : Date.parse(`${text}Z`);
	}
}
