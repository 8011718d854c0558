import * as fc from 'fast-check';
import isMatch from 'lodash/isMatch';
import { type PollSettings, poll as realPoll } from '../../nodes/HospitalityBookingTrigger/poll/poll';
import { type Fault, type Mishap, ModelledHost, type Poll, Verdict } from './host';

export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;

const SERVER = 'https://booking.example';

const moment = (zone: string, at: string) => ({ zone, at: Date.parse(at) });

/** Moments when a zone's clock goes back or forward, and one when it does not. */
export const MOMENTS = {
	autumn: moment('Europe/Stockholm', '2026-10-25T01:00:00Z'),
	spring: moment('Europe/Stockholm', '2026-03-29T01:00:00Z'),
	halfAnHour: moment('Australia/Lord_Howe', '2026-04-04T15:00:00Z'),
	ordinary: moment('Asia/Kolkata', '2026-07-01T12:00:00Z'),
};

interface Service {
	list(query: Record<string, unknown>, now: number): unknown[];
}

/** What makes the trigger begin anew. */
type Move = Partial<Pick<PollSettings, 'node' | 'watching' | 'account'>>;

/** What stays the same through one history. */
export interface WorldSetting {
	/** Real time at which the history begins, in milliseconds since 1970. */
	begin: number;
	maxItems: number;
	durable: boolean;
	/** 'Re-emit After Restart'. */
	reEmit: boolean;
	/** How long n8n waits before each poll, besides. */
	intervalMs: number;
}

/** A history while it runs: a service, n8n, and what the model expects of the trigger. */
export abstract class World<S extends Service> {
	service: S;
	readonly host: ModelledHost;
	polls = 0;
	protected now: number;
	/** How far n8n's clock is off. */
	protected hostJumpMs = 0;
	private readonly services = new Map<string, S>();

	constructor(
		poll: Poll,
		{ begin, durable, maxItems, reEmit }: WorldSetting,
		own: Pick<PollSettings, 'feed' | 'zone' | 'watching' | 'overlapMs' | 'maxAgeMs' | 'startAt'>,
		private readonly makeService: () => S,
	) {
		this.now = begin;
		this.service = this.serviceAt(SERVER);
		this.host = new ModelledHost({
			poll,
			durable,
			settings: {
				node: 'Trigger',
				account: SERVER,
				skipsMissed: false,
				maxItems,
				reEmit,
				...own,
			},
			list: (query) => this.list(query),
			now: () => this.at,
			pass: (ms) => this.pass(ms),
		});
	}

	/** Whether the trigger has a state to go on from. */
	protected abstract get hasBegun(): boolean;
	abstract poll(fault: Fault, mishap: Mishap): Promise<void>;
	abstract activate(fault: Fault): Promise<void>;
	abstract restart(fault: Fault): Promise<void>;
	/** The clock that is set to another time, or back to the right one. */
	abstract jump(ms: number): void;
	/** Polls until nothing more comes. @throws Verdict that names what was lost, repeated or made up in all of it */
	abstract settle(): Promise<void>;
	protected abstract beginAnew(): void;

	/** The time by n8n's clock. */
	protected get at(): number {
		return this.now + this.hostJumpMs;
	}

	protected list(query: Record<string, unknown>): unknown[] {
		return this.service.list(query, this.now);
	}

	pass(ms: number): void {
		this.now += ms;
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

	private serviceAt(account: string): S {
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
export function hostSteps<W extends World<Service>>(
	[faultsOutOf, faults]: [number, Fault[]],
	[mishapsOutOf, mishaps]: [number, Mishap[]],
	moves: Move[][],
) {
	const fault = rarely<Fault>(faultsOutOf, faults);
	const mishap = rarely<Mishap>(mishapsOutOf, mishaps);
	const move = fc.oneof(...moves.map((values) => fc.constantFrom(...values)));
	return {
		poll: step<W, [Fault, Mishap]>('poll', fc.tuple(fault, mishap), (world, drawn) => world.poll(...drawn)),
		move: step<W, [Move, Fault]>('change', fc.tuple(move, fault), (world, drawn) => world.moveTo(...drawn)),
		publish: step<W, Fault>('publish', fault, (world, drawn) => world.activate(drawn)),
		restart: step<W, Fault>('restart', fault, (world, drawn) => world.restart(drawn)),
		pass: (...times: number[]) =>
			step<W, number>('pass (ms)', fc.constantFrom(...times), (world, ms) => world.pass(ms)),
		jump: (...times: number[]) =>
			step<W, number>('clock off by (ms)', fc.constantFrom(...times), (world, ms) => world.jump(ms)),
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
export type Play = (numRuns: number, seed: number, poll?: Poll, shrinks?: boolean) => Promise<Outcome>;

export function playerOf<Setting, W extends World<Service>>(
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
