import * as fc from 'fast-check';

import { type ModelledHost, Verdict } from './host';

/** A history while it runs. */
export interface History {
	readonly host: ModelledHost;
	polls: number;
	/** Polls until nothing more comes. @throws Verdict that names what was lost, repeated or made up in all of it */
	settle(): Promise<void>;
}

export type Command<H> = fc.AsyncCommand<object, H>;

export function command<H>(name: string, run: (history: H) => Promise<void> | void): Command<H> {
	return { check: () => true, run: async (_model, history) => await run(history), toString: () => name };
}

const moment = (zone: string, at: string) => ({ zone, at: Date.parse(at) });

/** Moments when a zone's clock goes back or forward, and one when it does not. */
export const MOMENTS = {
	autumn: moment('Europe/Stockholm', '2026-10-25T01:00:00Z'),
	spring: moment('Europe/Stockholm', '2026-03-29T01:00:00Z'),
	halfAnHour: moment('Australia/Lord_Howe', '2026-04-04T15:00:00Z'),
	ordinary: moment('Asia/Kolkata', '2026-07-01T12:00:00Z'),
};

export interface Outcome {
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

export interface Play<S, H> {
	setting: fc.Arbitrary<S>;
	commands: Array<fc.Arbitrary<Command<H>>>;
	begin: (setting: S) => H;
	numRuns: number;
	/** The same seed gives the same histories. */
	seed: number;
	/** Whether to look for the shortest history that fails. */
	shrinks: boolean;
}

/** Plays random histories, each to its end, until one fails. */
export async function play<S, H extends History>({
	setting,
	commands,
	begin,
	numRuns,
	seed,
	shrinks,
}: Play<S, H>): Promise<Outcome> {
	const counts = { polls: 0, emitted: 0, crashes: 0 };
	const property = fc.asyncProperty(
		setting,
		fc.commands(commands, { size: 'large', maxCommands: 40 }),
		async (chosen, steps) => {
			const history = begin(chosen);
			await fc.asyncModelRun(() => ({ model: {}, real: history }), steps);
			await history.settle();
			counts.polls += history.polls;
			counts.emitted += history.host.runs.reduce((sum, { records }) => sum + records.length, 0);
			counts.crashes += history.host.runs.filter(({ unsaved, dropped }) => unsaved || dropped).length;
		},
	);
	// What a failure prints as its path begins with the number of its history.
	const [path = ''] = (process.env.MODEL_PATH ?? '').split(':');
	const result = await fc.check(property, { numRuns, seed, path, endOnFailure: !shrinks });
	const reason = result.errorInstance instanceof Error ? result.errorInstance.message : '';
	const failure = result.failed ? `${reason}\n${fc.defaultReportMessage(result)}` : undefined;
	const verdict = result.errorInstance instanceof Verdict ? reason : undefined;
	return { seed, histories: result.numRuns, ...counts, failure, verdict };
}
