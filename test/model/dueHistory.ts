import * as fc from 'fast-check';

import { type DueEvent, dueFeed } from '../../nodes/HospitalityBookingTrigger/feeds/bookings';
import type { Emission } from '../../nodes/HospitalityBookingTrigger/follow/step';
import { type TimedBooking, TimedService } from './bookingTimes';
import { type Fault, type Mishap, type Poll, type Run, Verdict } from './host';
import type { TimeForm } from './zones';
import {
	HOUR,
	MINUTE,
	MOMENTS,
	MOVES,
	SECOND,
	type Steps,
	World,
	type WorldSetting,
	hostSteps,
	playerOf,
	step,
} from './play';

const CANCELED = 2;
const CHOICE = { filters: { unitParameter: 'unitIds', leaveOutStatuses: [CANCELED] }, include: [] };

interface Setting extends WorldSetting {
	event: DueEvent;
	times: TimeForm;
	/** Before the start or after the end. */
	distanceMs: number;
	maxAgeMs: number;
	/** Whether n8n's clock jumps and comes back. */
	jumps: boolean;
}

/** Bookings that are made, moved, canceled and removed, and what must come out and when. */
class DueWorld extends World<TimedService> {
	private listed = false;
	/** The time of the last poll whose state is still in memory, by n8n's clock. */
	private lastPoll = -Infinity;
	/** The times of the last poll that n8n has stored, and of those since. */
	private looks: number[] = [];
	protected override hasBegun = false;
	private begunAt = 0;
	/** Bookings with their times that were due before the trigger began. */
	private known = new Set<string>();
	/** What had to come out in a poll that had no room for it, and what could have. */
	private waiting = new Set<string>();
	private mayWait = new Set<string>();
	private readonly emitted = new Set<string>();
	private readonly sent = new Set<string>();
	/** What went out in a batch that n8n has dropped, and has not come out since. */
	private readonly dropped = new Set<string>();

	constructor(
		private readonly setting: Setting,
		poll: Poll,
	) {
		const { event, times, distanceMs, maxAgeMs } = setting;
		const feed = dueFeed(event, distanceMs, CHOICE);
		const { zone } = times;
		const own = { feed, zone, watching: JSON.stringify([event]), overlapMs: 0, maxAgeMs, startAt: null };
		super(poll, setting, own, () => new TimedService(times));
	}

	protected override list(query: Record<string, unknown>): unknown[] {
		this.listed = true;
		return super.list(query);
	}

	override jump(ms: number): void {
		if (this.hasBegun && this.setting.jumps) this.hostJumpMs = ms;
	}

	protected override beginAnew(): void {
		this.forgetBeginning();
		for (const names of [this.known, this.waiting, this.mayWait, this.emitted, this.sent]) names.clear();
	}

	private forgetBeginning(): void {
		this.hasBegun = false;
		this.looks = [];
		this.dropped.clear();
	}

	/** 'Time Before Start' or 'Time After End' is set to another one. */
	setDistance(ms: number): void {
		this.setting.distanceMs = ms;
		this.host.settings.feed = dueFeed(this.setting.event, ms, CHOICE);
	}

	create(minutes: number, length: number): void {
		const start = this.now + minutes * MINUTE;
		const guid = String(this.service.bookings.length + 1);
		this.service.bookings.push({
			guid,
			start,
			end: start + length * MINUTE,
			created: this.now,
			status: 1,
			removed: false,
			touched: false,
		});
	}

	change(pick: number, to: (booking: TimedBooking) => Partial<TimedBooking>): void {
		const booking = this.service.bookings[pick % Math.max(1, this.service.bookings.length)];
		if (booking) Object.assign(booking, to(booking), { touched: true });
	}

	move(pick: number, minutes: number): void {
		this.change(pick, ({ start, end }) => {
			const moved = this.now + minutes * MINUTE;
			return { start: moved, end: moved + end - start };
		});
	}

	override async poll(fault: Fault, mishap: Mishap): Promise<void> {
		this.pass(this.setting.intervalMs);
		if (!this.hasBegun) return await this.activate(fault);
		const drops = mishap === 'crash between writes' && !this.setting.reEmit;
		const around = drops ? 'none' : mishap;
		await this.observing(async () => await this.host.pollOnce(fault, around), around === 'none');
	}

	override async activate(fault: Fault): Promise<void> {
		this.lastPoll = -Infinity;
		const possible = fault === 'empty' && !this.hasBegun ? 'html' : fault;
		await this.observing(async () => await this.host.activate(possible), true);
	}

	override async restart(fault: Fault): Promise<void> {
		if (!this.hasBegun) return;
		this.lastPoll = -Infinity;
		const possible = fault === 'empty' ? 'html' : fault;
		await this.observing(async () => await this.host.restart(possible), true);
	}

	override async settle(): Promise<void> {
		if (!this.hasBegun) await this.activate('none');
		await this.pollUntilQuiet(this.service.bookings.length + 5, MINUTE);
	}

	/** @param firm whether n8n keeps what the poll comes to */
	private async observing(act: () => Promise<void>, firm: boolean): Promise<void> {
		this.polls++;
		const { lostBaselines } = this.host;
		const runs = this.host.runs.length;
		if (!this.hasBegun) this.hostJumpMs = 0;
		const { at } = this;
		// A clock that was set back tells nothing of when the last poll was.
		if (this.lastPoll > at) this.lastPoll = -Infinity;
		this.listed = false;
		await act();
		const [violation] = this.host.violations;
		if (violation !== undefined) throw new Verdict(violation);
		const fresh = this.host.runs.slice(runs);
		this.checkRuns(fresh, at);
		if (this.host.lostBaselines > lostBaselines) {
			this.forgetBeginning();
		}
		if (firm && this.listed && this.host.lastSucceeded) this.checkDroppedCameAgain();
		const out = fresh.flatMap(({ records }) => records);
		// A poll that emits the last batch again leaves the rest to the next one.
		const succeeded = this.listed && this.host.lastSucceeded && !out.some(({ again }) => again);
		if (!this.hasBegun && this.host.hasState && succeeded) {
			this.hasBegun = true;
			this.begunAt = at;
			const known = this.dueAt(at).filter((booking) => this.isInTime(booking, at));
			this.known = new Set(known.map((booking) => this.nameOf(booking)));
			this.waiting.clear();
			this.mayWait.clear();
		} else if (firm && succeeded) this.checkNothingLost(out, at);
		if (!firm) this.noteWaiting(at);
		this.lastPoll = firm && succeeded ? at : firm ? this.lastPoll : -Infinity;
		// What emits the last batch again does not look.
		const hasStored = fresh.some(({ unsaved, records }) => !unsaved && !records.some(({ again }) => again));
		if (hasStored) this.looks = [];
		if (this.listed) this.looks.push(at);
	}

	/** What has come out may do so now, and has not come out before. */
	private checkRuns(runs: readonly Run[], at: number): void {
		for (const { records, unsaved, dropped } of runs) {
			for (const { record, again } of records) {
				const { guid } = record as { guid: string };
				const booking = this.service.bookings.find((one) => one.guid === guid);
				const name = booking ? this.nameOf(booking) : `unknown ${guid}`;
				if (dropped) this.dropped.add(name);
				else this.dropped.delete(name);
				if (again) {
					if (!this.sent.has(name)) throw new Verdict(`Marked though it had not gone out: ${name}`);
					continue;
				}
				this.sent.add(name);
				const isKept = !unsaved && !dropped;
				if (isKept && this.emitted.has(name)) throw new Verdict(`Repeated: ${name}`);
				if (isKept) this.emitted.add(name);
				if (!booking || !this.mayComeOut(booking, at)) throw new Verdict(`Not an event now: ${name}`);
			}
		}
	}

	/** The first poll after n8n has dropped a batch emits it again, as far as it is still there, whatever n8n's clock says. */
	private checkDroppedCameAgain(): void {
		const missing = this.service.bookings
			.filter((booking) => isThere(booking) && this.dropped.has(this.nameOf(booking)))
			.map((booking) => this.nameOf(booking));
		if (missing.length > 0) throw new Verdict(`Lost with its batch: ${missing.join()}`);
		this.dropped.clear();
	}

	/** Whatever is due has come out in this very poll, as far as there was room. */
	private checkNothingLost(out: Emission[], at: number): void {
		const gone = new Set(out.map(({ record }) => (record as { guid: string }).guid));
		const missing = this.dueAt(at).filter((booking) => {
			const name = this.nameOf(booking);
			if (gone.has(booking.guid) || this.sent.has(name) || this.known.has(name)) return false;
			return this.waiting.has(name) || this.mustComeOut(booking, at);
		});
		if (missing.length > 0 && out.length < this.setting.maxItems) {
			throw new Verdict(`Lost: ${missing.map((booking) => this.nameOf(booking)).join()}`);
		}
		this.waiting = this.withStillToCome(this.waiting, missing, at);
		if (out.length >= this.setting.maxItems) this.noteWaiting(at);
		else this.mayWait = this.withStillToCome(this.mayWait, [], at);
	}

	/** What waits and is not due any more by a clock that was set back waits on. */
	private withStillToCome(names: Set<string>, others: TimedBooking[], at: number): Set<string> {
		const isStillToCome = (booking: TimedBooking) =>
			names.has(this.nameOf(booking)) && this.dueOf(booking) > at;
		const waiting = [...others, ...this.service.bookings.filter(isStillToCome)];
		return new Set(waiting.map((booking) => this.nameOf(booking)));
	}

	private noteWaiting(at: number): void {
		const possible = this.dueAt(at).filter((booking) => this.mayComeOut(booking, at));
		this.mayWait = this.withStillToCome(this.mayWait, possible, at);
	}

	private dueAt(at: number): TimedBooking[] {
		return this.service.bookings.filter((booking) => isThere(booking) && this.dueOf(booking) <= at);
	}

	private mayComeOut(booking: TimedBooking, at: number): boolean {
		const name = this.nameOf(booking);
		if (!isThere(booking) || this.dueOf(booking) > at) return false;
		if (this.known.has(name)) return false;
		return this.waiting.has(name) || this.mayWait.has(name) || this.isInTime(booking, at);
	}

	private mustComeOut(booking: TimedBooking, at: number): boolean {
		// A clock set back to before the trigger's beginning makes nothing due.
		if (!this.isInTime(booking, Math.max(at, this.begunAt))) return false;
		const start = this.anchorOf(booking);
		const lastLook = Math.max(...this.looks);
		return this.isInTime(booking, at) && (start > at || (lastLook < at && start > lastLook));
	}

	/** Neither too old nor, before a start, made too late. */
	private isInTime(booking: TimedBooking, at: number): boolean {
		const { event, maxAgeMs } = this.setting;
		const young = this.dueOf(booking) > at - maxAgeMs;
		if (event === 'bookingEnded') return young;
		const start = this.anchorOf(booking);
		const created = this.read(booking.created);
		return start > at || (young && start > this.lastPoll && start > created);
	}

	/** The time that the event goes by, as the trigger has to read it. */
	private anchorOf(booking: TimedBooking): number {
		return this.read(this.setting.event === 'bookingEnded' ? booking.end : booking.start);
	}

	/** A moment that the service shows, to the second, as the trigger has to read it. */
	private read(ms: number): number {
		return this.service.readBack(Math.floor(ms / SECOND) * SECOND);
	}

	private dueOf(booking: TimedBooking): number {
		const { event, distanceMs } = this.setting;
		return this.anchorOf(booking) + (event === 'bookingEnded' ? distanceMs : -distanceMs);
	}

	private nameOf(booking: TimedBooking): string {
		return `${booking.guid} at ${new Date(this.anchorOf(booking)).toISOString()}`;
	}
}

function isThere({ removed, status }: TimedBooking): boolean {
	return !removed && status !== CANCELED;
}

const hosts = hostSteps<DueWorld>(
	[6, ['connection', 'hang', 'slow', 'html', 'empty', 'output']],
	[8, ['crash before save', 'crash between writes', 'superseded', 'second poll']],
	[MOVES.node, MOVES.account],
);
const when = fc.oneof(
	fc.integer({ min: -180, max: 300 }),
	fc.constantFrom(-121, -120, -60, -1, 0, 1, 30, 60, 61, 120, 121),
);

const creating: Steps<DueWorld>[number] = step(
	'create at (min), length, count, minutes apart',
	fc.tuple(when, fc.constantFrom(0, 1, 60, 120), fc.integer({ min: 1, max: 4 }), fc.constantFrom(0, 1, 20)),
	(world, [minutes, length, count, apart]) => {
		for (let made = 0; made < count; made++) world.create(minutes + made * apart, length);
	},
);

const COMMANDS: Steps<DueWorld> = [
	creating,
	creating,
	step('move to (min)', fc.tuple(fc.nat(10), when), (world, drawn) => world.move(...drawn)),
	step('status', fc.tuple(fc.nat(10), fc.constantFrom(1, CANCELED)), (world, [pick, status]) =>
		world.change(pick, () => ({ status })),
	),
	step('remove', fc.nat(10), (world, pick) => world.change(pick, () => ({ removed: true }))),
	hosts.pass(SECOND, 30 * SECOND, MINUTE, MINUTE, 30 * MINUTE, HOUR, 2 * HOUR, 5 * HOUR, 30 * HOUR),
	hosts.poll,
	hosts.poll,
	hosts.poll,
	hosts.jump(0, 0, HOUR, -HOUR, 10 * HOUR, -10 * HOUR, 720 * HOUR, -720 * HOUR),
	hosts.move,
	step('time before or after (ms)', fc.constantFrom(0, 30 * MINUTE, 2 * HOUR, 26 * HOUR), (world, ms) =>
		world.setDistance(ms),
	),
	hosts.publish,
	hosts.restart,
];

const setting: fc.Arbitrary<Setting> = fc
	.record({
		event: fc.constantFrom<DueEvent>('bookingStartsSoon', 'bookingEnded'),
		moment: fc.constantFrom(MOMENTS.autumn, MOMENTS.ordinary, ...Object.values(MOMENTS)),
		before: fc.integer({ min: 0, max: 300 }),
		form: fc.constantFrom<TimeForm['form']>('Z', 'offset', 'none'),
		distanceMs: fc.constantFrom(0, 30 * MINUTE, HOUR, 2 * HOUR, 26 * HOUR),
		maxAgeMs: fc.constantFrom(HOUR, 2 * HOUR, 24 * HOUR),
		maxItems: fc.constantFrom(1, 2, 500),
		durable: fc.boolean(),
		reEmit: fc.boolean(),
		jumps: fc.boolean(),
		intervalMs: fc.constantFrom(0, 0, 0, HOUR, 24 * HOUR),
	})
	.map(({ before, moment, form, ...rest }) => ({
		...rest,
		// As the form makes it.
		maxAgeMs: Math.max(rest.maxAgeMs, rest.intervalMs + 5 * MINUTE),
		times: { zone: moment.zone, form },
		begin: moment.at - before * MINUTE,
	}));

/** Bookings around their times: what came out is compared, poll by poll, with what must. */
export const playDue = playerOf(setting, COMMANDS, (chosen, poll) => new DueWorld(chosen, poll));
