import * as fc from 'fast-check';

import type { Emission } from '../../nodes/HospitalityBookingTrigger/follow/buildEmission';
import { feedOf } from '../unit/trigger/support';
import { type Fault, type Mishap, type Poll, type Run, Verdict } from './host';
import {
	DAY,
	HOUR,
	MINUTE,
	MOVES,
	SECOND,
	type Steps,
	World,
	type WorldSetting,
	hostSteps,
	playerOf,
	serviceOf,
	step,
} from './play';
import { type ModelledRecord, ModelledService, type Version, visible } from './service';

const CANCELED = 5;
const ROLES = { canceled: new Set([String(CANCELED)]), noShow: new Set<string>() };
/** What came due so long ago is told no more. */
const LATEST_MS = 31 * DAY;
const HALF_A_YEAR_MIN = 182 * 24 * 60;

interface Setting extends WorldSetting {
	event: 'bookingStartsSoon' | 'bookingEnded';
	/** Before the start or after the end. */
	distanceMs: number;
	overlapMs: number;
}

/** A booking as it came out. */
interface Shown {
	guid: string;
	start: string;
	end: string;
}

interface Booking {
	record: ModelledRecord;
	version: Version;
}

/** Bookings that are made, moved, canceled and removed, and what must come out and when. */
class DueWorld extends World {
	/** The time of the last poll that saw something and whose state is still in memory. */
	private lastPoll = -Infinity;
	/** When the last poll that n8n has stored was answered, and those since. */
	private looks: number[] = [];
	protected override hasBegun = false;
	/** When the trigger began and had its first response, by the service's clock, and whether nothing was shown then. */
	private begunAt = 0;
	private begunBy = 0;
	private begunInSilence = false;
	/** Bookings with their times that were due before the trigger began. */
	private known = new Set<string>();
	/** What was made, or shown, as the trigger began: either is right. */
	private optional = new Set<string>();
	/** What could have come out in a poll whose result n8n did not keep. */
	private mayWait = new Set<string>();
	/** 'Time Before Start' or 'Time After End' when the trigger began, and whether it was another one since. */
	private begunDistance = 0;
	private wasOtherDistance = false;
	private readonly emitted = new Set<string>();
	private readonly sent = new Set<string>();

	constructor(
		private readonly setting: Setting,
		poll: Poll,
	) {
		super(
			poll,
			setting,
			{
				feed: feedAt(setting),
				watching: setting.event,
				startAt: null,
			},
			() => new ModelledService('booking', setting.service),
		);
	}

	protected override beginAnew(): void {
		this.forgetBeginning();
		for (const names of [this.known, this.mayWait, this.emitted, this.sent]) names.clear();
	}

	private forgetBeginning(): void {
		this.hasBegun = false;
		this.looks = [];
	}

	/** 'Time Before Start' or 'Time After End' is set to another one. */
	setDistance(ms: number): void {
		this.setting.distanceMs = ms;
		this.wasOtherDistance ||= ms !== this.begunDistance;
		this.host.settings.feed = feedAt(this.setting);
	}

	create(minutes: number, length: number): void {
		const start = this.service.clockAt(this.now) + minutes * MINUTE;
		this.service.create(this.now, { start, end: start + length * MINUTE });
	}

	change(pick: number, to: (version: Version) => Partial<Version>): void {
		const { records } = this.service;
		const record = records[pick % Math.max(1, records.length)];
		const version = record?.versions.at(-1);
		if (record && version) this.service.change(record, this.now, to(version));
	}

	move(pick: number, minutes: number): void {
		this.change(pick, ({ start, end }) => {
			const moved = this.service.clockAt(this.now) + minutes * MINUTE;
			return { start: moved, end: moved + end - start };
		});
	}

	remove(pick: number): void {
		const { records } = this.service;
		const record = records[pick % Math.max(1, records.length)];
		if (record) record.deleted = true;
	}

	override async poll(fault: Fault, mishap: Mishap): Promise<void> {
		this.pass(this.setting.intervalMs);
		if (!this.hasBegun) return await this.activate(fault);
		const around = mishap === 'crash between writes' ? 'none' : mishap;
		await this.observing(async () => await this.host.pollOnce(fault, around), around === 'none');
	}

	override async activate(fault: Fault): Promise<void> {
		// What was only in memory is gone.
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
		this.pass(Math.max(0, (this.setting.service.silent?.[1] ?? 0) - this.now));
		if (!this.hasBegun) await this.activate('none');
		await this.pollUntilQuiet(this.service.records.length + 5, MINUTE);
	}

	/** The time by the clock that the trigger goes by: the service's, where it tells it. */
	private get clock(): number {
		return this.service.dateAt(this.now) ?? this.at;
	}

	/** @param firm whether n8n keeps what the poll comes to */
	private async observing(act: () => Promise<void>, firm: boolean): Promise<void> {
		this.polls++;
		const { lostBaselines } = this.host;
		const runs = this.host.runs.length;
		if (!this.hasBegun) this.hostJumpMs = 0;
		const { clock, service, setting } = this;
		// A publication reads what n8n has stored.
		if (this.lastPoll > clock) this.lastPoll = -Infinity;
		service.forgetShown();
		if (this.hasBegun && this.host.isReading) this.noteUnread();
		await act();
		const [violation] = this.host.violations;
		if (violation !== undefined) throw new Verdict(violation);
		const fresh = this.host.runs.slice(runs);
		this.checkRuns(fresh, clock);
		if (this.host.lostBaselines > lostBaselines) this.forgetBeginning();
		const out = fresh.flatMap(({ records }) => records);
		const wasAsked = service.shownUpTo > -Infinity;
		const isSilent = this.isSilent;
		const succeeded = wasAsked && this.host.lastSucceeded;
		const begins = !this.hasBegun && this.host.hasState && succeeded;
		if (begins) {
			this.hasBegun = true;
			this.begunAt = clock;
			this.begunBy = Math.max(clock, this.answeredAt);
			this.begunInSilence = service.shown.size === 0;
			this.begunDistance = setting.distanceMs;
			this.wasOtherDistance = false;
			const isMadeBefore = ({ record, version }: Booking) =>
				record.created < clock - (setting.service.otherForm === 'none' ? HOUR : 0) - SECOND &&
				(isSilent || visible(record, service.shownUpTo - setting.service.lagMs) === version);
			// Clocks are told in whole seconds.
			const due = this.dueAt(isSilent ? clock - SECOND : clock).filter(isMadeBefore);
			this.known = new Set(due.map((booking) => this.nameOf(booking)));
			const mayBeSeen = this.dueAt(Math.max(clock, this.answeredAt), [
				...this.bookings,
				...this.bookingsAt(service.shownUpTo - setting.service.lagMs),
			]);
			this.optional = new Set(mayBeSeen.map((booking) => this.nameOf(booking)));
			this.mayWait.clear();
		} else if (firm && succeeded && !isSilent) {
			this.checkNothingLost(out, clock);
		}
		if (!firm) this.noteWaiting(clock);
		this.lastPoll =
			firm && succeeded && (begins || service.shown.size > 0)
				? clock
				: firm
					? this.lastPoll
					: -Infinity;
		if (fresh.some(({ unsaved }) => !unsaved)) this.looks = [];
		if (begins || (succeeded && !isSilent)) this.looks.push(Math.max(clock, this.answeredAt));
	}

	/** A booking that changes before it was read for the first time: nobody can tell what it was like. */
	private noteUnread(): void {
		for (const booking of this.bookings) {
			const { record, version } = booking;
			const isChanged = record.created < this.begunBy && version.ms >= this.begunAt;
			const wasDue = this.dueOf(booking, this.begunDistance) < this.begunBy;
			if (isChanged && wasDue) this.optional.add(this.nameOf(booking));
		}
	}

	private get isSilent(): boolean {
		const { silent } = this.setting.service;
		return silent !== null && this.now >= silent[0] && this.now < silent[1];
	}

	/** What has come out may do so now, and has not come out before. */
	private checkRuns(runs: readonly Run[], clock: number): void {
		for (const { records, unsaved } of runs) {
			for (const { record } of records) {
				const booking = this.shownAs(record as Shown);
				const name = booking ? this.nameOf(booking) : `unknown ${JSON.stringify(record)}`;
				this.sent.add(name);
				if (!unsaved && this.emitted.has(name)) throw new Verdict(`Repeated: ${name}`);
				if (!unsaved) this.emitted.add(name);
				const mayComeOut = [clock, this.answeredAt].some(
					(at) => booking && this.mayComeOut(booking, at),
				);
				if (!mayComeOut) throw new Verdict(`Not an event now: ${name}`);
			}
		}
	}

	/** A replica that lags behind shows a booking as it was. */
	private shownAs({ guid, start, end }: Shown): Booking | undefined {
		const record = this.service.records.find(({ id }) => id === guid);
		const version = record?.versions.findLast(
			(one) => this.service.wasWritten(one.start, start) && this.service.wasWritten(one.end, end),
		);
		return record && version && { record, version };
	}

	/** Whatever is due has come out in this very poll, but what a replica or a cut list does not show. */
	private checkNothingLost(out: Emission[], clock: number): void {
		const { lagMs, cap } = this.setting.service;
		const gone = new Set(out.map(({ record }) => (record as { guid: string }).guid));
		const missing = this.dueAt(clock).filter((booking) => {
			const name = this.nameOf(booking);
			if (gone.has(booking.record.id) || this.sent.has(name) || this.known.has(name)) return false;
			return this.mustComeOut(booking, clock);
		});
		const isHidden = ({ version }: Booking) =>
			lagMs > 0 && version.ms > clock - this.setting.overlapMs - MINUTE;
		const lost = missing.filter((booking) => !isHidden(booking));
		if (lost.length > 0 && !cap) {
			throw new Verdict(`Lost: ${lost.map((one) => this.nameOf(one)).join()}`);
		}
		this.mayWait = this.withStillToCome(this.mayWait, missing, clock);
	}

	/** What could have come out, and is not due any more by another time before or after, may still. */
	private withStillToCome(names: Set<string>, others: Booking[], clock: number): Set<string> {
		const isStillToCome = (booking: Booking) =>
			names.has(this.nameOf(booking)) && this.dueOf(booking) > clock;
		const waiting = [...others, ...this.bookings.filter(isStillToCome)];
		return new Set(waiting.map((booking) => this.nameOf(booking)));
	}

	private noteWaiting(clock: number): void {
		const possible = this.dueAt(clock).filter((booking) => this.mayComeOut(booking, clock));
		this.mayWait = this.withStillToCome(this.mayWait, possible, clock);
	}

	private get bookings(): Booking[] {
		return this.bookingsAt(Infinity);
	}

	/** As they were shown at a moment. */
	private bookingsAt(now: number): Booking[] {
		return this.service.records.flatMap((record) => {
			const version = visible(record, now);
			return version ? [{ record, version }] : [];
		});
	}

	private dueAt(clock: number, bookings = this.bookings): Booking[] {
		return bookings.filter((booking) => isThere(booking) && this.dueOf(booking) <= clock);
	}

	private mayComeOut(booking: Booking, clock: number): boolean {
		const name = this.nameOf(booking);
		const { lagMs } = this.setting.service;
		if ((!isThere(booking) && lagMs === 0) || this.dueOf(booking) > clock) return false;
		// What was canceled when it was first shown, or not due by another time before or after, was not known.
		const wasCanceled = booking.record.versions.some(({ status }) => status === CANCELED);
		const isUnsure = this.begunInSilence && (wasCanceled || this.wasOtherDistance);
		if (this.known.has(name) && !isUnsure) return false;
		return this.mayWait.has(name) || this.isInTime(booking, clock);
	}

	private mustComeOut(booking: Booking, clock: number): boolean {
		if (!this.isInTime(booking, clock)) return false;
		if (this.optional.has(this.nameOf(booking))) return false;
		// What was made, or changed, and due before a beginning that saw nothing is not told.
		const { record, version } = booking;
		const isFromBefore = version.ms < this.begunBy || record.created < this.begunBy + SECOND;
		const wasDueBefore = this.dueOf(booking, this.begunDistance) < this.begunBy;
		if (this.begunInSilence && isFromBefore && wasDueBefore) return false;
		const start = this.anchorOf(booking);
		const lastLook = Math.max(...this.looks);
		return (
			this.setting.event === 'bookingEnded' ||
			start > clock ||
			(lastLook < clock && start > lastLook)
		);
	}

	/** Neither too old nor, before a start, made too late. */
	private isInTime(booking: Booking, clock: number): boolean {
		const young = this.dueOf(booking) > clock - LATEST_MS;
		if (this.setting.event === 'bookingEnded') return young;
		const start = this.anchorOf(booking);
		const created = this.service.readBack(booking.record.created);
		return (
			start > clock || (young && start > this.lastPoll - this.setting.overlapMs && start > created)
		);
	}

	/** The time that the event goes by, as the trigger has to read it. */
	private anchorOf({ version: { start, end } }: Booking): number {
		return this.service.readBack(this.setting.event === 'bookingEnded' ? end : start);
	}

	private dueOf(booking: Booking, distanceMs = this.setting.distanceMs): number {
		const { event } = this.setting;
		return this.anchorOf(booking) + (event === 'bookingEnded' ? distanceMs : -distanceMs);
	}

	private nameOf(booking: Booking): string {
		return `${booking.record.id} at ${new Date(this.anchorOf(booking)).toISOString()}`;
	}
}

function feedAt({ event, distanceMs, overlapMs, service: { zone } }: Setting) {
	return feedOf(event, { zone, distanceMs, overlapMs, filters: { statusRoles: ROLES } });
}

function isThere({ record, version }: Booking): boolean {
	return !record.deleted && version.status !== CANCELED;
}

const hosts = hostSteps<DueWorld>(
	[6, ['connection', 'hang', 'slow', 'html', 'empty', 'output']],
	[8, ['crash before save', 'superseded', 'second poll']],
	[MOVES.node, MOVES.account],
);
const when = fc.oneof(
	{ weight: 4, arbitrary: fc.integer({ min: -180, max: 300 }) },
	{ weight: 4, arbitrary: fc.constantFrom(-121, -120, -60, -1, 0, 1, 30, 60, 61, 120, 121) },
	// When the zone's clock has been changed.
	{ weight: 1, arbitrary: fc.constant(HALF_A_YEAR_MIN) },
);

const creating: Steps<DueWorld>[number] = step(
	'create at (min), length, count, minutes apart',
	fc.tuple(
		when,
		fc.constantFrom(0, 1, 60, 120),
		fc.integer({ min: 1, max: 4 }),
		fc.constantFrom(0, 1, 20),
	),
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
	step('remove', fc.nat(10), (world, pick) => world.remove(pick)),
	hosts.pass(SECOND, 30 * SECOND, MINUTE, MINUTE, 30 * MINUTE, HOUR, 2 * HOUR, 5 * HOUR, 30 * HOUR),
	hosts.poll,
	hosts.poll,
	hosts.poll,
	hosts.jump(0, 0, HOUR, -HOUR, 10 * HOUR, -10 * HOUR, 720 * HOUR, -720 * HOUR),
	hosts.move,
	step(
		'time before or after (ms)',
		fc.constantFrom(0, 30 * MINUTE, 2 * HOUR, 26 * HOUR),
		(world, ms) => world.setDistance(ms),
	),
	hosts.publish,
	hosts.restart,
];

const setting: fc.Arbitrary<Setting> = fc
	.record({
		event: fc.constantFrom<Setting['event']>('bookingStartsSoon', 'bookingEnded'),
		begun: serviceOf(0),
		distanceMs: fc.constantFrom(0, 30 * MINUTE, HOUR, 2 * HOUR, 26 * HOUR),
		overlapMs: fc.constantFrom(0, 2 * MINUTE, 10 * MINUTE),
		durable: fc.boolean(),
		jumps: fc.boolean(),
		intervalMs: fc.constantFrom(0, 0, 0, HOUR, 24 * HOUR),
	})
	.map(({ begun: { service, begin }, jumps, overlapMs, ...rest }) => ({
		...rest,
		overlapMs,
		begin,
		// n8n's clock alone is believed.
		jumps: jumps && service.isDated,
		service: {
			...service,
			// The booking's own times are to the second.
			decimals: 0,
			secondStampMs: 0,
			// A cut list of what is going on cannot be asked on.
			cap: null,
			history:
				service.history === 'none' || service.history === 'mixed'
					? ('dated' as const)
					: service.history,
			lagMs: Math.min(service.lagMs, Math.max(0, overlapMs - 10 * SECOND)),
		},
	}));

/** Bookings around their times: what came out is compared, poll by poll, with what must. */
export const playDue = playerOf(setting, COMMANDS, (chosen, poll) => new DueWorld(chosen, poll));
