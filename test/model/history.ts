import * as fc from 'fast-check';

import { type DueEvent, bookingFeed } from '../../nodes/HospitalityBookingTrigger/feeds/bookings';
import { customerFeed } from '../../nodes/HospitalityBookingTrigger/feeds/customers';
import type { ChangeFeed, TriggerEvent } from '../../nodes/HospitalityBookingTrigger/feeds/feed';
import { recipientFeed } from '../../nodes/HospitalityBookingTrigger/feeds/recipients';
import { poll as realPoll } from '../../nodes/HospitalityBookingTrigger/poll/poll';
import { type Fault, type Mishap, ModelledHost, type Poll, Verdict } from './host';
import { type Command, type History, MOMENTS, type Outcome, command, play } from './play';
import {
	type ClockForm,
	type Kind,
	ModelledService,
	type ModelledRecord,
	type Version,
	visible,
} from './service';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** The events that are a change of a record. */
type ChangeEvent = Exclude<TriggerEvent, DueEvent>;

/** What stays the same through one history. */
interface Setting {
	event: ChangeEvent;
	clock: ClockForm;
	/** Real time at which the history begins, in milliseconds since 1970. */
	begin: number;
	overlapMs: number;
	maxItems: number;
	durable: boolean;
	/** The service's stamps are UTC although they do not say so, and the credential has another zone: lastChangedUtc. */
	inUtc: boolean;
	startsEarlier: boolean;
	/** 'Re-emit After Restart'. */
	reEmit: boolean;
	/** Whose clock jumps and comes back. */
	jumps: 'none' | 'service' | 'n8n';
	/** The statuses that a filter lets through; empty: all. */
	statuses: number[];
	/** Whether every other customer has no `lastChangedUtc`. */
	unstamped: boolean;
	/** The credential's time zone until it is corrected. */
	firstZone: string;
}

const NO_FILTERS = { unitIds: [], unitParameter: 'unitIds', statuses: [], leaveOutStatuses: [] };
/** So many timestamps may be wrong at a time. */
const MOST_WRONG = 2;

const FEEDS: Record<ChangeEvent, { kind: Kind; feed: ChangeFeed }> = {
	bookingCreated: { kind: 'booking', feed: bookingFeed('bookingCreated', NO_FILTERS, []) },
	bookingUpdated: { kind: 'booking', feed: bookingFeed('bookingUpdated', NO_FILTERS, []) },
	bookingChanged: { kind: 'booking', feed: bookingFeed('bookingChanged', NO_FILTERS, []) },
	bookingStatusChanged: { kind: 'booking', feed: bookingFeed('bookingStatusChanged', NO_FILTERS, []) },
	customerCreated: { kind: 'customer', feed: customerFeed('customerCreated') },
	customerChanged: { kind: 'customer', feed: customerFeed('customerChanged') },
	surveyAnswered: { kind: 'recipient', feed: recipientFeed('') },
};

/** What the model says of each event: which of a record's states is one, under which name; undefined: none is. */
const IDENTITY: Record<ChangeEvent, (record: ModelledRecord, version: Version) => string | undefined> = {
	bookingCreated: ({ id }) => id,
	bookingUpdated: (record, version) =>
		version.stamp === record.createdAt && version.history.length === 1
			? undefined
			: changeOf(record, version),
	bookingChanged: changeOf,
	bookingStatusChanged: ({ id }, { status, history }) =>
		history.length === 1 ? undefined : `${id}|${status}|${history.length}`,
	customerCreated: ({ id }) => id,
	customerChanged: ({ id }, { stamp }) => `${id}|${stamp}`,
	surveyAnswered: ({ id }, { stamp }) => `${id}|${stamp}`,
};

function changeOf({ id }: ModelledRecord, { stamp, status, history }: Version): string {
	return `${id}|${stamp}|${status}|${history.length}`;
}

/** A history while it runs: the world, and what the model expects of it. */
class World implements History {
	private hostJumpMs = 0;
	private readonly stampedWrongly = new Set<string>();
	/** How each event was judged when it was seen first, as far as the trigger has kept it; undefined: not to be told. */
	private judged: Map<string, boolean> | undefined;
	private judgedAndSaved = new Map<string, boolean>();
	readonly service: ModelledService;
	readonly host: ModelledHost;
	polls = 0;
	private now: number;
	/** What was there before the trigger began, which must not come out. */
	private before: Set<string> | undefined;
	/** Where the service's first response was empty: the moment the trigger began, by n8n's clock. */
	private countsFrom: number | null = null;
	private readonly startAt: number | null;

	constructor(
		private readonly setting: Setting,
		poll: Poll,
	) {
		const { clock, event, begin, overlapMs, maxItems, durable, startsEarlier } = setting;
		const { kind } = FEEDS[event];
		const feed =
			setting.statuses.length > 0 && event === 'bookingCreated'
				? bookingFeed(event, { ...NO_FILTERS, statuses: setting.statuses }, [])
				: FEEDS[event].feed;
		this.judged = maxItems === 500 ? new Map() : undefined;
		this.now = begin;
		this.startAt = startsEarlier ? Math.floor((begin + clock.skewMs) / SECOND) * SECOND : null;
		const ownClock = setting.inUtc ? { ...clock, zone: 'UTC' } : clock;
		this.service = new ModelledService(kind, ownClock, setting.unstamped);
		this.host = new ModelledHost({
			poll,
			durable,
			settings: {
				feed,
				node: 'Trigger',
				watching: event,
				account: 'https://booking.example',
				zone: setting.firstZone,
				overlapMs,
				maxItems,
				maxAgeMs: 0,
				startAt: this.startAt,
				anew: false,
				reEmit: setting.reEmit,
			},
			list: (query) => this.service.list(query, this.now),
			now: () => this.now + this.hostJumpMs,
			pass: (ms) => (this.now += ms),
		});
	}

	/** The clock that is set to another time, or back to the right one. */
	jump(ms: number): void {
		if (this.setting.jumps === 'service') this.service.jumpMs = Math.abs(ms);
		if (this.setting.jumps === 'n8n' && this.before) this.hostJumpMs = ms;
	}

	correctZone(): void {
		this.host.settings.zone = this.setting.clock.zone;
	}

	/** One record gets a timestamp that is far off. */
	stampWrongly(pick: number, byMs: number): void {
		if (this.stampedWrongly.size >= MOST_WRONG) return;
		const record = this.service.records[pick];
		if (record) this.service.change(record, this.now, 0, undefined, byMs);
		else this.service.create(this.now, 0, byMs);
		this.stampedWrongly.add((record ?? this.service.records.at(-1))?.id ?? '');
	}

	pass(ms: number): void {
		this.now += ms;
	}

	/** A delay that the overlap covers: it ends more than one tick of the service's clock before the overlap does. */
	private delay(share: number): number {
		return Math.max(0, Math.floor(share * (this.setting.overlapMs - 2 * SECOND)));
	}

	create(count: number, delay: number): void {
		for (let made = 0; made < count; made++) this.service.create(this.now, this.delay(delay));
	}

	change(picks: number[], delay: number, status?: number): void {
		for (const pick of picks) {
			const record = this.service.records[pick % Math.max(1, this.service.records.length)];
			if (record) this.service.change(record, this.now, this.delay(delay), status);
		}
	}

	remove(pick: number): void {
		const record = this.service.records[pick % Math.max(1, this.service.records.length)];
		if (record) record.deleted = true;
	}

	async poll(fault: Fault, mishap: Mishap): Promise<void> {
		// Without the option, what n8n drops there is lost.
		const possible = mishap === 'crash between writes' && !this.setting.reEmit ? 'none' : mishap;
		if (possible !== 'none') this.judged = undefined;
		if (this.before) await this.noting(async () => await this.host.pollOnce(fault, possible));
		else await this.activate(fault);
	}

	async activate(fault: Fault): Promise<void> {
		const possible = this.possibleAtFirst(fault);
		this.forgetJudgements();
		await this.noting(async () => await this.host.activate(possible), possible);
	}

	async restart(fault: Fault): Promise<void> {
		if (!this.before) return;
		const possible = this.possibleAtFirst(fault);
		this.forgetJudgements();
		await this.noting(async () => await this.host.restart(possible), possible);
	}

	/** Begun without a list, changes count from n8n's clock: not told by id, nor by local times. */
	private possibleAtFirst(fault: Fault): Fault {
		const { event, clock } = this.setting;
		const guesses = event === 'customerCreated' || clock.form === 'none';
		return fault === 'empty' && guesses ? 'html' : fault;
	}

	/** Lets everything become visible and polls until nothing more comes; then n8n starts again, and nothing may come. */
	async settle(): Promise<void> {
		if (!this.before) await this.activate('none');
		this.pass(Math.max(this.setting.overlapMs, MINUTE));
		const most = this.service.records.reduce((sum, { versions }) => sum + versions.length, 0) + 2;
		for (let quiet = 0, polls = 0; quiet < 2; quiet++, polls++) {
			if (polls > most) throw new Verdict('Repeated without end');
			const runs = this.host.runs.length;
			await this.poll('none', 'none');
			if (this.host.runs.length > runs) quiet = -1;
		}
		await this.restart('none');
		await this.poll('none', 'none');
		this.check();
	}

	/** What n8n has not stored of the state is gone. */
	private forgetJudgements(): void {
		if (this.judged) this.judged = new Map(this.judgedAndSaved);
	}

	private noteJudgements(before: number): void {
		const { judged, host, setting } = this;
		if (!judged || setting.statuses.length === 0) return;
		for (const { records } of host.runs.slice(before)) {
			for (const { record } of records) {
				const name = this.nameOf(record);
				if (judged.get(name) === false) throw new Verdict(`Judged twice: ${name}`);
			}
		}
		if (!host.lastSucceeded) return;
		for (const record of this.service.records) {
			const version = record.deleted ? undefined : visible(record, this.now);
			if (version && !judged.has(record.id)) judged.set(record.id, this.fits(version));
		}
		if (setting.durable || host.runs.length > before) this.judgedAndSaved = new Map(judged);
	}

	private fits({ status }: Version): boolean {
		const { event, statuses } = this.setting;
		return event !== 'bookingCreated' || statuses.length === 0 || statuses.includes(status);
	}

	/** @throws Verdict that names what was lost, repeated or made up */
	private check(): void {
		const [violation] = this.host.violations;
		if (violation !== undefined) throw new Verdict(violation);
		const emitted = new Map<string, { saved: number; unsaved: number }>();
		const sent = new Set<string>();
		for (const { records, unsaved, dropped } of this.host.runs) {
			for (const { record, again } of records) {
				const name = this.nameOf(record);
				if (again && !sent.has(name)) throw new Verdict(`Marked though it had not gone out: ${name}`);
				sent.add(name);
				if (dropped) continue;
				const times = emitted.get(name) ?? { saved: 0, unsaved: 0 };
				if (!again) times[unsaved ? 'unsaved' : 'saved']++;
				emitted.set(name, times);
			}
		}
		for (const [name, { saved }] of emitted) {
			if (saved > 1) throw new Verdict(`Repeated ${saved - 1} times: ${name}`);
			if (!this.possible().has(name) && !this.mayComeBack(name))
				throw new Verdict(`Not an event of this trigger: ${name}`);
		}
		for (const record of this.service.records) {
			const last = record.versions.at(-1);
			const name = last && this.eventName(record, last);
			const fits = record.versions.every((version) => this.fits(version));
			if (!record.deleted && fits && name !== undefined && !emitted.has(name))
				throw new Verdict(`Lost: ${name}`);
		}
	}

	/** Where its timestamp goes back, a record can be changed twice at the same time, or be made after its change. */
	private mayComeBack(name: string): boolean {
		return this.stampedWrongly.has(name.split('|')[0] ?? '');
	}

	private possible(): Set<string> {
		const names = this.service.records.flatMap((record) =>
			record.versions.map((version) => (this.fits(version) ? this.eventName(record, version) : undefined)),
		);
		return new Set(names.filter((name) => name !== undefined));
	}

	private eventName(record: ModelledRecord, version: Version): string | undefined {
		const name = IDENTITY[this.setting.event](record, version);
		const known = name === undefined || this.before?.has(name) || this.namesBefore(record).has(name);
		return known ? undefined : name;
	}

	/** What the service's clock puts before the trigger's beginning, where that was told by n8n's clock. */
	private namesBefore(record: ModelledRecord): Set<string | undefined> {
		const { countsFrom } = this;
		if (countsFrom === null) return new Set();
		const old = record.versions.filter(({ ms }) => ms < countsFrom);
		return new Set(old.map((version) => IDENTITY[this.setting.event](record, version)));
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
		};
		const version = record?.versions.find(
			({ stamp, status, history }) =>
				stamp === (written.changeDate ?? written.lastChangedUtc ?? written.respondedTime) &&
				(guid === undefined || (status === written.status && history.length === written.history?.length)),
		);
		return (
			(record && version && IDENTITY[this.setting.event](record, version)) ??
			`unknown ${JSON.stringify(output)}`
		);
	}

	private async noting(act: () => Promise<void>, fault: Fault = 'none'): Promise<void> {
		this.polls++;
		const { lostBaselines } = this.host;
		const begun = this.now;
		if (!this.before) this.hostJumpMs = 0;
		const runs = this.host.runs.length;
		await act();
		this.noteJudgements(runs);
		// A baseline that n8n had not saved is gone with the process; the next poll takes another.
		if (this.host.lostBaselines > lostBaselines) this.before = undefined;
		if (this.before || !this.host.hasState) return;
		this.countsFrom = fault === 'empty' ? (this.startAt ?? begun) : null;
		if (this.countsFrom !== null) {
			this.before = new Set();
			return;
		}
		const { event } = this.setting;
		const old = this.service.records.flatMap((record) => {
			const upTo = visible(record, this.now);
			const known = upTo ? record.versions.slice(0, record.versions.indexOf(upTo) + 1) : [];
			const startAt = this.startAt ?? Infinity;
			return known.filter(({ ms }) => ms < startAt).map((version) => IDENTITY[event](record, version));
		});
		this.before = new Set(old.filter((name) => name !== undefined));
	}
}

const step = command<World>;

const fault = fc.oneof(
	{ weight: 5, arbitrary: fc.constant<Fault>('none') },
	{
		weight: 1,
		arbitrary: fc.constantFrom<Fault>('connection', 'hang', 'lost answer', 'html', 'empty', 'output'),
	},
);
const mishap = fc.oneof(
	{ weight: 6, arbitrary: fc.constant<Mishap>('none') },
	{
		weight: 1,
		arbitrary: fc.constantFrom<Mishap>(
			'crash before save',
			'crash between writes',
			'superseded',
			'second poll',
			'read early',
		),
	},
);
const delay = fc.oneof(
	fc.constant(0),
	fc.integer({ min: 1, max: 100 }).map((percent) => percent / 100),
);
const picks = fc.array(fc.nat(30), { minLength: 1, maxLength: 4 });

const COMMANDS: Array<fc.Arbitrary<Command<World>>> = [
	fc
		.tuple(fc.integer({ min: 1, max: 8 }), delay)
		.map(([count, late]) => step(`create ${count}, late ${late}`, (world) => world.create(count, late))),
	fc
		.tuple(picks, delay)
		.map(([which, late]) => step(`edit ${which.join()}, late ${late}`, (world) => world.change(which, late))),
	fc
		.tuple(picks, delay, fc.integer({ min: 1, max: 3 }))
		.map(([which, late, status]) =>
			step(`status ${status} for ${which.join()}, late ${late}`, (world) =>
				world.change(which, late, status),
			),
		),
	fc.nat(30).map((pick) => step(`delete ${pick}`, (world) => world.remove(pick))),
	fc
		.constantFrom(
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
		)
		.map((ms) => step(`pass ${ms / SECOND} s`, (world) => world.pass(ms))),
	fc
		.tuple(fault, mishap)
		.map(([what, around]) =>
			step(`poll (${what}, ${around})`, async (world) => await world.poll(what, around)),
		),
	fc
		.tuple(fault, mishap)
		.map(([what, around]) =>
			step(`poll (${what}, ${around})`, async (world) => await world.poll(what, around)),
		),
	fc
		.constantFrom(0, 0, HOUR, 10 * HOUR, -10 * HOUR, 30 * DAY, -30 * DAY)
		.map((ms) => step(`clock ${ms / HOUR} h off`, (world) => world.jump(ms))),
	fc
		.tuple(fc.nat(30), fc.constantFrom(HOUR, 47 * HOUR, 30 * DAY, 74 * 365 * DAY))
		.map(([pick, ms]) => step(`stamp ${pick} ${ms / HOUR} h ahead`, (world) => world.stampWrongly(pick, ms))),
	fc.constant(step('correct the time zone', (world) => world.correctZone())),
	fault.map((what) => step(`publish (${what})`, async (world) => await world.activate(what))),
	fault.map((what) => step(`restart (${what})`, async (world) => await world.restart(what))),
];

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

const setting: fc.Arbitrary<Setting> = fc
	.record({
		event: fc.constantFrom(...(Object.keys(FEEDS) as ChangeEvent[])),
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
		statuses: fc.constantFrom<number[]>([], [1, 2], [2, 3]),
		unstamped: fc.boolean(),
		otherZone: fc.constantFrom(undefined, 'UTC', 'Asia/Tokyo', 'America/New_York'),
	})
	.map(({ event, moment, before, form, decimals, skewMs, startsEarlier, otherZone, ...rest }) => ({
		...rest,
		event,
		// Customers' times are UTC.
		inUtc: event.startsWith('customer') && form === 'none',
		statuses: event === 'bookingCreated' ? rest.statuses : [],
		unstamped: rest.unstamped && event === 'customerCreated' && rest.jumps !== 'n8n',
		// Before the clocks are changed the zone has to be right.
		firstZone: (form === 'none' && HAS_NO_CHANGE.includes(moment.zone) && otherZone) || moment.zone,
		// A service's clock that is set back to before n8n's opens a gap.
		jumps: rest.jumps === 'service' && skewMs < 0 ? ('none' as const) : rest.jumps,
		clock: { zone: moment.zone, form, decimals, skewMs },
		begin: Math.floor((moment.at - before * MINUTE - skewMs) / SECOND) * SECOND,
		// Which customers were new before that is a guess, and local times around the change do not tell a moment.
		startsEarlier: startsEarlier && event !== 'customerCreated' && form !== 'none',
	}));

/**
 * Runs random histories and compares what came out with what must come out.
 *
 * @param poll the trigger under test
 * @param seed the same seed gives the same histories
 * @param shrinks whether to look for the shortest history that fails
 */
export async function runHistories(
	numRuns: number,
	seed: number,
	poll: Poll = realPoll,
	shrinks = true,
): Promise<Outcome> {
	const begin = (chosen: Setting) => new World(chosen, poll);
	return await play({ setting, commands: COMMANDS, begin, numRuns, seed, shrinks });
}
