import map from 'lodash/map';
import noop from 'lodash/noop';

import { isTransient } from '../../shared/errors/nodeErrors';
import type { Feed } from '../events/observe';
import { clockAhead } from '../follow/clock';
import type { Emission } from '../follow/buildEmission';
import { findNewEvents } from '../follow/newEvents';
import { firstPosition, firstWatermark } from '../follow/position';
import type { Notice } from '../follow/pollResponse';
import { type Identity, type Start, type StoredStates, chooseStart } from '../state/choose';
import { type Position, type State, VERSION } from '../state/stored';
import type { Mode, PollMemory } from './modes';
import { type BookingClient, PollCalls } from './pollCalls';
import { unique } from '../../shared/values/keys';

/** What a trigger waits for, and how. */
export interface PollSettings extends Identity {
	feed: Feed;
}

/** What a poll needs from its surroundings. */
export interface PollHost<T> extends BookingClient {
	mode: Mode;
	memory: PollMemory;
	load: () => StoredStates;
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
/** What a service is like, or what is forgotten, stays reported for ever; anything else while it lasts. */
const REPORTED_ONCE = /^(cut|mayBeCut|full|undated|echo)\b/;

/**
 * One poll: load → ask (pollCalls.ts: the calls that it costs) → find what is new → store → report. The state is replaced once, after
 * everything that can fail: a poll that throws changes nothing.
 *
 * If there is a state to continue from, the first poll of a publication does not fail on transient errors such as a 429: the next poll
 * gets the same events. With 'Catch Up' off, publishing skips what was missed: if its first poll fails like
 * that, the moment is stored, and the next poll goes on from there.
 *
 * @returns the output, or null when nothing is new, another poll of the node is under way, or the last one is still being stored
 * @throws ExplainedError for a stored state that cannot be read; errors of `fetch` and `present`
 */
export async function poll<T>(host: PollHost<T>, settings: PollSettings): Promise<T | null> {
	const { memory, mode } = host;
	if (memory.running && mode !== 'publication') return null;
	const last = Promise.resolve(memory.running).catch(noop);
	const output = last.then(async () => await pollAlone(host, settings));
	memory.running = output;
	return await output.finally(() => {
		if (memory.running === output) delete memory.running;
	});
}

async function pollAlone<T>(host: PollHost<T>, settings: PollSettings): Promise<T | null> {
	const { mode, memory } = host;
	const start = chooseStart(settings, host.load());
	const { state, polls } = start;
	if (mode === 'scheduler' && isBeingStored(host, polls)) return null;
	const calls = new PollCalls(start, settings.feed, host);
	const lastState = state ?? start.skipped;
	const isTolerant = mode === 'publication' && lastState !== undefined;
	const response = await calls.run().catch((error: unknown) => {
		if (isTolerant && isTransient(error)) return undefined;
		throw error;
	});
	if (!response) {
		if (start.skipped) skipMissed(host, settings, start.skipped, polls);
		return null;
	}
	const { position, emit, notices } = findNewEvents(response, settings.feed);
	const output = emit.length > 0 ? host.present(emit) : null;
	const before = state?.reported ?? [];
	const lasting = before.filter((kind) => REPORTED_ONCE.test(kind));
	const kinds = map(notices, 'kind');
	const reported = unique(lasting.concat(kinds));
	const next = stateOf(settings, polls + 1, position, reported);
	const isCopied = mode === 'publication' || !state;
	host.save(next, isCopied ? next : start.copy);
	if (output) {
		memory.emitted = { atPollCount: polls, at: host.now() };
	}
	const texts = textsOf(start, notices, before);
	if (texts.length > 0) host.report(texts);
	return output;
}

function stateOf(
	{ node, watching, account }: PollSettings,
	polls: number,
	position: Position,
	reported: string[],
): State {
	return {
		version: VERSION,
		node,
		watching,
		account,
		polls,
		position,
		reported,
	};
}

/** Without 'Catch Up', an outage does not stop publishing: the next poll goes on from this moment. */
function skipMissed(
	host: PollHost<unknown>,
	settings: PollSettings,
	{ position, reported }: State,
	polls: number,
): void {
	const { feed } = settings;
	const now = host.now() + clockAhead(position);
	const watermark = firstWatermark(feed, now, now);
	const first = firstPosition(feed, now, watermark, now);
	const next = stateOf(settings, polls + 1, first, reported);
	host.save(next, next);
}

/** Whether n8n may not have stored the last batch yet: from the state before, the same would be emitted again. */
function isBeingStored(host: PollHost<unknown>, polls: number): boolean {
	const { emitted } = host.memory;
	if (emitted?.atPollCount !== polls) return false;
	const elapsed = Math.abs(host.now() - emitted.at);
	return elapsed < STORING_MS;
}

/** @returns what a person is told: why the trigger started over, and the notices that have not been reported */
function textsOf(start: Start, notices: readonly Notice[], reported: readonly string[]): string[] {
	const { why, startAt } = start;
	const texts: string[] = [];
	if (why !== undefined) {
		const from = startAt === null ? 'earlier changes were skipped' : "from 'Start From'";
		texts.push(`the trigger started over, as ${why}: ${from}`);
	}
	for (const { kind, text } of notices) {
		if (!reported.includes(kind)) texts.push(text);
	}
	return texts;
}
