import * as fc from 'fast-check';
import remove from 'lodash/remove';

import type { TriggerEvent } from '../../nodes/HospitalityBookingTrigger/events/events';
import { feedOf } from '../unit/trigger/support';
import { type Fault, type Mishap, type Poll, Verdict } from './host';
import {
	DAY,
	HOUR,
	MINUTE,
	MOVES,
	type Play,
	SECOND,
	type Steps,
	World,
	type WorldSetting,
	hostSteps,
	playerOf,
	serviceOf,
	step,
} from './play';
import {
	type ModelledRecord,
	ModelledService,
	type RecordKind,
	type ServiceKind,
	type Version,
	startOf,
	toInstant,
	visible,
} from './service';

/** The events that are a change of a record; Booking No-Show is Booking Canceled with another status. */
type ChangeEvent = Exclude<TriggerEvent, 'bookingStartsSoon' | 'bookingEnded' | 'bookingNoShow'>;

/** What stays the same through one history. */
interface Setting extends WorldSetting {
	event: ChangeEvent;
	overlapMs: number;
	startsEarlier: boolean;
	/** Whether the event is told by what was last seen: that of a status where the service gives no history. */
	isDifference: boolean;
	/** How many records of ten days before there are at the beginning. */
	oldRecords: number;
}

const CANCELED = 2;
const ROLES = { canceled: new Set([String(CANCELED)]) };
/** So many timestamps may be wrong at a time. */
const MOST_WRONG = 2;
/** Two timestamps of one write may differ by so much. */
const SAME_WRITE_MS = 2 * SECOND;
/** Versions that are so close may be shown in any order. */
const SKEW_MS = 3 * SECOND;

type Identity = (record: ModelledRecord, version: Version) => string | undefined;

/** What the model says of each event that a record's state shows: which is one, under which name; undefined: none is. */
const IDENTITY: Partial<Record<ChangeEvent, Identity>> = {
	bookingCreated: ({ id }) => id,
	bookingUpdated: (record, version) => {
		const [first] = record.versions;
		const name = changeOf(record, version);
		return first && name === changeOf(record, first) && isAsMade(record, first) ? undefined : name;
	},
	bookingChanged: changeOf,
	bookingStatusChanged: ({ id }, { status, history }) =>
		history.length === 1 ? undefined : `${id}|${status}|${history.length}`,
	bookingCanceled: ({ id }, { status, history }) =>
		status === CANCELED && history.length > 1 ? `${id}|canceled|${turnsOf(history)}` : undefined,
	customerCreated: ({ id }) => id,
	customerChanged: ({ id }, { ms }) => `${id}|${ms}`,
	surveyAnswered: ({ id }, { ms }) => `${id}|${ms}`,
};

/** How often a booking has become canceled, or ceased to be. */
function turnsOf(history: Version['history']): number {
	const isCanceled = history.map(({ status }) => status === CANCELED);
	return isCanceled.filter((is, index) => index > 0 && is !== isCanceled[index - 1]).length;
}

function changeOf({ id }: ModelledRecord, { ms, status, history }: Version): string {
	return `${id}|${ms}|${status}|${history.length}`;
}

function isAsMade({ created }: ModelledRecord, { ms, history }: Version): boolean {
	return Math.abs(ms - created) <= SAME_WRITE_MS && history.length === 1;
}

/** The events that are told by what was last seen of a booking. */
const ALWAYS_TOLD_BY_DIFFERENCE: ChangeEvent[] = ['bookingPaymentChanged', 'bookingRescheduled'];
const TOLD_WITHOUT_HISTORY: ChangeEvent[] = ['bookingStatusChanged', 'bookingCanceled'];

function kindOf(event: ChangeEvent): RecordKind {
	if (event === 'surveyAnswered') return 'recipient';
	return event.startsWith('customer') ? 'customer' : 'booking';
}

/** Changes of records, and what must come out of them. */
class ChangeWorld extends World {
	private readonly stampedWrongly = new Set<string>();
	/** Of the events that are told by it: what the trigger has seen last of each booking. */
	private lastSeen = new Map<string, Version>();
	/** What of that n8n has stored. */
	private lastSeenAndStored = new Map<string, Version>();
	/** The bookings from before the beginning, and the moment of it where the clock told: what they began with is not known. */
	private readonly old = new Set<string>();
	private begunAt = -Infinity;
	/** The events that have gone out, by key. */
	private readonly told = new Map<string, string>();
	/** What was there before the trigger began, which must not come out. */
	private before: Set<string> | undefined;
	/** What some of the calls of the beginning showed and others did not: either is right. */
	private between = new Set<string | undefined>();
	/** When the trigger began, by the service's clock: what was made before may come out or not, unless it must not. */
	private madeBefore = -Infinity;
	/** Where the service's first response was empty: the moment the trigger began, by the service's clock. */
	private countsFrom: number | null = null;
	/** As of when the beginning showed records. */
	private shownAtFirst = -Infinity;
	/** What each beginning counts from by 'Start From'. */
	private readonly startAt: number | null;

	constructor(
		private readonly setting: Setting,
		poll: Poll,
	) {
		const { service: is, event, begin, overlapMs, startsEarlier } = setting;
		const startAt = startsEarlier ? Math.floor((begin + is.skewMs) / SECOND) * SECOND : null;
		const feed = feedOf(event, { zone: is.zone, overlapMs, filters: { statusRoles: ROLES } });
		super(poll, setting, { feed, watching: 'all', startAt }, () => {
			const service = new ModelledService(kindOf(event), is);
			for (let made = 0; made < setting.oldRecords; made++) service.create(begin - 10 * DAY);
			return service;
		});
		this.startAt = startAt;
	}

	protected override get hasBegun(): boolean {
		return this.before !== undefined;
	}

	protected override beginAnew(): void {
		this.check(false);
		this.host.runs.length = 0;
		this.before = undefined;
		this.forgetDifferences();
	}

	/** One record gets a timestamp that is far off. */
	stampWrongly(pick: number, byMs: number): void {
		if (this.stampedWrongly.size >= MOST_WRONG) return;
		const record = this.service.records[pick];
		if (record) this.service.change(record, this.now, {}, 0, byMs);
		else this.service.create(this.now, { wrongBy: byMs });
		this.stampedWrongly.add((record ?? this.service.records.at(-1))?.id ?? '');
	}

	/** A delay that the overlap covers, with the replica's: it ends more than one tick of the service's clock before the overlap does. */
	private delay(share: number): number {
		const { lagMs, secondStampMs } = this.setting.service;
		return Math.max(
			0,
			Math.floor(share * (this.setting.overlapMs - lagMs - secondStampMs - 2 * SECOND)),
		);
	}

	create(count: number, delay: number, given: { value?: number; heldMs?: number } = {}): void {
		// A list that is cut within one tick of the service's clock cannot be asked on.
		const apart = this.setting.service.cap ? 1 : 0;
		for (let made = 0; made < count; made++) {
			this.service.create(this.now + made * apart, { delayMs: this.delay(delay), ...given });
		}
		this.pass(count * apart);
	}

	change(picks: number[], delay: number, change: Partial<Version>): void {
		for (const pick of picks) {
			const record = this.service.records[pick % Math.max(1, this.service.records.length)];
			if (record) this.service.change(record, this.now, change, this.delay(delay));
			if (this.setting.service.cap) this.pass(1);
		}
	}

	remove(pick: number): void {
		const record = this.service.records[pick % Math.max(1, this.service.records.length)];
		if (record) record.deleted = true;
	}

	override async poll(fault: Fault, mishap: Mishap): Promise<void> {
		this.pass(this.setting.intervalMs);
		// What n8n drops there is lost.
		const possible = mishap === 'crash between writes' ? 'none' : mishap;
		if (!this.before) return await this.activate(fault);
		const before = this.host.runs.length;
		const { lastSeenAndStored } = this;
		await this.noting(async () => await this.host.pollOnce(fault, possible));
		if (possible === 'superseded') this.lastSeenAndStored = lastSeenAndStored;
		if (
			possible === 'superseded' ||
			(possible.startsWith('crash') && this.host.runs.length > before)
		) {
			this.forgetUnsaved();
		}
	}

	override async activate(fault: Fault): Promise<void> {
		await this.publish(fault, async () => await this.host.activate(fault));
	}

	override async restart(fault: Fault): Promise<void> {
		if (this.before) await this.publish(fault, async () => await this.host.restart(fault));
	}

	private async publish(fault: Fault, act: () => Promise<void>): Promise<void> {
		this.forgetUnsaved();
		await this.noting(act, fault);
		if (this.host.lastSucceeded || !this.setting.durable) this.storeLastSeen();
	}

	/** Lets everything become visible and polls until nothing more comes; then n8n starts again, and nothing may come. */
	override async settle(): Promise<void> {
		// The trigger does not begin before its 'Start From'.
		this.pass(Math.max(0, (this.startAt ?? 0) - this.at));
		if (!this.before) await this.activate('none');
		const shownLast = Math.max(
			...this.service.records.map(({ versions }) => versions.at(-1)?.visibleAt ?? 0),
		);
		this.pass(
			Math.max(
				this.setting.overlapMs,
				MINUTE,
				shownLast - this.now,
				(this.setting.service.silent?.[1] ?? 0) - this.now,
			),
		);
		const most = this.service.records.reduce((sum, { versions }) => sum + versions.length, 0) + 2;
		await this.pollUntilQuiet(most, this.setting.service.lagMs);
		await this.restart('none');
		await this.poll('none', 'none');
		this.check();
	}

	/** @throws Verdict that names what was lost, repeated, made up or taken back */
	private check(isAll = true): void {
		const [violation] = this.host.violations;
		if (violation !== undefined) throw new Verdict(violation);
		if (this.setting.isDifference) {
			if (isAll) this.checkDifferences();
			return;
		}
		/** How often each has come out, by runs that n8n has stored. */
		const emitted = new Map<string, number>();
		for (const { records, unsaved } of this.host.runs) {
			for (const { record } of records) {
				const name = this.nameOf(record);
				if (!unsaved) this.checkOrder(name, emitted);
				emitted.set(name, (emitted.get(name) ?? 0) + (unsaved ? 0 : 1));
			}
		}
		const possible = this.possible();
		for (const [name, times] of emitted) {
			// What a replica shows of before a wrong timestamp cannot be told from a change.
			const isBehind =
				this.setting.service.lagMs > 0 && this.stampedWrongly.has(name.split('|')[0] ?? '');
			if (times > 1 && !isBehind) throw new Verdict(`Repeated ${times - 1} times: ${name}`);
			if (!possible.has(name) && !this.mayComeBack(name)) {
				throw new Verdict(`Not an event of this trigger: ${name}`);
			}
		}
		for (const record of this.service.records) {
			const last = record.versions.at(-1);
			const name = last && this.eventName(record, last);
			const isOptional = last && this.isOptional(record, last);
			if (isAll && !record.deleted && !isOptional && name !== undefined && !emitted.has(name)) {
				this.lost(name);
			}
		}
	}

	/** What a service that lists the newest alone hides may be lost, aloud. */
	private lost(name: string): void {
		const { cap } = this.setting.service;
		if (
			cap?.first === 'newest' &&
			this.host.reports.some((text) => text.includes('lists at most'))
		) {
			return;
		}
		throw new Verdict(`Lost: ${name}`);
	}

	/** @throws Verdict if a record comes out as it was before what has come out of it */
	private checkOrder(name: string, emitted: ReadonlyMap<string, number>): void {
		const [record] = this.find(name);
		if (!record || this.stampedWrongly.has(record.id) || this.isDisordered(record)) return;
		const names = this.namesOf(record);
		const later = names
			.slice(names.lastIndexOf(name) + 1)
			// What went out before n8n crashed and had not stored it, the trigger does not know.
			.find((other) => other !== undefined && (emitted.get(other) ?? 0) > 0);
		if (later !== undefined && later !== name) throw new Verdict(`Older than ${later}: ${name}`);
	}

	/** Whether a record's own timestamps do not rise. */
	private isDisordered({ versions }: ModelledRecord): boolean {
		return versions.some(
			({ ms }, index) => ms <= (versions[index - 1]?.ms ?? 0) + SAME_WRITE_MS * 2,
		);
	}

	/** When the event of a version happened. */
	private timeOf({ created }: ModelledRecord, { ms, history }: Version): number {
		const { event } = this.setting;
		if (event === 'bookingCreated') return created;
		return TOLD_WITHOUT_HISTORY.includes(event) ? (history.at(-1)?.ms ?? ms) : ms;
	}

	/** Within the tolerance of a creation, or made before the beginning and shown later. */
	private isOptional(record: ModelledRecord, version: Version): boolean {
		const { event } = this.setting;
		// A wrong timestamp can lie an hour after a creation in the hour that occurs twice.
		const { otherForm } = this.setting.service;
		const isLikeMade =
			this.stampedWrongly.has(record.id) ||
			[version.ms, version.ms - HOUR, version.ms - HOUR / 2].some(
				(ms) =>
					this.service.isWrittenAlike(ms, version.ms, otherForm) &&
					isAsMade(record, { ...version, ms }),
			);
		if (event === 'bookingUpdated' && isLikeMade) return true;
		// Of two changes at one local time that occurs twice, one says what the other does.
		const isSame = ({ ms, status, history }: Version) =>
			(this.service.kind !== 'booking' ||
				(status === version.status && history.length === version.history.length)) &&
			ms !== version.ms &&
			this.service.isWrittenAlike(ms, version.ms);
		if (record.versions.some(isSame)) return true;
		if (this.between.has(this.identityOf(record, version))) return true;
		// Clocks are told in whole seconds.
		const since = this.timeOf(record, version) - (this.countsFrom ?? Infinity);
		if (since <= SECOND && since >= -HOUR - SECOND) return true;
		// What says that it was made after its last change is not listed when that time comes.
		const isMadeAhead = record.created > version.ms + SAME_WRITE_MS;
		return event === 'bookingCreated' && (isMadeAhead || record.created < this.madeBefore + SECOND);
	}

	private forgetDifferences(): void {
		this.lastSeen = new Map();
		this.storeLastSeen();
		this.old.clear();
		this.told.clear();
	}

	/** What the last poll gave against what the trigger had seen last. @throws Verdict */
	private noteDifferences(runsBefore: number): void {
		const { service, host, setting, lastSeen } = this;
		const { event } = setting;
		const isPayment = event === 'bookingPaymentChanged';
		for (const { records, unsaved } of host.runs.slice(runsBefore)) {
			for (const { record, key, changes } of records) {
				const name = this.nameOf(record);
				const sent = this.told.get(key);
				const was = changes?.before[isPayment ? 'chargePayedAmount' : 'start'];
				this.told.set(key, sent ?? name);
				const [booking, version] = this.find(name);
				if (!booking || !version || this.isUnclear(booking)) continue;
				const seen = lastSeen.get(booking.id)?.value ?? this.begins;
				const isShown = ALWAYS_TOLD_BY_DIFFERENCE.includes(event);
				const isRight =
					seen !== undefined &&
					(!isShown || was === (isPayment ? seen * 100 : this.secondOf(seen, booking.id)));
				if (!this.isStrange(booking) && (!isRight || !this.isTold(seen, version.value))) {
					throw new Verdict(
						`${sent ? 'Repeated' : 'Not an event of this trigger'}: ${name}, ${String(was)}, was ${seen}`,
					);
				}
				if (!unsaved) lastSeen.set(booking.id, version);
			}
		}
		if (!host.lastSucceeded || service.shownUpTo === -Infinity) return;
		for (const record of service.records) {
			const version = record.deleted ? undefined : visible(record, service.shownUpTo);
			const last = lastSeen.get(record.id);
			// Of two replicas either may have been believed.
			if (version !== visible(record, service.firstUpTo)) continue;
			if (!last && version !== visible(record, this.now)) continue;
			const wasShown = service.shown.has(record.id);
			if (this.isFromBefore(record) && !wasShown) continue;
			const isLearned = this.isFromBefore(record)
				? wasShown
				: this.begins === undefined || this.old.has(record.id);
			// What a replica shows that lags behind takes nothing back.
			if (last && version && record.versions.indexOf(version) < record.versions.indexOf(last)) {
				continue;
			}
			const seen = last?.value ?? (isLearned ? undefined : this.begins);
			if (
				version &&
				(seen === undefined ? isLearned && wasShown : !this.isTold(seen, version.value))
			) {
				lastSeen.set(record.id, version);
			}
		}
		if (setting.durable || host.runs.slice(runsBefore).some(({ unsaved }) => !unsaved)) {
			this.storeLastSeen();
		}
	}

	private secondOf(value: number, id: string): number {
		const { zone } = this.setting.service;
		return Math.floor(toInstant(startOf(value, id), zone) / SECOND);
	}

	/** What every booking begins with, where that is certain. */
	private get begins(): number | undefined {
		return ['bookingPaymentChanged', 'bookingCanceled'].includes(this.setting.event)
			? 0
			: undefined;
	}

	/** Whether a value that differs is what is waited for. */
	private isTold(seen: number | undefined, value: number): boolean {
		return this.setting.event === 'bookingCanceled'
			? value === CANCELED && seen !== CANCELED
			: value !== seen;
	}

	/** What differs is not told, or by something else: a replica that shows a wrong timestamp cannot be told from a change. */
	private isUnclear(record: ModelledRecord): boolean {
		const isWrong = this.stampedWrongly.has(record.id) || this.isDisordered(record);
		const isBehind = this.setting.service.lagMs > 0 && isWrong;
		return isBehind || this.hasTwins(record) || this.isToldByHistory(record);
	}

	private isToldByHistory(record: ModelledRecord): boolean {
		return TOLD_WITHOUT_HISTORY.includes(this.setting.event) && this.service.hasHistory(record);
	}

	/** By the service's clock, where it told the beginning: it is known once it has been shown. */
	private isFromBefore({ created }: ModelledRecord): boolean {
		return created < this.begunAt;
	}

	/** Made at another time than it says, where a clock told the beginning, or hidden by a cut list, and not seen yet: either is right. */
	private isStrange({ id, created }: ModelledRecord): boolean {
		const { lagMs, cap } = this.setting.service;
		const isHidden = cap?.first === 'newest';
		// What was made since the beginning is read again from the next list, which may hide it. Clocks are told in whole seconds.
		const isMadeSince = this.startAt !== null || created > this.madeBefore - SECOND;
		if (this.lastSeen.has(id)) return isHidden && isMadeSince;
		const isWrong = this.begunAt > -Infinity && this.stampedWrongly.has(id);
		return isWrong || created < this.madeBefore + SECOND || lagMs > 0 || isHidden;
	}

	private forgetUnsaved(): void {
		this.lastSeen = new Map(this.lastSeenAndStored);
	}

	private storeLastSeen(): void {
		this.lastSeenAndStored = new Map(this.lastSeen);
	}

	private identityOf(record: ModelledRecord, version: Version): string | undefined {
		const { event, isDifference } = this.setting;
		if (!isDifference) {
			const isOfStatus = TOLD_WITHOUT_HISTORY.includes(event);
			return isOfStatus && !this.service.hasHistory(record)
				? undefined
				: IDENTITY[event]?.(record, version);
		}
		// Without a history, the value is the status.
		const shown = this.service.hasHistory(record)
			? changeOf(record, version)
			: `${record.id}|${version.ms}`;
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
			if (!last || record.deleted || last.ms < this.begunAt) continue;
			if (this.isUnclear(record)) continue;
			// One that came after the last poll that succeeded is new; of one from before the beginning nothing was known.
			const isUnknown =
				this.begins === undefined || this.isFromBefore(record) || this.isStrange(record);
			const seen = this.lastSeen.get(record.id)?.value ?? (isUnknown ? last.value : this.begins);
			if (this.isTold(seen, last.value)) {
				this.lost(`${record.id} is ${last.value}, seen was ${seen}`);
			}
		}
	}

	/** A wrong timestamp tells nothing; what was made before the beginning and is shown later may count as new. */
	private mayComeBack(name: string): boolean {
		const [record] = this.find(name);
		const isFromBefore =
			record && this.setting.event === 'bookingCreated' && record.created < this.madeBefore;
		return isFromBefore || this.stampedWrongly.has(record?.id ?? '');
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
		const known =
			name === undefined || this.before?.has(name) || this.namesBefore(record).has(name);
		return known ? undefined : name;
	}

	/** What the service's clock puts before the trigger's beginning, where that was told by it. */
	private namesBefore(record: ModelledRecord): Set<string | undefined> {
		const { otherForm } = this.setting.service;
		// Clocks are told in whole seconds.
		const from = (this.countsFrom ?? -Infinity) - SECOND;
		// A local time that occurs twice counts as the later one.
		const latest = (ms: number) =>
			[ms + HOUR, ms + HOUR / 2].find((later) =>
				this.service.isWrittenAlike(ms, later, otherForm),
			) ?? ms;
		// A status that was shown before it changed is known to have changed.
		const isSeen = ({ visibleAt }: Version) =>
			TOLD_WITHOUT_HISTORY.includes(this.setting.event) && visibleAt > this.shownAtFirst;
		return new Set(
			this.namesOf(
				record,
				record.versions.filter(
					(version) => latest(this.timeOf(record, version)) < from && !isSeen(version),
				),
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
		const stamp = written.changeDate ?? written.lastChangedUtc ?? written.respondedTime ?? '';
		const version = record?.versions.find(
			({ ms, status, history, value }) =>
				(guid === undefined || value * 100 === written.chargePayedAmount) &&
				this.service.wasWritten(ms, stamp) &&
				(!written.history ||
					(status === written.status && history.length === written.history.length)),
		);
		return (
			(record && version && this.identityOf(record, version)) ??
			`${record?.id}|unknown ${JSON.stringify(output)}`
		);
	}

	/** What a replica still shows that lags behind may come out where its timestamp does not tell that it is older. */
	private stillShown(): Array<string | undefined> {
		const { service, now } = this;
		return service.records.flatMap((record) => {
			const { versions } = record;
			const newest = visible(record, now);
			const oldest = visible(record, now - service.is.lagMs);
			if (!newest || !oldest || newest === oldest) return [];
			// The rest of a cut list comes from the other replica.
			const end = versions.indexOf(newest) + (service.is.cap ? 1 : 0);
			const older = versions.slice(versions.indexOf(oldest), end);
			return this.namesOf(
				record,
				older.filter(({ ms }) => ms + SKEW_MS >= newest.ms || newest.ms > service.clockAt(now)),
			);
		});
	}

	/** What was there is known, or learned silently. */
	private noteBeginning(isSilent: boolean, begun: number): void {
		this.begunAt = this.startAt ?? (isSilent ? begun : -Infinity);
		if (this.begunAt > -Infinity) return;
		const { records, shownUpTo } = this.service;
		for (const record of records) if (visible(record, shownUpTo)) this.old.add(record.id);
	}

	private async noting(act: () => Promise<void>, fault: Fault = 'none'): Promise<void> {
		this.polls++;
		const { lostBaselines } = this.host;
		const { service } = this;
		if (!this.before) this.hostJumpMs = 0;
		const polledAt = this.at;
		const runs = this.host.runs.length;
		service.forgetShown();
		await act();
		const begun = this.setting.service.isDated ? this.answeredAt : polledAt;
		const isTold = this.setting.isDifference;
		// A baseline that n8n had not saved is gone with the process; the next poll takes another.
		if (this.host.lostBaselines > lostBaselines) this.before = undefined;
		if (!this.before && isTold) this.forgetDifferences();
		const isSilent =
			fault === 'empty' || !(isTold ? service.shown.size > 0 : service.hasListedChanges);
		if (!this.before && this.host.hasState && isTold) this.noteBeginning(isSilent, begun);
		if (isTold && this.host.hasState) this.noteDifferences(runs);
		if ((this.before && !this.host.tookBaseline) || !this.host.hasState) return;
		// What was emitted from a baseline that n8n had not saved is gone with it.
		remove(this.host.runs, ({ unsaved }) => unsaved);
		// Which customers are known is seen in the first response that has some.
		const isUnlisted = isSilent && this.setting.event === 'customerCreated';
		this.madeBefore = this.startAt ?? begun;
		this.shownAtFirst = service.shownUpTo;
		this.countsFrom = isSilent && !isUnlisted ? (this.startAt ?? begun) : null;
		const startAt = this.startAt ?? Infinity;
		const namesAt = (asOf: number, records = service.records) =>
			records.flatMap((record) => {
				const upTo = visible(record, asOf);
				const known = upTo ? record.versions.slice(0, record.versions.indexOf(upTo) + 1) : [];
				return this.namesOf(
					record,
					known.filter(({ ms }) => ms < startAt),
				);
			});
		// Of a cut list the rest may be hidden, by a replica that lags behind too.
		const wasShown = ({ id }: ModelledRecord) => !service.is.cap || service.shown.has(id);
		const old = namesAt(service.firstUpTo, service.records.filter(wasShown));
		this.between = new Set(namesAt(service.shownUpTo).filter((name) => !old.includes(name)));
		this.before = new Set(!isSilent ? old.filter((name) => name !== undefined) : []);
		for (const name of this.stillShown()) {
			this.between.add(name);
			this.before.delete(name ?? '');
		}
	}
}

const hosts = hostSteps<ChangeWorld>(
	[5, ['connection', 'hang', 'slow', 'lost answer', 'html', 'empty', 'output']],
	[6, ['crash before save', 'superseded', 'second poll']],
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
		world.change(which, late, { value: to }),
	),
	step('create late, with value', fc.tuple(delay, value), (world, [late, having]) =>
		world.create(1, late, { value: having }),
	),
];

const COMMANDS: Steps<ChangeWorld> = [
	step('create, late', fc.tuple(fc.integer({ min: 1, max: 8 }), delay), (world, [count, late]) =>
		world.create(count, late),
	),
	step('create at once', fc.constantFrom(12, 15, 30, 70), (world, count) => world.create(count, 0)),
	step('hold for (ms)', fc.constantFrom(20 * SECOND, 20 * MINUTE, 7 * HOUR), (world, heldMs) =>
		world.create(1, 0, { heldMs }),
	),
	step('edit, late', fc.tuple(picks, delay), (world, [which, late]) =>
		world.change(which, late, {}),
	),
	step(
		'picks, late, status',
		fc.tuple(picks, delay, fc.integer({ min: 1, max: 3 })),
		(world, drawn) => world.change(drawn[0], drawn[1], { status: drawn[2] }),
	),
	step('delete', fc.nat(30), (world, pick) => world.remove(pick)),
	hosts.pass(
		...[SECOND, 20 * SECOND, 20 * SECOND, MINUTE, MINUTE, 3 * MINUTE, 20 * MINUTE],
		...[50 * MINUTE, 7 * HOUR, 25 * HOUR, 72 * HOUR],
	),
	hosts.poll,
	hosts.poll,
	hosts.poll,
	hosts.jump(0, 0, HOUR, 10 * HOUR, -10 * HOUR, 30 * DAY, -30 * DAY),
	step(
		'stamp ahead by (ms)',
		// What clocks show after 2100 nobody knows.
		fc.tuple(fc.nat(30), fc.constantFrom(HOUR, 47 * HOUR, 30 * DAY, 73 * 365 * DAY)),
		(world, drawn) => world.stampWrongly(...drawn),
	),
	hosts.move,
	hosts.publish,
	hosts.restart,
];

const settingOf = (events: readonly ChangeEvent[], isDifference: boolean): fc.Arbitrary<Setting> =>
	fc
		.record({
			event: fc.constantFrom(...events),
			isDifference: fc.constant(isDifference),
			begun: serviceOf(24 * HOUR),
			overlapMs: fc.constantFrom(0, 2 * MINUTE, 2 * MINUTE, 10 * MINUTE),
			durable: fc.boolean(),
			startsEarlier: fc.boolean(),
			jumps: fc.boolean(),
			oldRecords: fc.constantFrom(0, 0, 1, 5),
			intervalMs: fc.constantFrom(0, 0, 0, HOUR, DAY + SECOND),
		})
		.map(({ event, begun: { service, begin }, startsEarlier, jumps, overlapMs, ...rest }) => {
			const isLocal = service.form === 'none';
			const comparesLocal = isLocal || (service.comparesDigits && service.form === 'offset');
			const isStatus = TOLD_WITHOUT_HISTORY.includes(event);
			const isCustomer = event.startsWith('customer');
			return {
				...rest,
				event,
				overlapMs,
				begin,
				// Where the service does not tell its clock, n8n's is believed.
				jumps: jumps && service.isDated,
				// Which customers were new before that is a guess, and local times around the change do not tell a moment.
				startsEarlier:
					startsEarlier &&
					event !== 'customerCreated' &&
					!comparesLocal &&
					service.otherForm !== 'none',
				service: {
					...service,
					// Customers' times are UTC.
					zone: isCustomer && isLocal ? 'UTC' : service.zone,
					comparesDigits: service.comparesDigits && !isCustomer,
					lagMs:
						isDifference && service.cap
							? 0
							: Math.min(service.lagMs, Math.max(0, overlapMs - 10 * SECOND)),
					secondStampMs: overlapMs > 0 ? service.secondStampMs : 0,
					// Every list of answers is of all; which customers a list of the newest hides at first is not known.
					cap:
						event === 'surveyAnswered' ||
						(event === 'customerCreated' && service.cap?.first === 'newest')
							? null
							: service.cap,
					history: historyFor(service.history, isStatus, isDifference),
				},
			} satisfies Setting;
		});

/** Where a service gives no history, changes of a status are told by difference. */
function historyFor(
	given: ServiceKind['history'],
	isStatus: boolean,
	isDifference: boolean,
): ServiceKind['history'] {
	if (!isStatus) return given === 'legacy' ? given : 'dated';
	if (isDifference) return given === 'mixed' ? given : 'none';
	return given === 'none' ? 'dated' : given;
}

function changesOf(
	events: readonly ChangeEvent[],
	isDifference: boolean,
	steps: Steps<ChangeWorld>,
): Play {
	const setting = settingOf(events, isDifference);
	return playerOf(setting, steps, (chosen, poll) => new ChangeWorld(chosen, poll));
}

export const playChanges = changesOf(Object.keys(IDENTITY) as ChangeEvent[], false, COMMANDS);

/** The same for the events that are told by what was last seen of a booking. */
export const playDifferences = changesOf(
	[...ALWAYS_TOLD_BY_DIFFERENCE, ...TOLD_WITHOUT_HISTORY],
	true,
	[...VALUES, ...VALUES, ...COMMANDS],
);
