import { type TimeForm, offsetAt, orderAt, writeTime } from './zones';

const SECOND = 1000;
const HOUR = 3_600_000;
const OFFSET = /(Z|[+-]\d\d:\d\d)$/;

export type Form = TimeForm['form'];

/** What kind of service it is. */
export interface ServiceKind {
	/** IANA name: times without an offset are of it. */
	zone: string;
	/** How changes are written, and what the service compares. */
	form: Form;
	/** How creations and the bookings' own times are written. */
	otherForm: Form;
	/** From when on all is written by UTC, as after an update of the service. */
	changesForm: number | null;
	/** Whether it compares the digits of two texts, whatever offset these end with. */
	comparesDigits: boolean;
	/** Decimals of a second: 0 or 3. */
	decimals: number;
	/** How far the service's clock is ahead of the real time, in milliseconds. */
	skewMs: number;
	/** Whether its responses tell its clock. */
	isDated: boolean;
	/** How many records it lists at most, and which. */
	cap: { most: number; first: 'oldest' | 'newest' } | null;
	/** By how much the replica lags behind that answers every other call. */
	lagMs: number;
	/** When it lists nothing, in real time. */
	silent: [from: number, to: number] | null;
	/** What of each booking's history it gives; `legacy`: the first entry has no date. */
	history: 'dated' | 'none' | 'mixed' | 'legacy';
	/** How much later than its creation a new booking says that it was changed. */
	secondStampMs: number;
}

/** One state of a record, from one change to the next. */
export interface Version {
	/** Milliseconds since 1970 by the service's clock. */
	ms: number;
	visibleAt: number;
	status: number;
	/** What has been paid, and the day it begins, of a booking. */
	value: number;
	/** The booking's own times, where these matter. */
	start: number;
	end: number;
	/** The statuses that it has had. */
	history: Array<{ ms: number; status: number }>;
}

export interface ModelledRecord {
	id: string;
	created: number;
	versions: Version[];
	deleted: boolean;
}

export type RecordKind = 'booking' | 'customer' | 'recipient';

/**
 * The service as the documents tell of it: lists what was created or changed *after* a moment, by its own clock, or the bookings that
 * end after one moment and start before another. It may show a change a while after it was made.
 */
export class ModelledService {
	readonly records: ModelledRecord[] = [];
	/** As of when the records were shown by the first call since this was set, and by any. */
	firstUpTo = -Infinity;
	shownUpTo = -Infinity;
	/** The records that the calls since this was set have shown. */
	shown = new Set<string>();
	/** Whether one of them was a list of changes. */
	hasListedChanges = false;
	/** What the first list of changes was asked from since this was set. */
	private askedFirst = -Infinity;
	private calls = 0;
	private readonly written = new Map<string, string>();

	constructor(
		readonly kind: RecordKind,
		readonly is: ServiceKind,
	) {}

	/** The service's clock at a real moment. */
	clockAt(now: number): number {
		const unit = this.is.decimals === 0 ? SECOND : 1;
		return Math.floor((now + this.is.skewMs) / unit) * unit;
	}

	/** What a response says of the service's clock: whole seconds. */
	dateAt(now: number): number | undefined {
		return this.is.isDated ? Math.floor((now + this.is.skewMs) / SECOND) * SECOND : undefined;
	}

	/** @param heldMs how long the service does not show it, and changes it then */
	create(
		now: number,
		given: Partial<Version> & { delayMs?: number; heldMs?: number; wrongBy?: number } = {},
	): void {
		const { delayMs = 0, heldMs = 0, wrongBy = 0, ...more } = given;
		const created = this.clockAt(now + wrongBy);
		const ms = heldMs > 0 ? created + heldMs : created + this.is.secondStampMs;
		const visibleAt = now + heldMs + delayMs + (heldMs > 0 ? 0 : this.is.secondStampMs);
		const history = [{ ms: created, status: 1 }];
		const version = { ms, visibleAt, status: 1, value: 0, start: 0, end: 0, history, ...more };
		const id = String(this.records.length + 1);
		this.records.push({ id, created, versions: [version], deleted: false });
	}

	change(
		record: ModelledRecord,
		now: number,
		change: Partial<Version>,
		delayMs = 0,
		wrongBy = 0,
	): void {
		const before = record.versions.at(-1);
		// Nobody changes what is held back.
		if (!before || record.deleted || before.visibleAt > now) return;
		const ms = this.clockAt(now + wrongBy);
		const isOther = change.status !== undefined && change.status !== before.status;
		const history = isOther
			? [...before.history, { ms, status: change.status ?? 0 }]
			: before.history;
		record.versions.push({ ...before, ...change, history, ms, visibleAt: now + delayMs });
	}

	/** Forgets what the calls until now have shown. */
	forgetShown(): void {
		this.shownUpTo = -Infinity;
		this.shown.clear();
		this.hasListedChanges = false;
		this.askedFirst = -Infinity;
	}

	/** Answers a list call. */
	list(query: Record<string, unknown>, now: number): unknown[] {
		const { lagMs, silent, cap, form, otherForm } = this.is;
		const asOf = now - (++this.calls % 2 === 0 ? lagMs : 0);
		if (this.shownUpTo === -Infinity) this.firstUpTo = asOf;
		this.shownUpTo = Math.max(this.shownUpTo, asOf);
		if (silent && now >= silent[0] && now < silent[1]) return [];
		const from = query.changedFrom ?? query.changedFromUtc;
		const after = typeof from === 'string' ? this.orderOf(from, now, form) : -Infinity;
		const [starts, ends] = [query.startTime, query.endTime].map((time) =>
			typeof time === 'string' ? this.orderOf(time, now, otherForm) : undefined,
		);
		const found = this.records.flatMap((record) => {
			const version = visible(record, asOf);
			if (!version || record.deleted) return [];
			const isIn =
				starts !== undefined && ends !== undefined
					? this.isWithin(record, version, starts, ends, now)
					: this.order(version.ms, now, form) > after;
			return isIn ? [{ record, version }] : [];
		});
		if (cap) {
			found.sort((a, b) => (a.version.ms - b.version.ms) * (cap.first === 'newest' ? -1 : 1));
		}
		const listed = cap ? found.slice(0, cap.most) : found;
		// What the trigger only looks back for, to tell whether lists are cut, it does not read.
		const isLookBack = starts === undefined && after < this.askedFirst;
		if (starts === undefined && this.askedFirst === -Infinity) this.askedFirst = after;
		for (const { record } of isLookBack ? [] : listed) this.shown.add(record.id);
		if (starts === undefined && listed.length > 0) this.hasListedChanges = true;
		return listed.map(({ record, version }) => this.write(record, version, now));
	}

	/** Whether a booking ends after one moment and starts before another. */
	private isWithin(
		{ id }: ModelledRecord,
		{ start, end, value }: Version,
		from: number,
		to: number,
		now: number,
	): boolean {
		const { otherForm } = this.is;
		const [begins, ends] =
			start > 0
				? [start, end].map((ms) => this.order(ms, now, otherForm))
				: [0, 1].map((hours) => this.orderOf(startOf(value, id, hours), now, otherForm));
		return (ends ?? 0) > from && (begins ?? 0) < to;
	}

	/** A moment to the second, as it has to be read: of two, the first. */
	readBack(ms: number): number {
		const form = this.formNow(this.is.otherForm, 0);
		const second = Math.floor(ms / SECOND) * SECOND;
		if (form !== 'none') return second;
		const earlier = [60, 30].map((minutes) => second - minutes * 60 * SECOND);
		const local = (one: number) => one + offsetAt(one, this.is.zone);
		return earlier.find((moment) => local(moment) === local(second)) ?? second;
	}

	private write(record: ModelledRecord, version: Version, now: number): unknown {
		const { history } = this.is;
		const stamp = this.stamp(version.ms, this.is.form, now);
		const created = this.stamp(record.created, this.is.otherForm, now);
		if (this.kind === 'customer') return { id: Number(record.id), lastChangedUtc: stamp };
		if (this.kind === 'recipient') return { id: record.id, respondedTime: stamp, status: 4 };
		const hasHistory = this.hasHistory(record);
		const entries = version.history.map(({ ms, status }, index) => ({
			changeDate:
				history === 'legacy' && index === 0 ? null : this.stamp(ms, this.is.otherForm, now),
			status,
			statusName: `Status ${status}`,
		}));
		return {
			guid: record.id,
			createdDate: created,
			changeDate: stamp,
			status: hasHistory ? version.status : version.value,
			history: hasHistory ? entries : null,
			start:
				version.start > 0
					? this.stamp(version.start, this.is.otherForm, now, 0)
					: startOf(version.value, record.id),
			end:
				version.start > 0
					? this.stamp(version.end, this.is.otherForm, now, 0)
					: startOf(version.value, record.id, 1),
			chargePayedAmount: version.value * 100,
		};
	}

	/** Whether a text is how a moment was written at any time. */
	wasWritten(ms: number, text: string): boolean {
		return [this.is.form, this.is.otherForm, 'Z' as const].some(
			(form) => this.stamp(ms, form, -Infinity) === text,
		);
	}

	/** Whether two moments of a change, or another event, are one local time that occurs twice. */
	isWrittenAlike(one: number, other: number, otherForm = this.is.form): boolean {
		return [this.is.form, otherForm].some(
			(form) => this.stamp(one, form, -Infinity) === this.stamp(other, form, -Infinity),
		);
	}

	/** Without a history the status is the record's value. */
	hasHistory({ id }: ModelledRecord): boolean {
		const { history } = this.is;
		return history === 'mixed' ? Number(id) % 2 === 0 : history !== 'none';
	}

	private formNow(form: Form, now: number): Form {
		return this.is.changesForm !== null && now >= this.is.changesForm ? 'Z' : form;
	}

	private order(ms: number, now: number, form: Form): number {
		const own = this.formNow(form, now);
		const isByDigits = this.is.comparesDigits && own === 'offset';
		return orderAt(ms, { zone: this.is.zone, form: isByDigits ? 'none' : own });
	}

	private orderOf(text: string, now: number, form: Form): number {
		if (this.is.comparesDigits) return Date.parse(`${text.replace(OFFSET, '')}Z`);
		if (OFFSET.test(text)) return this.order(Date.parse(text), now, form);
		const local = Date.parse(`${text}Z`);
		if (this.formNow(form, now) === 'none') return local;
		const { zone } = this.is;
		return local - offsetAt(local - offsetAt(local, zone), zone);
	}

	private stamp(ms: number, form: Form, now: number, decimals = this.is.decimals): string {
		const own = this.formNow(form, now);
		const key = `${ms} ${own} ${decimals}`;
		let text = this.written.get(key);
		if (text === undefined) {
			const [clock, end] = writeTime(ms, { zone: this.is.zone, form: own });
			const digits = String(ms % 1000).padStart(3, '0');
			text = clock + (decimals === 0 ? '' : `.${digits.padEnd(decimals, '0')}`) + end;
			this.written.set(key, text);
		}
		return text;
	}
}

/**
 * @returns the start of a booking by its value, as a local time that occurs once; those of other bookings are hours apart. None is over,
 * whatever a clock is set to
 */
export function startOf(value: number, id: string, hoursLater = 0): string {
	const hours = value * 24 + Number(id) * 3 + hoursLater;
	return (starts[hours] ??= new Date(FIRST_START + hours * HOUR).toISOString().slice(0, 19));
}

const FIRST_START = Date.parse('2027-03-01T12:00:00Z');
/** By the hours since the first; a history asks for them again and again. */
const starts: string[] = [];

/** @returns the newest state of a record that the service shows at a moment. */
export function visible(record: ModelledRecord, now: number): Version | undefined {
	return record.versions.findLast(({ visibleAt }) => visibleAt <= now);
}

/** The instant of a local time that occurs once. */
export function toInstant(text: string, zone: string): number {
	const local = Date.parse(`${text}Z`);
	return local - offsetAt(local - offsetAt(local, zone), zone);
}
