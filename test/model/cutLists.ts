import sortBy from 'lodash/sortBy';

import type { TriggerEvent } from '../../nodes/HospitalityBookingTrigger/events/events';
import { DAY, HOUR, MINUTE, NOW, Polled, SECOND, feedOf, nameOf } from '../unit/trigger/support';
import { Verdict } from './host';

/** In which order a service lists records before it cuts the list; `newest written ascending` keeps the newest, oldest first. */
export const ORDERS = [
	'changed ascending',
	'changed descending',
	'newest written ascending',
	'start',
	'id',
	'none',
] as const;
type Order = (typeof ORDERS)[number];

/** The events whose records are made, edited, moved and paid here. */
export type CutEvent = Extract<
	TriggerEvent,
	| 'bookingCreated'
	| 'bookingUpdated'
	| 'bookingChanged'
	| 'bookingRescheduled'
	| 'bookingPaymentChanged'
	| 'bookingStartsSoon'
	| 'bookingEnded'
	| 'customerCreated'
	| 'customerChanged'
>;

/** How many records a service lists at most: undefined, all. */
export interface Caps {
	changes?: number | undefined;
	periods?: number | undefined;
}

/** What happens between two polls: records are made or edited, one after the other, then time passes. */
export interface Happening {
	what: 'make' | 'edit';
	count: number;
	/** Milliseconds from one to the next. */
	apartMs: number;
	/** Milliseconds from the start of one booking to that of the next. */
	startsApartMs: number;
	/** Until the next poll. */
	waitMs: number;
	/** Whether what happens next happens before that poll. */
	isBeforeNext?: boolean;
}

/** What came out of a history, and what a person was told. */
export interface CutOutcome {
	emitted: number;
	told: string[];
}

export interface CutHistory {
	event: CutEvent;
	order: Order;
	caps: Caps;
	/** The caps from this happening on. */
	later?: { from: number; caps: Caps } | undefined;
	/** Whether the service truncates its timestamps to the second. */
	inSeconds: boolean;
	/** How many records there are when the trigger is published, and by how much each of them is older than the next. */
	old: { count: number; apartMs: number };
	happenings: Happening[];
}

interface CutRecord {
	id: number;
	created: number;
	changed: number;
	start: number;
	paid: number;
	/** The caps in force when it was made. */
	madeUnder: Caps;
}

const DISTANCE_MS = HOUR;
const DUE_EVENTS: string[] = ['bookingStartsSoon', 'bookingEnded'];
/** The events that happen to a record once, as it is made or comes due. */
const ONCE: string[] = ['bookingCreated', 'customerCreated', ...DUE_EVENTS];
const OF_BOTH: string[] = ['bookingChanged', 'customerChanged'];

/** A service that lists as many records as it likes, and a trigger that is told what happens there. */
class CutWorld {
	private readonly records: CutRecord[] = [];
	private readonly trigger: Polled;
	private caps: Caps;
	/** What has to come out, and the caps that may have hidden it. */
	private readonly expected = new Map<string, Caps[]>();
	private readonly emitted = new Map<string, number>();
	/** Each cap that has been in force. */
	private readonly everCaps = new Set<number>();

	constructor(private readonly history: CutHistory) {
		this.caps = history.caps;
		this.trigger = new Polled(feedOf(history.event, { distanceMs: DISTANCE_MS }));
		this.trigger.answer = async (query) => await Promise.resolve(this.list(query));
	}

	async play(): Promise<CutOutcome> {
		const { old, happenings, later } = this.history;
		this.noteCaps(this.caps);
		for (let age = old.count; age > 0; age--) {
			this.make(NOW - HOUR - age * old.apartMs, NOW + 10 * DAY + age * MINUTE);
		}
		await this.trigger.poll(true);
		for (const [index, happening] of happenings.entries()) {
			if (later?.from === index) {
				this.caps = later.caps;
				this.noteCaps(later.caps);
			}
			this.happen(happening);
			this.trigger.now += happening.waitMs;
			if (!happening.isBeforeNext) await this.poll();
		}
		// Everything that is due by now comes, too.
		await this.pollUntilQuiet();
		this.check();
		return { emitted: this.emitted.size, told: this.trigger.reports.flat() };
	}

	private happen({ what, count, apartMs, startsApartMs }: Happening): void {
		const { trigger, records } = this;
		for (let made = 0; made < count; made++) {
			trigger.now += apartMs;
			const record = records[made];
			if (what === 'make') {
				const start = trigger.now + DISTANCE_MS + 10 * MINUTE + made * startsApartMs;
				this.expect(this.make(trigger.now, start), what);
			} else if (record) {
				this.edit(record);
				this.expect(record, what);
			}
		}
	}

	private make(ms: number, start: number): CutRecord {
		const moment = this.tick(ms);
		const id = this.records.length + 1;
		const times = { created: moment, changed: moment, start };
		const record = { id, ...times, paid: 0, madeUnder: this.caps };
		this.records.push(record);
		return record;
	}

	private edit(record: CutRecord): void {
		record.changed = this.tick(this.trigger.now);
		if (this.history.event === 'bookingRescheduled') record.start += DAY;
		if (this.history.event === 'bookingPaymentChanged') record.paid += 100;
	}

	private expect(record: CutRecord, what: Happening['what']): void {
		const { event } = this.history;
		if (OF_BOTH.includes(event) || ONCE.includes(event) === (what === 'make')) {
			const hiding = [this.caps];
			// A booking that a cut list hid when it was made has no earlier times to compare; one from before the beginning, no payment.
			const isOld = record.id <= this.history.old.count;
			const isOldPayment = event === 'bookingPaymentChanged' && isOld;
			if (event === 'bookingRescheduled' || isOldPayment) hiding.push(record.madeUnder);
			this.expected.set(this.nameOfEvent(record), hiding);
		}
	}

	private tick(ms: number): number {
		return this.history.inSeconds ? Math.floor(ms / SECOND) * SECOND : Math.floor(ms);
	}

	/** A booking is made, or due, once; any other event is of one change. */
	private nameOfEvent({ id, changed }: CutRecord): string {
		if (ONCE.includes(this.history.event)) return String(id);
		return `${id} of ${new Date(changed).toISOString()}`;
	}

	private list({
		changedFrom,
		changedFromUtc,
		startTime,
		endTime,
	}: Record<string, unknown>): unknown[] {
		const isPeriod = startTime !== undefined;
		const from = Date.parse(String(startTime ?? changedFrom ?? changedFromUtc));
		const to = Date.parse(String(endTime));
		const found = this.records.filter(({ changed, start }) =>
			isPeriod ? start + HOUR > from && start < to : changed > from,
		);
		const most = isPeriod ? this.caps.periods : this.caps.changes;
		return cut(found, this.history.order, most).map((record) => this.write(record));
	}

	private write({ id, created, changed, start, paid }: CutRecord): object {
		const iso = (ms: number) => new Date(ms).toISOString();
		if (this.history.event.startsWith('customer')) return { id, lastChangedUtc: iso(changed) };
		return {
			guid: String(id),
			createdDate: iso(created),
			changeDate: iso(changed),
			status: 1,
			start: iso(start),
			end: iso(start + HOUR),
			chargePayedAmount: paid,
		};
	}

	private async poll(): Promise<number> {
		const emissions = await this.trigger.emissions();
		for (const { record } of emissions) {
			const written = record as { changeDate?: string; lastChangedUtc?: string };
			const changed = Date.parse(String(written.changeDate ?? written.lastChangedUtc));
			const name = this.nameOfEvent({ ...NOTHING, id: Number(nameOf(record)), changed });
			this.emitted.set(name, (this.emitted.get(name) ?? 0) + 1);
		}
		return emissions.length;
	}

	private async pollUntilQuiet(): Promise<void> {
		const latest = Math.max(this.trigger.now, ...this.records.map(({ start }) => start));
		const end = DUE_EVENTS.includes(this.history.event) ? latest : this.trigger.now;
		for (let quiet = 0; quiet < 2 || this.trigger.now < end + 4 * HOUR; quiet++) {
			this.trigger.now += 20 * MINUTE;
			if ((await this.poll()) > 0) quiet = -1;
		}
	}

	private noteCaps({ changes, periods }: Caps): void {
		for (const cap of [changes, periods]) if (cap !== undefined) this.everCaps.add(cap);
	}

	/** @throws Verdict for a change that was neither emitted nor told, for one emitted twice or made up, and for a notice that is wrong */
	private check(): void {
		const told = this.trigger.reports.flat();
		for (const text of told) {
			const [, number] = /^the service lists at most (\d+)/.exec(text) ?? [];
			if (number !== undefined && !this.everCaps.has(Number(number))) {
				throw new Verdict(`No such cap: ${text}`);
			}
		}
		const isTold = (cap: number | undefined) =>
			cap !== undefined && told.some((text) => isOf(text, cap));
		for (const [name, times] of this.emitted) {
			if (times > 1) throw new Verdict(`Repeated ${times - 1} times: ${name}`);
			// Which records a cut list hid from the beginning is not known: one may come as an event, if the cut is told.
			const mayHaveBeenHidden =
				isTold(this.history.caps.changes) && Number(name.split(' ')[0]) <= this.history.old.count;
			if (!this.expected.has(name) && !this.isDueOld(name) && !mayHaveBeenHidden) {
				throw new Verdict(`Not an event of this trigger: ${name}`);
			}
		}
		const { event, later } = this.history;
		const lost = [...this.expected].filter(([name, caps]) => {
			// A booking comes due when the caps may be others than when it was made.
			const atDue = DUE_EVENTS.includes(event) ? later?.caps.periods : undefined;
			const hiding = caps.flatMap(({ changes, periods }) => [changes, periods]);
			const wasTold = hiding.concat(atDue).some(isTold);
			return !this.emitted.has(name) && !wasTold;
		});
		if (lost.length > 0) {
			throw new Verdict(
				`Lost ${lost.length} of ${this.expected.size}, and told: ${told.join('; ') || 'nothing'}`,
			);
		}
	}

	/** A booking from before the beginning may come due meanwhile. */
	private isDueOld(name: string): boolean {
		return DUE_EVENTS.includes(this.history.event) && Number(name) <= this.history.old.count;
	}
}

const NOTHING: CutRecord = { id: 0, created: 0, changed: 0, start: 0, paid: 0, madeUnder: {} };

/** Whether a notice names a number of records. */
function isOf(text: string, cap: number): boolean {
	return new RegExp(`\\b${cap}\\b`).test(text);
}

function cut(found: CutRecord[], order: Order, most = Infinity): CutRecord[] {
	const byChange = sortBy(found, 'changed');
	switch (order) {
		case 'changed ascending':
			return byChange.slice(0, most);
		case 'changed descending':
			return byChange.reverse().slice(0, most);
		case 'newest written ascending':
			return byChange.slice(Math.max(0, byChange.length - most));
		case 'start':
			return sortBy(found, 'start').slice(0, most);
		case 'id':
			return sortBy(found, 'id').slice(0, most);
		case 'none':
			// As a database does that goes by a hash.
			return sortBy(found, ({ id }) => (id * 7919) % 10_007).slice(0, most);
	}
}

/**
 * Plays one history with a service that cuts its lists.
 *
 * @throws Verdict where the trigger lost something in silence, made something up or told what is not so
 */
export async function playCutLists(history: CutHistory): Promise<CutOutcome> {
	return await new CutWorld(history).play();
}
