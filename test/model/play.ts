import * as fc from 'fast-check';
import isMatch from 'lodash/isMatch';
import {
	type PollSettings,
	poll as realPoll,
} from '../../nodes/HospitalityBookingTrigger/poll/poll';
import { type Fault, type Mishap, ModelledHost, type Poll, Verdict } from './host';
import type { ModelledService, ServiceKind } from './service';
import { offsetAt } from './zones';

export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

const SERVER = 'https://booking.example';

const moment = (zone: string, at: string) => ({ zone, at: Date.parse(at) });

/** Moments when a zone's clock goes back or forward, and three when it does not. */
const MOMENTS = [
	moment('Europe/Stockholm', '2026-10-25T01:00:00Z'),
	moment('Europe/Stockholm', '2026-03-29T01:00:00Z'),
	moment('Australia/Lord_Howe', '2026-04-04T15:00:00Z'),
	moment('Asia/Kolkata', '2026-07-01T12:00:00Z'),
	moment('Europe/Stockholm', '2026-07-15T12:00:00Z'),
	moment('America/New_York', '2026-11-01T06:00:00Z'),
	moment('UTC', '2026-12-31T23:30:00Z'),
];

/** What makes the trigger begin anew. */
type Move = Partial<Pick<PollSettings, 'node' | 'watching' | 'account'>>;

/** What stays the same through one history. */
export interface WorldSetting {
	/** Real time at which the history begins, in milliseconds since 1970. */
	begin: number;
	durable: boolean;
	service: ServiceKind;
	/** Whether n8n's clock jumps and comes back. */
	jumps: boolean;
	/** How long n8n waits before each poll, besides. */
	intervalMs: number;
}

/** A history while it runs: a service, n8n, and what the model expects of the trigger. */
export abstract class World {
	service: ModelledService;
	readonly host: ModelledHost;
	polls = 0;
	protected now: number;
	/** How far n8n's clock is off. */
	protected hostJumpMs = 0;
	private readonly services = new Map<string, ModelledService>();

	constructor(
		poll: Poll,
		private readonly world: WorldSetting,
		own: Pick<PollSettings, 'feed' | 'watching' | 'startAt'>,
		private readonly makeService: () => ModelledService,
	) {
		const { begin, durable } = world;
		this.now = begin;
		this.service = this.serviceAt(SERVER);
		this.host = new ModelledHost({
			poll,
			durable,
			settings: {
				node: 'Trigger',
				account: SERVER,
				skipsMissed: false,
				...own,
			},
			list: (query) => this.list(query),
			date: () => this.service.dateAt(this.now),
			now: () => this.at,
			pass: (ms) => this.pass(ms),
		});
	}

	/** Whether the trigger has a state to go on from. */
	protected abstract get hasBegun(): boolean;
	abstract poll(fault: Fault, mishap: Mishap): Promise<void>;
	abstract activate(fault: Fault): Promise<void>;
	abstract restart(fault: Fault): Promise<void>;
	/** Polls until nothing more comes. @throws Verdict that names what was lost, repeated or made up in all of it */
	abstract settle(): Promise<void>;
	protected abstract beginAnew(): void;

	/** The time by n8n's clock. */
	protected get at(): number {
		return this.now + this.hostJumpMs;
	}

	/** When the last call was answered, by the service's clock or, where it does not tell it, by n8n's. */
	protected answeredAt = 0;

	protected list(query: Record<string, unknown>): unknown[] {
		this.answeredAt = this.service.dateAt(this.now) ?? this.at;
		return this.service.list(query, this.now);
	}

	pass(ms: number): void {
		this.now += ms;
	}

	/** n8n's clock is set to another time, or back to the right one. */
	jump(ms: number): void {
		if (this.hasBegun && this.world.jumps) this.hostJumpMs = ms;
	}

	/** The trigger's node gets another name, other filters or the credential of another server: it begins anew. */
	async moveTo(change: Move, fault: Fault): Promise<void> {
		const { settings } = this.host;
		if (!this.hasBegun || isMatch(settings, change)) return;
		this.beginAnew();
		Object.assign(settings, change);
		this.service = this.serviceAt(settings.account);
		await this.activate(fault);
	}

	private serviceAt(account: string): ModelledService {
		const service = this.services.get(account) ?? this.makeService();
		this.services.set(account, service);
		return service;
	}

	protected async pollUntilQuiet(mostPolls: number, everyMs: number): Promise<void> {
		for (let quiet = 0, polls = 0; quiet < 2; quiet++, polls++) {
			if (polls > mostPolls) throw new Verdict('Repeated without end');
			const runs = this.host.runs.length;
			this.pass(everyMs);
			await this.poll('none', 'none');
			if (this.host.runs.length > runs) quiet = -1;
		}
	}
}

/**
 * All kinds of services, and the real time at which a history begins: some time before a clock is changed.
 *
 * @param skewMs the widest difference between the service's clock and the real time
 */
export function serviceOf(skewMs: number): fc.Arbitrary<{ service: ServiceKind; begin: number }> {
	const form = fc.constantFrom<ServiceKind['form']>('Z', 'offset', 'none');
	const often = <T>(usual: T, ...others: T[]) => fc.constantFrom(usual, usual, usual, ...others);
	return fc
		.record({
			moment: fc.constantFrom(...MOMENTS),
			before: fc.integer({ min: 0, max: 180 }),
			form,
			isMixed: fc.boolean(),
			otherForm: form,
			changesAfter: often<number | null>(null, HOUR, DAY),
			comparesDigits: often(false, true),
			decimals: fc.constantFrom(0, 3),
			skewMs: fc.oneof(fc.constant(0), fc.integer({ min: -skewMs, max: skewMs })),
			isDated: fc.boolean(),
			cap: often<ServiceKind['cap']>(
				null,
				{ most: 10, first: 'oldest' },
				// A shorter list is not taken for cut: nothing would be told.
				{ most: 50, first: 'newest' },
			),
			lagMs: often(0, 30 * SECOND, 110 * SECOND),
			silence: often<[number, number] | null>(null, [0, HOUR], [HOUR, 3 * HOUR]),
			history: fc.constantFrom<ServiceKind['history']>('dated', 'none', 'mixed', 'legacy'),
			secondStampMs: often(0, SECOND, 2 * SECOND),
		})
		.map(
			({ moment: { zone, at }, before, isMixed, otherForm, changesAfter, silence, ...drawn }) => {
				// Where the service does not tell its clock, n8n's is all there is.
				const skew = drawn.isDated ? drawn.skewMs : 0;
				const isTwice = offsetAt(at - 3 * HOUR, zone) > offsetAt(at + 3 * HOUR, zone);
				// A cut list of local times cannot be asked on where these go back.
				const comparesLocal =
					drawn.form === 'none' || (drawn.comparesDigits && drawn.form === 'offset');
				const cap = comparesLocal && isTwice ? null : drawn.cap;
				const rest = { ...drawn, skewMs: skew, cap };
				// A local time that occurs twice, written otherwise, may be either.
				const isLocal = drawn.form === 'none' || (isMixed && otherForm === 'none');
				// And digits in another form do not tell what came before.
				const changes = (isLocal && isTwice) || drawn.comparesDigits ? null : changesAfter;
				// In the hours of a clock change, a local time does not tell what a replica shows from before.
				const isNearChange = offsetAt(at - 3 * HOUR, zone) !== offsetAt(at + 3 * HOUR, zone);
				const begin = Math.floor((at - before * MINUTE - rest.skewMs) / SECOND) * SECOND;
				return {
					begin,
					service: {
						...rest,
						// Two replicas show no list that is cut at one place.
						lagMs:
							rest.cap?.first === 'newest' || (rest.form === 'none' && isNearChange)
								? 0
								: rest.lagMs,
						decimals: rest.cap && rest.decimals === 0 ? 3 : rest.decimals,
						zone,
						otherForm: isMixed ? otherForm : rest.form,
						changesForm: changes === null ? null : begin + changes,
						silent: silence && [begin + silence[0], begin + silence[1]],
					},
				};
			},
		);
}

export type Steps<W> = Array<fc.Arbitrary<fc.AsyncCommand<object, W>>>;

/** What may happen in a history, with what is drawn for it. */
export function step<W, D>(
	name: string,
	drawn: fc.Arbitrary<D>,
	run: (world: W, values: D) => Promise<void> | void,
): Steps<W>[number] {
	return drawn.map((values) => ({
		check: () => true,
		run: async (_model, world) => await run(world, values),
		toString: () => `${name} ${JSON.stringify(values)}`,
	}));
}

/** Once for `often` times that nothing goes wrong, one of these does. */
function rarely<T extends string>(often: number, mishaps: T[]): fc.Arbitrary<T | 'none'> {
	return fc.oneof(
		{ weight: often, arbitrary: fc.constant('none' as const) },
		{ weight: 1, arbitrary: fc.constantFrom(...mishaps) },
	);
}

/** What happens to n8n in the histories of every event. */
export function hostSteps<W extends World>(
	[faultsOutOf, faults]: [number, Fault[]],
	[mishapsOutOf, mishaps]: [number, Mishap[]],
	moves: Move[][],
) {
	const fault = rarely<Fault>(faultsOutOf, faults);
	const mishap = rarely<Mishap>(mishapsOutOf, mishaps);
	const move = fc.oneof(...moves.map((values) => fc.constantFrom(...values)));
	return {
		poll: step<W, [Fault, Mishap]>('poll', fc.tuple(fault, mishap), (world, drawn) =>
			world.poll(...drawn),
		),
		move: step<W, [Move, Fault]>('change', fc.tuple(move, fault), (world, drawn) =>
			world.moveTo(...drawn),
		),
		publish: step<W, Fault>('publish', fault, (world, drawn) => world.activate(drawn)),
		restart: step<W, Fault>('restart', fault, (world, drawn) => world.restart(drawn)),
		pass: (...times: number[]) =>
			step<W, number>('pass (ms)', fc.constantFrom(...times), (world, ms) => world.pass(ms)),
		jump: (...times: number[]) =>
			step<W, number>('clock off by (ms)', fc.constantFrom(...times), (world, ms) =>
				world.jump(ms),
			),
	};
}

/** The names and servers that the trigger is moved between. */
export const MOVES = {
	node: [{ node: 'Trigger' }, { node: 'Another' }],
	watching: [{ watching: 'all' }, { watching: 'some' }],
	account: [{ account: SERVER }, { account: 'https://another.example' }],
};

interface Outcome {
	seed: number;
	histories: number;
	polls: number;
	emitted: number;
	crashes: number;
	/** What went wrong first, shrunk, with how to run it again; undefined when all went well. */
	failure: string | undefined;
	/** What the model found against the trigger; undefined where all went well or another exception ended the history. */
	verdict: string | undefined;
}

/**
 * Plays random histories, each to its end, until one fails: what came out is not what must come out.
 *
 * @param seed the same seed gives the same histories
 * @param poll the trigger under test
 * @param shrinks whether to look for the shortest history that fails
 */
export type Play = (
	numRuns: number,
	seed: number,
	poll?: Poll,
	shrinks?: boolean,
) => Promise<Outcome>;

export function playerOf<Setting, W extends World>(
	setting: fc.Arbitrary<Setting>,
	steps: Steps<W>,
	begin: (setting: Setting, poll: Poll) => W,
): Play {
	return async (numRuns, seed, poll = realPoll, shrinks = true) => {
		const counts = { polls: 0, emitted: 0, crashes: 0 };
		const property = fc.asyncProperty(
			setting,
			fc.commands(steps, { size: 'large', maxCommands: 40 }),
			async (chosen, drawn) => {
				const world = begin(chosen, poll);
				await fc.asyncModelRun(() => ({ model: {}, real: world }), drawn);
				await world.settle();
				const { runs } = world.host;
				counts.polls += world.polls;
				counts.emitted += runs.reduce((sum, { records }) => sum + records.length, 0);
				counts.crashes += runs.filter(({ unsaved, dropped }) => unsaved || dropped).length;
			},
		);
		// What a failure prints as its path begins with the number of its history.
		const [path = ''] = (process.env.MODEL_PATH ?? '').split(':');
		const result = await fc.check(property, { numRuns, seed, path, endOnFailure: !shrinks });
		const reason = result.errorInstance instanceof Error ? result.errorInstance.message : '';
		const failure = result.failed ? `${reason}\n${fc.defaultReportMessage(result)}` : undefined;
		const verdict = result.errorInstance instanceof Verdict ? reason : undefined;
		return { seed, histories: result.numRuns, ...counts, failure, verdict };
	};
}
