import * as fc from 'fast-check';

import type { TriggerEvent } from '../../nodes/HospitalityBookingTrigger/events/events';
import { generated } from '../support/thorough';
import {
	DAY,
	HOUR,
	MINUTE,
	NOW,
	Polled,
	SECOND,
	asStored,
	feedOf,
	nameOf,
} from '../unit/trigger/support';
import { Verdict } from './host';

const SEED = Number(process.env.MODEL_SEED ?? 48_210_977);
const RUNS = Number(process.env.MODEL_RUNS ?? generated(300, 1000));

type SwingEvent = Extract<
	TriggerEvent,
	'bookingRescheduled' | 'bookingPaymentChanged' | 'bookingStatusChanged'
>;

/** A booking from one change to the next: `value` is what the event compares, `guests` is anything else. */
interface Version {
	changed: number;
	value: number;
	guests: number;
}

interface SwingHistory {
	event: SwingEvent;
	/** By how much the replica lags behind that answers every other call. */
	lagMs: number;
	/** How many bookings there are at the beginning. */
	old: number;
	steps: Step[];
}

/** `make` makes a booking and changes its value a few seconds later, which is possible where the event knows what it began with. */
type Step =
	| { what: 'swing' | 'edit'; which: number; value: number }
	| { what: 'make'; afterMs: number; value: number }
	| { what: 'poll'; times: number; apartMs: number }
	| { what: 'backup' }
	| { what: 'restore' };

/** A state of the trigger, what had come out by then, and the key of each booking's first change since then. */
interface Backup {
	state: Pick<Polled, 'own' | 'published'>;
	emitted: Map<string, number>;
	keys: Set<string>;
	firstKeys: Map<string, string>;
}

/** A value that goes back and forth, seen through a replica that lags behind, from states that come back from a backup. */
class SwingWorld {
	private readonly bookings: Version[][] = [];
	private readonly trigger: Polled;
	private calls = 0;
	/** The version of each booking that has come out last, and the keys, as the trigger's state knows them. */
	private emitted = new Map<string, number>();
	private keys = new Set<string>();
	/** The change behind each key that has ever come out. */
	private readonly changes = new Map<string, string>();
	private backup: Backup | undefined;

	constructor(private readonly history: SwingHistory) {
		this.trigger = new Polled(feedOf(history.event));
		this.trigger.answer = async (query) => await Promise.resolve(this.list(query));
		for (let made = 0; made < history.old; made++) {
			this.bookings.push([{ changed: NOW - HOUR - made * MINUTE, value: 0, guests: 2 }]);
		}
	}

	async play(): Promise<number> {
		await this.trigger.poll(true);
		await this.poll(2);
		for (const step of this.history.steps) await this.take(step);
		await this.poll(4);
		this.checkAll();
		return this.changes.size;
	}

	private async take(step: Step): Promise<void> {
		if (step.what === 'poll') return await this.poll(step.times, step.apartMs);
		if (step.what === 'backup') return this.makeBackup();
		if (step.what === 'restore') return this.restore();
		// Versions within seconds of each other are not ordered, but for the one that a booking is made with.
		this.trigger.now += 10 * SECOND;
		const { now } = this.trigger;
		if (step.what === 'make') {
			if (this.history.event !== 'bookingPaymentChanged') return;
			this.bookings.push([
				{ changed: now, value: 0, guests: 2 },
				{ changed: now + step.afterMs, value: step.value, guests: 2 },
			]);
			this.trigger.now += step.afterMs;
			return;
		}
		const versions = this.bookings[step.which % Math.max(1, this.bookings.length)];
		const last = versions?.at(-1);
		if (!versions || !last) return;
		const isEdit = step.what === 'edit';
		versions.push({
			changed: now,
			value: isEdit ? last.value : step.value,
			guests: isEdit ? last.guests + 1 : last.guests,
		});
	}

	private makeBackup(): void {
		const { own, published } = this.trigger;
		this.backup = {
			state: asStored({ own, published }),
			emitted: new Map(this.emitted),
			keys: new Set(this.keys),
			firstKeys: new Map(),
		};
	}

	private restore(): void {
		if (!this.backup) return;
		Object.assign(this.trigger, asStored(this.backup.state));
		this.emitted = new Map(this.backup.emitted);
		this.keys = new Set(this.backup.keys);
	}

	private async poll(times: number, apartMs = MINUTE): Promise<void> {
		for (let made = 0; made < times; made++) {
			this.trigger.now += apartMs;
			for (const emission of await this.trigger.emissions()) this.note(emission);
		}
	}

	/** @throws Verdict for a change that is taken back, or whose key is not its own */
	private note({ record, key }: Awaited<ReturnType<Polled['emissions']>>[number]): void {
		const guid = nameOf(record);
		const { changeDate } = record as { changeDate: string };
		const versions = this.bookings[Number(guid)] ?? [];
		const to = versions.findIndex(({ changed }) => changed === Date.parse(changeDate));
		const from = this.emitted.get(guid) ?? 0;
		const change = JSON.stringify([guid, versions[from]?.value, versions[to]?.value]);
		if (to <= from) throw new Verdict(`Taken back: ${change}`);
		if (versions[from]?.value === versions[to]?.value) throw new Verdict(`No change: ${change}`);
		if (this.keys.has(key)) throw new Verdict(`The ID of another change: ${change}`);
		const sameKey = this.changes.get(key) ?? change;
		if (sameKey !== change) throw new Verdict(`One ID for ${sameKey} and ${change}`);
		const firstKey = this.backup?.firstKeys.get(guid) ?? key;
		const isFirst = from === (this.backup?.emitted.get(guid) ?? 0);
		if (isFirst && firstKey !== key && this.changes.get(firstKey) === change) {
			throw new Verdict(`Another ID after a backup was restored: ${change}`);
		}
		if (isFirst) this.backup?.firstKeys.set(guid, firstKey);
		this.emitted.set(guid, to);
		this.keys.add(key);
		this.changes.set(key, change);
	}

	/** @throws Verdict for a booking whose last value has not come out */
	private checkAll(): void {
		for (const [index, versions] of this.bookings.entries()) {
			const told = versions[this.emitted.get(String(index)) ?? 0];
			const last = versions.at(-1);
			if (told?.value !== last?.value) {
				throw new Verdict(`Lost: ${index} is ${last?.value}, told was ${told?.value}`);
			}
		}
	}

	private list(query: Record<string, unknown>): unknown[] {
		this.calls++;
		const asOf = this.trigger.now - (this.calls % 2 === 0 ? this.history.lagMs : 0);
		const { changedFrom, startTime } = query;
		const listed: unknown[] = [];
		for (const [index, versions] of this.bookings.entries()) {
			const version = versions.findLast(({ changed }) => changed <= asOf);
			const isListed =
				version && (startTime !== undefined || version.changed > Date.parse(String(changedFrom)));
			if (isListed) listed.push(this.write(index, version));
		}
		return listed;
	}

	private write(index: number, { changed, value, guests }: Version): object {
		const { event } = this.history;
		const start = NOW + 10 * DAY + (event === 'bookingRescheduled' ? value * HOUR : 0);
		const created = this.bookings[index]?.[0]?.changed ?? 0;
		return {
			guid: String(index),
			createdDate: new Date(created).toISOString(),
			changeDate: new Date(changed).toISOString(),
			start: new Date(start).toISOString(),
			end: new Date(start + HOUR).toISOString(),
			guests,
			status: event === 'bookingStatusChanged' ? value + 1 : 1,
			chargePayedAmount: event === 'bookingPaymentChanged' ? value * 100 : 0,
		};
	}
}

const value = fc.integer({ min: 0, max: 2 });
const which = fc.nat(3);
const aStep: fc.Arbitrary<Step> = fc.oneof(
	fc.record({
		what: fc.constantFrom('swing' as const, 'swing' as const, 'edit' as const),
		which,
		value,
	}),
	fc.record({
		what: fc.constant('make' as const),
		afterMs: fc.constantFrom(SECOND, 2 * SECOND, 3 * SECOND),
		value,
	}),
	fc.record({
		what: fc.constant('poll' as const),
		times: fc.integer({ min: 1, max: 4 }),
		apartMs: fc.constantFrom(SECOND, 2 * SECOND, MINUTE),
	}),
	fc.record({ what: fc.constantFrom('backup' as const, 'restore' as const) }),
);
const swingHistory: fc.Arbitrary<SwingHistory> = fc.record({
	event: fc.constantFrom<SwingEvent[]>(
		'bookingRescheduled',
		'bookingPaymentChanged',
		'bookingStatusChanged',
	),
	lagMs: fc.constantFrom(0, SECOND, 2 * SECOND, 3 * SECOND),
	old: fc.integer({ min: 1, max: 3 }),
	steps: fc.array(aStep, { minLength: 6, maxLength: 40, size: 'max' }),
});

it(
	`a value that goes back and forth is emitted once each time, is never taken back, and keeps its ID from a backup, in ${RUNS} histories`,
	async () => {
		let emitted = 0;
		const property = fc.asyncProperty(swingHistory, async (history) => {
			emitted += await new SwingWorld(history).play();
		});
		const result = await fc.check(property, { numRuns: RUNS, seed: SEED });
		process.stdout.write(
			`model: seed ${SEED}, ${result.numRuns} histories of swings, ${emitted} changes emitted\n`,
		);
		expect(
			result.failed
				? `${String(result.errorInstance)}\n${fc.defaultReportMessage(result)}`
				: undefined,
		).toBeUndefined();
		expect(emitted).toBeGreaterThan(RUNS);
	},
	Math.max(300_000, RUNS * 100),
);
