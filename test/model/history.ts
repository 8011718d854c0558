import * as fc from 'fast-check';

import { type DueEvent, bookingFeed } from '../../nodes/HospitalityBookingTrigger/feeds/bookings';
import { customerFeed } from '../../nodes/HospitalityBookingTrigger/feeds/customers';
import type { TriggerEvent } from '../../nodes/HospitalityBookingTrigger/events';
import type { Feed } from '../../nodes/HospitalityBookingTrigger/feeds/feed';
import { recipientFeed } from '../../nodes/HospitalityBookingTrigger/feeds/recipients';
import { type Fault, type Mishap, type Poll, Verdict } from './host';
import { offsetAt } from './zones';
import {
	HOUR,
	MINUTE,
	MOMENTS,
	MOVES,
	type Play,
	SECOND,
	type Steps,
	World,
	type WorldSetting,
	hostSteps,
	playerOf,
	step,
} from './play';
import {
	type ClockForm,
	type Kind,
	ModelledService,
	type ModelledRecord,
	type Version,
	startOf,
	visible,
} from './service';

const DAY = 24 * HOUR;

/** The events that are a change of a record; Booking No-Show is Booking Canceled with another status. */
type ChangeEvent = Exclude<TriggerEvent, DueEvent | 'bookingNoShow'>;

/** What stays the same through one history. */
interface Setting extends WorldSetting {
	event: ChangeEvent;
	clock: ClockForm;
	overlapMs: number;
	/** The credential's time zone until it is corrected. */
	firstZone: string;
	/** The service's stamps are UTC although they do not say so, and the credential has another zone: lastChangedUtc. */
	inUtc: boolean;
	startsEarlier: boolean;
	/** Whose clock jumps and comes back. */
	jumps: 'none' | 'service' | 'n8n';
	/** Whether every other customer has no `lastChangedUtc`. */
	unstamped: boolean;
	/** Whether the event is told by what was last seen: that of a status where the service gives no history. */
	isDifference: boolean;
	/** How many records of ten days before there are at the beginning. */
	oldRecords: number;
}

const CANCELED = 2;
const ROLES = { canceled: new Set([String(CANCELED)]) };
/** So many timestamps may be wrong at a time. */
const MOST_WRONG = 2;

type Identity = (record: ModelledRecord, version: Version) => string | undefined;

/** What the model says of each event that a record's state shows: which is one, under which name; undefined: none is. */
const IDENTITY: Partial<Record<ChangeEvent, Identity>> = {
	bookingCreated: ({ id }) => id,
	bookingUpdated: (record, version) =>
		version.stamp === record.createdAt && version.history.length === 1
			? undefined
			: changeOf(record, version),
	bookingChanged: changeOf,
	bookingStatusChanged: ({ id }, { status, history }) =>
		history.length === 1 ? undefined : `${id}|${status}|${history.length}`,
	bookingCanceled: ({ id }, { status, history }) =>
		status === CANCELED && history.length > 1 ? `${id}|canceled|${turnsOf(history)}` : undefined,
	customerCreated: ({ id }) => id,
	customerChanged: ({ id }, { stamp }) => `${id}|${stamp}`,
	surveyAnswered: ({ id }, { stamp }) => `${id}|${stamp}`,
};

/** How often a booking has become canceled, or ceased to be. */
function turnsOf(history: Version['history']): number {
	const isCanceled = history.map(({ status }) => status === CANCELED);
	return isCanceled.filter((is, index) => index > 0 && is !== isCanceled[index - 1]).length;
}

function changeOf({ id }: ModelledRecord, { stamp, status, history }: Version): string {
	return `${id}|${stamp}|${status}|${history.length}`;
}

/** The events that are told by what was last seen of a booking. */
const ALWAYS_TOLD_BY_DIFFERENCE: ChangeEvent[] = ['bookingPaymentChanged', 'bookingRescheduled'];
const TOLD_WITHOUT_HISTORY: ChangeEvent[] = ['bookingStatusChanged', 'bookingCanceled'];

function feedOf(event: ChangeEvent): Feed {
	if (event === 'customerCreated' || event === 'customerChanged') return customerFeed(event);
	if (event === 'surveyAnswered') return recipientFeed('');
	return bookingFeed(event, { filters: { unitParameter: 'unitIds', statusRoles: ROLES }, include: [] });
}

function kindOf(event: ChangeEvent): Kind {
	if (event === 'surveyAnswered') return 'recipient';
	return event.startsWith('customer') ? 'customer' : 'booking';
}

/** Changes of records, and what must come out of them. */
class ChangeWorld extends World<ModelledService> {
	private readonly stampedWrongly = new Set<string>();
	/** The records that the service has shown since the differences were noted; undefined where a poll ended before it asked. */
	private shownSince: Set<string> | undefined;
	/** Of the events that are told by it: what the trigger has seen last of each booking. */
	private lastSeen = new Map<string, number>();
	/** What of that n8n has stored. */
	private lastSeenAndStored = new Map<string, number>();
	/** The bookings from before the beginning, and the moment of it where the clock told: what they began with is not known. */
	private readonly old = new Set<string>();
	private begunAt = -Infinity;
	/** What has gone out, by key of the event, and whether its run was dropped. */
	private readonly told = new Map<string, { name: string; dropped: boolean }>();
	/** What was there before the trigger began, which must not come out. */
	private before: Set<string> | undefined;
	/** Where the service's first response was empty: the moment the trigger began, by n8n's clock. */
	private countsFrom: number | null = null;
	/** What each beginning counts from by 'Start From'. */
	private readonly startAt: number | null;

	constructor(
		private readonly setting: Setting,
		poll: Poll,
	) {
		const { clock, event, begin, overlapMs, firstZone: zone, startsEarlier } = setting;
		const ownClock = setting.inUtc ? { ...clock, zone: 'UTC' } : clock;
		const startAt = startsEarlier ? Math.floor((begin + clock.skewMs) / SECOND) * SECOND : null;
		const own = { feed: feedOf(event), zone, watching: 'all', overlapMs, maxAgeMs: 0, startAt };
		const hasHistory = !setting.isDifference || !TOLD_WITHOUT_HISTORY.includes(event);
		super(poll, setting, own, () => {
			const service = new ModelledService(kindOf(event), ownClock, setting.unstamped, hasHistory);
			for (let made = 0; made < setting.oldRecords; made++) service.create(begin - 10 * DAY, 0);
			return service;
		});
		this.startAt = startAt;
	}

	protected override get hasBegun(): boolean {
		return this.before !== undefined;
	}

	protected override list(query: Record<string, unknown>): unknown[] {
		const shown = super.list(query) as Array<{ guid: string }>;
		this.shownSince ??= new Set();
		for (const { guid } of shown) this.shownSince.add(guid);
		return shown;
	}

	override jump(ms: number): void {
		if (this.setting.jumps === 'service') this.service.jumpMs = Math.abs(ms);
		// Where the trigger began by n8n's clock, all of the response can lie before that: it may begin anew.
		const isDoubtful = this.countsFrom !== null && this.setting.clock.skewMs < 0;
		if (this.setting.jumps === 'n8n' && this.before && !isDoubtful) this.hostJumpMs = ms;
	}

	correctZone(): void {
		this.host.settings.zone = this.setting.clock.zone;
	}

	protected override beginAnew(): void {
		this.check(false);
		this.host.runs.length = 0;
		this.before = undefined;
		this.forgetDifferences();
	}

	/** Options that may change while the trigger goes on. */
	setOptions(overlapMs: number, maxItems: number): void {
		const { setting, host } = this;
		host.settings.overlapMs = setting.overlapMs + overlapMs;
		if (setting.maxItems !== 500) host.settings.maxItems = maxItems;
	}

	/** One record gets a timestamp that is far off. */
	stampWrongly(pick: number, byMs: number): void {
		if (this.stampedWrongly.size >= MOST_WRONG) return;
		const record = this.service.records[pick];
		if (record) this.service.change(record, this.now, 0, undefined, byMs);
		else this.service.create(this.now, 0, byMs);
		this.stampedWrongly.add((record ?? this.service.records.at(-1))?.id ?? '');
	}

	/** A delay that the overlap covers: it ends more than one tick of the service's clock before the overlap does. */
	private delay(share: number): number {
		return Math.max(0, Math.floor(share * (this.setting.overlapMs - 2 * SECOND)));
	}

	create(count: number, delay: number, value = 0): void {
		for (let made = 0; made < count; made++) this.service.create(this.now, this.delay(delay), 0, value);
	}

	change(picks: number[], delay: number, status?: number, value?: number): void {
		for (const pick of picks) {
			const record = this.service.records[pick % Math.max(1, this.service.records.length)];
			if (record) this.service.change(record, this.now, this.delay(delay), status, 0, value);
		}
	}

	remove(pick: number): void {
		const record = this.service.records[pick % Math.max(1, this.service.records.length)];
		if (record) record.deleted = true;
	}

	override async poll(fault: Fault, mishap: Mishap): Promise<void> {
		this.pass(this.setting.intervalMs);
		// Without the option, what n8n drops there is lost.
		const possible = mishap === 'crash between writes' && !this.setting.reEmit ? 'none' : mishap;
		if (!this.before) return await this.activate(fault);
		const before = this.host.runs.length;
		const { lastSeenAndStored } = this;
		await this.noting(async () => await this.host.pollOnce(fault, possible));
		if (possible === 'superseded') this.lastSeenAndStored = lastSeenAndStored;
		if (possible === 'superseded' || (possible.startsWith('crash') && this.host.runs.length > before))
			this.forgetUnsaved();
	}

	override async activate(fault: Fault): Promise<void> {
		await this.publish(fault, async (possible) => await this.host.activate(possible));
	}

	override async restart(fault: Fault): Promise<void> {
		if (this.before) await this.publish(fault, async (possible) => await this.host.restart(possible));
	}

	private async publish(fault: Fault, act: (fault: Fault) => Promise<void>): Promise<void> {
		const possible = this.possibleAtFirst(fault);
		this.forgetUnsaved();
		await this.noting(async () => await act(possible), possible);
		if (this.host.lastSucceeded || !this.setting.durable) this.storeLastSeen();
	}

	/** Begun without a list, changes count from n8n's clock: not told by id, nor by local times. */
	private possibleAtFirst(fault: Fault): Fault {
		const { event, clock } = this.setting;
		const guesses = event === 'customerCreated' || clock.form === 'none';
		return fault === 'empty' && guesses ? 'html' : fault;
	}

	/** Lets everything become visible and polls until nothing more comes; then n8n starts again, and nothing may come. */
	override async settle(): Promise<void> {
		// The trigger does not begin before its 'Start From'.
		this.pass(Math.max(0, (this.startAt ?? 0) - this.at));
		if (!this.before) await this.activate('none');
		this.pass(Math.max(this.setting.overlapMs, MINUTE));
		const most = this.service.records.reduce((sum, { versions }) => sum + versions.length, 0) + 2;
		await this.pollUntilQuiet(most, 0);
		await this.restart('none');
		await this.poll('none', 'none');
		this.check();
	}

	/** @throws Verdict that names what was lost, repeated or made up */
	private check(isAll = true): void {
		const [violation] = this.host.violations;
		if (violation !== undefined) throw new Verdict(violation);
		if (this.setting.isDifference) {
			if (isAll) this.checkDifferences();
			return;
		}
		/** How often each has come out, by runs that n8n has stored. */
		const emitted = new Map<string, number>();
		/** The events that have gone out, by key: a record that comes again can have changed meanwhile. */
		const byKey = new Map<string, string>();
		for (const { records, unsaved, dropped } of this.host.runs) {
			for (const { record, key, again } of records) {
				const name = again ? byKey.get(key) : this.nameOf(record);
				if (name === undefined)
					throw new Verdict(`Marked though it had not gone out: ${this.nameOf(record)}`);
				byKey.set(key, name);
				if (dropped) continue;
				emitted.set(name, (emitted.get(name) ?? 0) + (again || unsaved ? 0 : 1));
			}
		}
		const possible = this.possible();
		for (const [name, times] of emitted) {
			if (times > 1) throw new Verdict(`Repeated ${times - 1} times: ${name}`);
			if (!possible.has(name) && !this.mayComeBack(name))
				throw new Verdict(`Not an event of this trigger: ${name}`);
		}
		for (const record of this.service.records) {
			const last = record.versions.at(-1);
			const name = last && this.eventName(record, last);
			if (isAll && !record.deleted && name !== undefined && !emitted.has(name))
				throw new Verdict(`Lost: ${name}`);
		}
	}

	private forgetDifferences(): void {
		this.lastSeen = new Map();
		this.storeLastSeen();
		this.old.clear();
		this.told.clear();
	}

	/** What the last poll gave against what the trigger had seen last. @throws Verdict */
	private noteDifferences(runsBefore: number): void {
		const { service, host, setting, lastSeen, shownSince } = this;
		this.shownSince = undefined;
		const { event } = setting;
		const isPayment = event === 'bookingPaymentChanged';
		for (const { records, unsaved, dropped } of host.runs.slice(runsBefore)) {
			for (const { record, key, again, changes } of records) {
				const name = this.nameOf(record);
				const sent = this.told.get(key);
				if (again && !sent) throw new Verdict(`Marked though it had not gone out: ${name}`);
				const was = changes?.before[isPayment ? 'chargePayedAmount' : 'start'];
				if (again && changes) throw new Verdict(`Came again with what had changed: ${name}`);
				this.told.set(key, { name: sent?.name ?? name, dropped: dropped && sent?.dropped !== false });
				const [booking, version] = this.find(name);
				if (again || !booking || !version || this.hasTwins(booking)) continue;
				const seen = lastSeen.get(booking.id) ?? this.begins;
				const isShown = ALWAYS_TOLD_BY_DIFFERENCE.includes(event);
				const isRight = seen !== undefined && (!isShown || was === (isPayment ? seen * 100 : startOf(seen)));
				if (!this.isStrange(booking) && (!isRight || !this.isTold(seen, version.value)))
					throw new Verdict(
						`${sent ? 'Repeated' : 'Not an event of this trigger'}: ${name}, ${String(was)}, was ${seen}`,
					);
				if (!unsaved) lastSeen.set(booking.id, version.value);
			}
		}
		const isAgain = host.runs.slice(runsBefore).some(({ records }) => records.some(({ again }) => again));
		if (!host.lastSucceeded || isAgain || !shownSince) return;
		for (const record of service.records) {
			const version = record.deleted ? undefined : visible(record, this.now);
			const isLearned = this.isFromBefore(record)
				? shownSince.has(record.id)
				: this.begins === undefined || this.old.has(record.id);
			const seen = lastSeen.get(record.id) ?? (isLearned ? undefined : this.begins);
			if (version && (seen === undefined ? isLearned : !this.isTold(seen, version.value)))
				lastSeen.set(record.id, version.value);
		}
		if (setting.durable || host.runs.slice(runsBefore).some(({ unsaved }) => !unsaved)) this.storeLastSeen();
	}

	/** What every booking begins with, where that is certain. */
	private get begins(): number | undefined {
		return ['bookingPaymentChanged', 'bookingCanceled'].includes(this.setting.event) ? 0 : undefined;
	}

	/** Whether a value that differs is what is waited for. */
	private isTold(seen: number | undefined, value: number): boolean {
		return this.setting.event === 'bookingCanceled'
			? value === CANCELED && seen !== CANCELED
			: value !== seen;
	}

	/** By the service's clock, where n8n's told the beginning: it is known once it has been shown. */
	private isFromBefore({ versions }: ModelledRecord): boolean {
		return (versions[0]?.ms ?? 0) < this.begunAt;
	}

	/** Made at another time than it says, where n8n's clock told the beginning, and not seen yet: either is right. */
	private isStrange({ id }: ModelledRecord): boolean {
		return this.begunAt > -Infinity && this.stampedWrongly.has(id) && !this.lastSeen.has(id);
	}

	private forgetUnsaved(): void {
		this.lastSeen = new Map(this.lastSeenAndStored);
	}

	private storeLastSeen(): void {
		this.lastSeenAndStored = new Map(this.lastSeen);
	}

	private identityOf(record: ModelledRecord, version: Version): string | undefined {
		const { event, isDifference } = this.setting;
		if (!isDifference) return IDENTITY[event]?.(record, version);
		// Without a history, the value is the status.
		const shown = this.service.hasHistory ? changeOf(record, version) : `${record.id}|${version.stamp}`;
		return `${shown}|${version.value}`;
	}

	private namesOf(record: ModelledRecord, versions = record.versions): Array<string | undefined> {
		return versions.map((version) => this.identityOf(record, version));
	}

	/** Two changes within one tick of the service's clock that lead back to where it was count as none. */
	private hasTwins(record: ModelledRecord): boolean {
		const names = this.namesOf(record);
		return names.some((name, index) => names.lastIndexOf(name) > index + 1);
	}

	private find(name: string): [ModelledRecord?, Version?] {
		const record = this.service.records.find(({ id }) => id === name.split('|')[0]);
		return [record, record?.versions.find((version) => this.identityOf(record, version) === name)];
	}

	/** @throws Verdict for a booking whose newest value has not come out */
	private checkDifferences(): void {
		for (const record of this.service.records) {
			const last = record.versions.at(-1);
			if (!last || record.deleted || last.ms < this.begunAt || this.hasTwins(record)) continue;
			// One that came after the last poll that succeeded is new; of one from before the beginning nothing was known.
			const isUnknown = this.begins === undefined || this.isFromBefore(record) || this.isStrange(record);
			const seen = this.lastSeen.get(record.id) ?? (isUnknown ? last.value : this.begins);
			if (this.isTold(seen, last.value))
				throw new Verdict(`Lost: ${record.id} is ${last.value}, seen was ${seen}`);
		}
		for (const { name, dropped } of this.told.values()) {
			const [record] = this.find(name);
			if (dropped && record && !record.deleted) throw new Verdict(`Lost with its batch: ${name}`);
		}
	}

	/**
	 * Where a record's own timestamp goes back, a change can bear the time of an earlier one, and a booking can have been
	 * changed before it was made.
	 */
	private mayComeBack(name: string): boolean {
		const { event } = this.setting;
		const [record] = this.find(name);
		const [created] = record?.versions ?? [];
		if (!record || !created || /^(customerCreated|bookingStatusChanged|bookingCanceled)$/.test(event))
			return false;
		if (event === 'bookingCreated') return record.versions.some(({ ms }) => ms < created.ms);
		const names = this.namesOf(record);
		return names.slice(names.indexOf(name), names.lastIndexOf(name)).some((other) => other !== name);
	}

	private possible(): Set<string | undefined> {
		return new Set(
			this.service.records.flatMap((record) =>
				record.versions.map((version) => this.eventName(record, version)),
			),
		);
	}

	private eventName(record: ModelledRecord, version: Version): string | undefined {
		const name = this.identityOf(record, version);
		const known = name === undefined || this.before?.has(name) || this.namesBefore(record).has(name);
		return known ? undefined : name;
	}

	/** What the service's clock puts before the trigger's beginning, where that was told by n8n's clock. */
	private namesBefore(record: ModelledRecord): Set<string | undefined> {
		const from = this.countsFrom ?? -Infinity;
		return new Set(
			this.namesOf(
				record,
				record.versions.filter(({ ms }) => ms < from),
			),
		);
	}

	private nameOf(output: unknown): string {
		const { guid, id } = output as { guid?: string; id?: string | number };
		const record = this.service.records.find((one) => one.id === String(guid ?? id));
		if (record && this.setting.event === 'customerCreated') return record.id;
		const written = output as {
			changeDate?: string;
			lastChangedUtc?: string;
			respondedTime?: string;
			status?: number;
			history?: unknown[];
			chargePayedAmount?: number;
		};
		const version = record?.versions.find(
			({ stamp, status, history, value }) =>
				(guid === undefined || value * 100 === written.chargePayedAmount) &&
				stamp === (written.changeDate ?? written.lastChangedUtc ?? written.respondedTime) &&
				(!written.history || (status === written.status && history.length === written.history.length)),
		);
		return (record && version && this.identityOf(record, version)) ?? `unknown ${JSON.stringify(output)}`;
	}

	/** What was there is known, or learned silently. */
	private noteBeginning(fault: Fault, begun: number): void {
		this.begunAt = this.startAt ?? (fault === 'empty' ? begun : -Infinity);
		if (this.begunAt > -Infinity) return;
		for (const record of this.service.records) if (visible(record, this.now)) this.old.add(record.id);
	}

	private async noting(act: () => Promise<void>, fault: Fault = 'none'): Promise<void> {
		this.polls++;
		const { lostBaselines } = this.host;
		const begun = this.now;
		if (!this.before) this.hostJumpMs = 0;
		const runs = this.host.runs.length;
		await act();
		const isTold = this.setting.isDifference;
		// A baseline that n8n had not saved is gone with the process; the next poll takes another.
		if (this.host.lostBaselines > lostBaselines) this.before = undefined;
		if (!this.before && isTold) this.forgetDifferences();
		if (!this.before && this.host.hasState && isTold) this.noteBeginning(fault, begun);
		if (isTold && this.host.hasState) this.noteDifferences(runs);
		if (this.before || !this.host.hasState) return;
		this.countsFrom = fault === 'empty' ? (this.startAt ?? begun) : null;
		const startAt = this.startAt ?? Infinity;
		const old = this.service.records.flatMap((record) => {
			const upTo = visible(record, this.now);
			const known = upTo ? record.versions.slice(0, record.versions.indexOf(upTo) + 1) : [];
			return this.namesOf(
				record,
				known.filter(({ ms }) => ms < startAt),
			);
		});
		this.before = new Set(this.countsFrom === null ? old.filter((name) => name !== undefined) : []);
	}
}

const hosts = hostSteps<ChangeWorld>(
	[5, ['connection', 'hang', 'slow', 'lost answer', 'html', 'empty', 'output']],
	[6, ['crash before save', 'crash between writes', 'superseded', 'second poll', 'read early']],
	[MOVES.node, MOVES.watching, MOVES.account],
);
const delay = fc.oneof(
	fc.constant(0),
	fc.integer({ min: 1, max: 100 }).map((percent) => percent / 100),
);
const picks = fc.array(fc.nat(30), { minLength: 1, maxLength: 4 });
const value = fc.integer({ min: 0, max: 2 });

const VALUES: Steps<ChangeWorld> = [
	step('picks, late, value', fc.tuple(picks, delay, value), (world, [which, late, to]) =>
		world.change(which, late, undefined, to),
	),
	step('create late, with value', fc.tuple(delay, value), (world, [late, having]) =>
		world.create(1, late, having),
	),
];

const COMMANDS: Steps<ChangeWorld> = [
	step('create, late', fc.tuple(fc.integer({ min: 1, max: 8 }), delay), (world, drawn) =>
		world.create(...drawn),
	),
	step('edit, late', fc.tuple(picks, delay), (world, drawn) => world.change(...drawn)),
	step('picks, late, status', fc.tuple(picks, delay, fc.integer({ min: 1, max: 3 })), (world, drawn) =>
		world.change(...drawn),
	),
	step('delete', fc.nat(30), (world, pick) => world.remove(pick)),
	hosts.pass(
		SECOND,
		20 * SECOND,
		20 * SECOND,
		MINUTE,
		MINUTE,
		3 * MINUTE,
		20 * MINUTE,
		50 * MINUTE,
		7 * HOUR,
		25 * HOUR,
		72 * HOUR,
	),
	hosts.poll,
	hosts.poll,
	hosts.jump(0, 0, HOUR, 10 * HOUR, -10 * HOUR, 30 * DAY, -30 * DAY),
	step(
		'stamp ahead by (ms)',
		fc.tuple(fc.nat(30), fc.constantFrom(HOUR, 47 * HOUR, 30 * DAY, 74 * 365 * DAY)),
		(world, drawn) => world.stampWrongly(...drawn),
	),
	step('correct the time zone', fc.constant(null), (world) => world.correctZone()),
	hosts.move,
	step(
		'more overlap (ms), items a poll',
		fc.tuple(fc.constantFrom(0, 10 * MINUTE), fc.constantFrom(1, 3, 10)),
		(world, drawn) => world.setOptions(...drawn),
	),
	hosts.publish,
	hosts.restart,
];

/** Whether the clocks of a zone are ahead of a moment's own. */
function isEast(zone: string, moment: { zone: string; at: number }): boolean {
	return offsetAt(moment.at, zone) > offsetAt(moment.at, moment.zone);
}

const HAS_NO_CHANGE = ['Asia/Kolkata', 'UTC'];

/** America's and the turn of the year, too. */
const ALL_MOMENTS = [
	MOMENTS.autumn,
	MOMENTS.spring,
	{ zone: 'America/New_York', at: Date.parse('2026-11-01T06:00:00Z') },
	MOMENTS.halfAnHour,
	MOMENTS.ordinary,
	{ zone: 'UTC', at: Date.parse('2026-12-31T23:30:00Z') },
];

const settingOf = (events: readonly ChangeEvent[], isDifference: boolean): fc.Arbitrary<Setting> =>
	fc
		.record({
			event: fc.constantFrom(...events),
			isDifference: fc.constant(isDifference),
			moment: fc.constantFrom(...ALL_MOMENTS),
			before: fc.integer({ min: 0, max: 180 }),
			form: fc.constantFrom<ClockForm['form']>('Z', 'offset', 'none'),
			decimals: fc.constantFrom(0, 3, 6),
			skewMs: fc.oneof(fc.constant(0), fc.integer({ min: -24 * HOUR, max: 24 * HOUR })),
			overlapMs: fc.constantFrom(0, 2 * MINUTE, 2 * MINUTE, 10 * MINUTE),
			maxItems: fc.constantFrom(1, 3, 10, 500),
			durable: fc.boolean(),
			startsEarlier: fc.boolean(),
			reEmit: fc.boolean(),
			jumps: fc.constantFrom<Setting['jumps']>('none', 'service', 'n8n'),
			unstamped: fc.boolean(),
			oldRecords: fc.constantFrom(0, 0, 1, 5),
			intervalMs: fc.constantFrom(0, 0, 0, HOUR, DAY + SECOND),
			otherZone: fc.constantFrom(undefined, 'UTC', 'Asia/Tokyo', 'America/New_York'),
		})
		.map(({ moment, form, otherZone, ...rest }) => ({
			...rest,
			moment,
			form,
			// Before the clocks are changed the zone has to be right.
			firstZone: (form === 'none' && HAS_NO_CHANGE.includes(moment.zone) && otherZone) || moment.zone,
		}))
		.map(({ event, moment, before, form, decimals, skewMs, startsEarlier, ...rest }) => ({
			...rest,
			event,
			// Customers' times are UTC.
			inUtc: event.startsWith('customer') && form === 'none',
			unstamped: rest.unstamped && event === 'customerCreated' && rest.jumps !== 'n8n',
			// A service's clock that is set back to before n8n's, as a zone further east shows it, opens a gap.
			jumps: rest.jumps === 'service' && (skewMs < 0 || isEast(rest.firstZone, moment)) ? 'none' : rest.jumps,
			clock: { zone: moment.zone, form, decimals, skewMs },
			begin: Math.floor((moment.at - before * MINUTE - skewMs) / SECOND) * SECOND,
			// Which customers were new before that is a guess, and local times around the change do not tell a moment.
			startsEarlier: startsEarlier && event !== 'customerCreated' && form !== 'none',
		}));

function changesOf(events: readonly ChangeEvent[], isDifference: boolean, steps: Steps<ChangeWorld>): Play {
	const setting = settingOf(events, isDifference);
	return playerOf(setting, steps, (chosen, poll) => new ChangeWorld(chosen, poll));
}

export const playChanges = changesOf(Object.keys(IDENTITY) as ChangeEvent[], false, COMMANDS);

/** The same for the events that are told by what was last seen of a booking. */
export const playDifferences = changesOf([...ALWAYS_TOLD_BY_DIFFERENCE, ...TOLD_WITHOUT_HISTORY], true, [
	...VALUES,
	...VALUES,
	...COMMANDS,
]);
