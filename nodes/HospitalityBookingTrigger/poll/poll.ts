import intersection from 'lodash/intersection';
import map from 'lodash/map';
import pick from 'lodash/pick';
import union from 'lodash/union';

import { isTransient } from '../../shared/errors/nodeErrors';
import { type Emission, type FollowSettings, step } from '../follow/step';
import { type Identity, type Kept, chooseState } from '../state/choose';
import { type NoticeKind, type State, VERSION } from '../state/stored';
import { Asking, type Line } from './ask';

/** What a trigger waits for, and how. */
export type PollSettings = FollowSettings & Identity;

/**
 * How n8n makes a poll. While the first poll of a publication, or of n8n's start, fails, the workflow is not published. The scheduler may
 * read the state before it has stored that of the last poll.
 */
export type Mode = 'publication' | 'timer' | 'scheduler';

/** What this process knows of a trigger, besides its state. */
export interface Live {
	/** The poll under way: n8n may start one while the last one is still running. */
	running?: Promise<unknown>;
	/** What the last batch was emitted from, as the number of polls, and when, by n8n's clock. */
	emitted?: { from: number; at: number };
}

/** What a poll needs from its surroundings. */
export interface PollHost<T> extends Line {
	mode: Mode;
	live: Live;
	load: () => Kept;
	/**
	 * Replaces the node's own state.
	 *
	 * @param copy what is kept with the workflow as long as n8n may not have stored the node's own state
	 */
	save: (state: State, copy: State | undefined) => void;
	/** Turns the emitted records into the node's output. */
	present: (records: Emission[]) => T;
	/** Shows notices to the person without failing the poll. */
	report: (notices: string[]) => void;
}

/** How long n8n's scheduler may take to store what a poll has emitted. After that it counts as dropped. */
const STORING_MS = 30_000;
/** What a service is like, or what is forgotten, stays told for ever; anything else while it lasts. */
const ALWAYS_TOLD: readonly NoticeKind[] = ['cut', 'full'];

/**
 * One poll: load → ask → step → keep → tell. The state is replaced once, after everything that can fail: a poll that fails changes
 * nothing.
 *
 * If there is a state to continue from, the first poll of a publication does not fail on transient errors such as a 429: the next poll
 * gets the same events.
 *
 * @returns the output, or null when nothing is new, another poll of the node is under way, or the last one is still being stored
 * @throws ExplainedError for a stored state that cannot be read; errors of `fetch` and `present`
 */
export async function poll<T>(host: PollHost<T>, settings: PollSettings): Promise<T | null> {
	const { live, mode } = host;
	if (live.running && mode !== 'publication') return null;
	const last = Promise.resolve(live.running).catch(() => undefined);
	const output = last.then(async () => await pollAlone(host, settings));
	live.running = output;
	return await output.finally(() => {
		if (live.running === output) delete live.running;
	});
}

async function pollAlone<T>(host: PollHost<T>, settings: PollSettings): Promise<T | null> {
	const { live, mode } = host;
	const start = chooseState(settings, host.load());
	const { state, polls, why } = start;
	// From the state of before the last batch the same would come out again, until n8n has stored the new one.
	const isStored =
		live.emitted?.from !== polls || Math.abs(host.now() - live.emitted.at) >= STORING_MS;
	if (mode === 'scheduler' && !isStored) return null;
	const asked = await new Asking(start, settings, host).toEnd().catch((error: unknown) => {
		if (mode !== 'publication' || !state || !isTransient(error)) throw error;
		return undefined;
	});
	if (!asked) return null;
	const { position, emit, notices } = step(asked, settings);
	const told = state?.told ?? [];
	const output = emit.length > 0 ? host.present(emit) : null;
	const next: State = {
		version: VERSION,
		...pick(settings, 'node', 'watching', 'account'),
		polls: polls + 1,
		position,
		told: union(intersection(told, ALWAYS_TOLD), map(notices, 'kind')),
	};
	host.save(next, mode === 'publication' || !state ? next : start.copy);
	if (output) live.emitted = { from: polls, at: host.now() };
	const texts = notices.filter(({ kind }) => !told.includes(kind)).map(({ text }) => text);
	const how = start.startAt === null ? 'earlier changes were skipped' : "from 'Start From'";
	if (why !== undefined) texts.unshift(`the trigger started over, as ${why}: ${how}`);
	if (texts.length > 0) host.report(texts);
	return output;
}
