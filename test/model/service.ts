import { type TimeForm, orderAt, orderOf, writeTime } from './zones';

/** How the modelled service writes date-times. */
export interface ClockForm extends TimeForm {
	/** Decimals of a second: 0, 3 or 6. */
	decimals: number;
	/** How far the service's clock is ahead of the real time, in milliseconds. */
	skewMs: number;
}

export type Kind = 'booking' | 'customer' | 'recipient';

/** One state of a record, from one change to the next. */
export interface Version {
	stamp: string;
	/** What the service's filter compares: local milliseconds for stamps without an offset, else UTC. */
	order: number;
	/** Milliseconds since 1970 by the service's clock. */
	ms: number;
	visibleAt: number;
	status: number;
	/** What has been paid, and the day it begins, of a booking. */
	value: number;
	history: Array<{ changeDate: string; status: number; statusName: string }>;
}

export interface ModelledRecord {
	id: string;
	createdAt: string;
	versions: Version[];
	deleted: boolean;
}

/**
 * The service as the documents tell of it: lists what was created or changed *after* a moment, by its own clock, and
 * may show a change a while after it was made.
 */
export class ModelledService {
	readonly records: ModelledRecord[] = [];

	/** How far the clock has jumped, in milliseconds. */
	jumpMs = 0;

	/**
	 * @param unstamped whether every other customer has no `lastChangedUtc`
	 * @param hasHistory whether bookings come with their history; without one the status is the record's value
	 */
	constructor(
		private readonly kind: Kind,
		private readonly clock: ClockForm,
		private readonly unstamped = false,
		readonly hasHistory = true,
	) {}

	/** @param wrongBy how far off the timestamp is, in milliseconds */
	create(now: number, delayMs: number, wrongBy = 0, value = 0): void {
		const moment = this.stampAt(now + wrongBy);
		const { stamp } = moment;
		const history = [{ changeDate: stamp, status: 1, statusName: 'Status 1' }];
		const version = { ...moment, visibleAt: now + delayMs, status: 1, value, history };
		this.records.push({
			id: String(this.records.length + 1),
			createdAt: stamp,
			versions: [version],
			deleted: false,
		});
	}

	change(
		record: ModelledRecord,
		now: number,
		delayMs: number,
		status?: number,
		wrongBy = 0,
		value?: number,
	): void {
		const before = record.versions.at(-1);
		if (!before || record.deleted) return;
		const moment = this.stampAt(now + wrongBy);
		const { stamp } = moment;
		const changed = status !== undefined && status !== before.status;
		record.versions.push({
			...moment,
			// A later change is not shown before an earlier one.
			visibleAt: Math.max(now + delayMs, before.visibleAt),
			status: changed ? status : before.status,
			value: value ?? before.value,
			history: changed
				? [...before.history, { changeDate: stamp, status, statusName: `Status ${status}` }]
				: before.history,
		});
	}

	/** Answers a list call. */
	list(query: Record<string, unknown>, now: number): unknown[] {
		const from = query.changedFrom ?? query.changedFromUtc;
		const after = typeof from === 'string' ? orderOf(from, this.clock) : -Infinity;
		return this.records.flatMap((record) => {
			const version = visible(record, now);
			if (!version || record.deleted) return [];
			return version.order > after || this.isUnstamped(record) ? [this.write(record, version)] : [];
		});
	}

	private write(record: ModelledRecord, version: Version): unknown {
		if (this.kind === 'customer') {
			const lastChangedUtc = this.isUnstamped(record) ? null : version.stamp;
			return { id: Number(record.id), lastChangedUtc };
		}
		if (this.kind === 'recipient') return { id: record.id, respondedTime: version.stamp, status: 4 };
		return {
			guid: record.id,
			createdDate: record.createdAt,
			changeDate: version.stamp,
			status: this.hasHistory ? version.status : version.value,
			history: this.hasHistory ? version.history : null,
			start: startOf(version.value),
			end: '2027-01-31T12:00:00',
			chargePayedAmount: version.value * 100,
		};
	}

	private isUnstamped({ id }: ModelledRecord): boolean {
		return this.unstamped && Number(id) % 2 === 0;
	}

	private stampAt(now: number): Pick<Version, 'stamp' | 'order' | 'ms'> {
		const { decimals, skewMs } = this.clock;
		const unit = decimals === 0 ? 1000 : 1;
		const ms = Math.floor((now + skewMs + this.jumpMs) / unit) * unit;
		const [clock, end] = writeTime(ms, this.clock);
		const digits = String(ms % 1000).padStart(3, '0');
		const fraction = decimals === 0 ? '' : `.${digits.padEnd(decimals, '0')}`;
		return { stamp: clock + fraction + end, order: orderAt(ms, this.clock), ms };
	}
}

/** @returns the start of a booking by its value. */
export function startOf(value: number): string {
	return `2027-01-0${value + 1}T12:00:00`;
}

/** @returns the newest state of a record that the service shows at a moment. */
export function visible(record: ModelledRecord, now: number): Version | undefined {
	return record.versions.findLast(({ visibleAt }) => visibleAt <= now);
}
