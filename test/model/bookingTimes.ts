import { type TimeForm, orderAt, orderOf, writeTime } from './zones';

export interface TimedBooking {
	guid: string;
	/** Milliseconds since 1970. */
	start: number;
	end: number;
	/** When the booking was entered. */
	created: number;
	status: number;
	removed: boolean;
	/** Whether it was changed since it was entered. */
	touched: boolean;
}

const MINUTE = 60_000;

/** The service as the documents tell of it: lists the bookings that end after one moment and start before another. */
export class TimedService {
	readonly bookings: TimedBooking[] = [];
	private readonly written = new Map<number, string>();

	constructor(private readonly times: TimeForm) {}

	list({ startTime, endTime }: Record<string, unknown>): unknown[] {
		const { times } = this;
		const [from, to] = [orderOf(String(startTime), times), orderOf(String(endTime), times)];
		return this.bookings
			.filter(({ removed }) => !removed)
			.filter(({ start, end }) => orderAt(end, times) > from && orderAt(start, times) < to)
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
		let text = this.written.get(ms);
		if (text === undefined) {
			text = writeTime(ms, this.times).join('');
			this.written.set(ms, text);
		}
		return text;
	}
}
