import uniq from 'lodash/uniq';

import { isTransientCause } from '../../shared/errors/callFailure';
import { ExplainedError } from '../../shared/errors/explainedError';
import { readList } from '../../shared/http/response';
import { RecentMap } from '../../shared/values/recentMap';
import { isRecord } from '../../shared/values/record';
import type { Query } from '../feeds/feed';
import { followerOf } from '../follow/follower';
import type { Emission, FollowSettings, Follower, Learned, Start } from '../follow/step';
import type { TriggerForm } from '../form/readForm';
import { hashKey } from '../feeds/hashes';
import { type Position, type State, type StoredState, readState, sealed } from '../state/stored';
import { DAY, SECOND } from '../../shared/values/timestamp';
import { itemsOf, lastBatch } from './reEmit';

/** What a trigger waits for, and how. */
export interface PollSettings
	extends FollowSettings, Pick<TriggerForm, 'node' | 'watching' | 'account' | 'startAt' | 'reEmit'> {
	/** Whether to leave out what happened since the last poll. */
	skipsMissed: boolean;
}

/** How n8n makes a poll, and what follows from that. */
export const MODES = {
	/** The first poll of a publication or of n8n's start: while it fails, the workflow is not published. */
	publication: { longestMs: 30_000, toleratesOutage: true, mayReadEarly: false, provesAccount: true },
	/** A poll by n8n's own timers: the state is in memory, and stored when something is emitted. */
	timer: { longestMs: Infinity, toleratesOutage: false, mayReadEarly: false, provesAccount: false },
	/** A poll by n8n's scheduler, perhaps with durable cursors: n8n may read the state before it has stored the last poll's. */
	scheduler: { longestMs: Infinity, toleratesOutage: false, mayReadEarly: true, provesAccount: false },
};

/** What a poll needs from its surroundings. */
export interface PollHost<T> {
	/** Stands for the node within this process. */
	id: string;
	mode: keyof typeof MODES;
	/** Whether the workflow was published before: then there was a state. */
	wasPublished: boolean;
	/**
	 * @returns the node's own state; and of its last publication the number and, as long as n8n may not have stored the node's
	 * own, the state. Undefined for nothing
	 */
	load: () => { own: unknown; published: unknown };
	/** Replaces the node's own state, and at a publication what is kept of that. */
	save: (state: StoredState) => void;
	/** How long n8n waits for the poll, in milliseconds. */
	budgetMs: number;
	/** Makes the call and returns its parsed body. Always ends by the deadline, in milliseconds since 1970. */
	fetch: (path: string, query: Query, deadline: number) => Promise<unknown>;
	/** Turns the emitted records into the node's output. */
	present: (records: Emission[]) => T;
	/** Shows notices to the person without failing the poll. */
	report: (notices: NoticesError) => void;
	warn: (message: string) => void;
	/** Milliseconds since 1970. */
	now: () => number;
}

/** Notices that a person should see. */
export class NoticesError extends ExplainedError {
	override name = 'NoticesError';

	constructor(readonly notices: readonly string[]) {
		super(
			`Please check: ${notices.join('; ')}`,
			"The trigger continues: everything else has been emitted. You won't be warned again.",
		);
	}
}

/** What a process remembers of a trigger between polls. n8n gives a node no other place for it. */
interface NodeMemory {
	/** The current poll. */
	running?: Promise<unknown>;
	/** How many polls in a row used up their time. */
	slowPolls: number;
	/** Whether the node has polled since n8n started, or has waited for Start From. */
	hasPolled: boolean;
	/** The state that the last batch was emitted from, when, and whether it is a repeat from before n8n started. */
	emitted?: { from: string; at: number; isAgain: boolean };
}

const memories = new RecentMap<NodeMemory>(1000, ({ running }) => !running);

/** How long a poll waits for the service; doubled after each poll that needed longer. */
const USUAL_BUDGET_MS = 60_000;
/** How long n8n may take to store what a poll has emitted. After that it counts as dropped. */
const STORING_MS = 30_000;
/** After a call with fewer bookings, the next one asks for twice as many days. */
const FEW_RECORDS = 1000;
const TOO_LARGE = 'too large';
const MAX_NOTICES = 1000;
const MAX_TOLD = 20;

/**
 * One poll, from call to state. The state is replaced once, at the end: a poll that fails changes nothing.
 *
 * If there is a state to continue from, the first poll of a publication does not fail on transient errors such as a 429:
 * the next poll gets the same events.
 *
 * @returns the output, or null when nothing is new, another poll of the node is under way, or the one before is still being
 * stored
 * @throws StateError for a stored state that cannot be read; CallError for a response that is not a list; errors of
 * `fetch` and `present`
 */
export async function poll<T>(host: PollHost<T>, settings: PollSettings): Promise<T | null> {
	const memory = memories.open(host.id, () => ({ slowPolls: 0, hasPolled: false }));
	if (memory.running) {
		if (host.mode !== 'publication') return null;
		await memory.running.catch(() => undefined);
	}
	// It begins once it is known to run.
	const running = Promise.resolve().then(async () => await new Run(host, settings, memory).toEnd());
	memory.running = running;
	try {
		return await running;
	} finally {
		if (memory.running === running) delete memory.running;
	}
}

/** The service's response from a position on. */
interface Shown {
	position: Position;
	/** The times that the service was asked for. */
	asked: string[];
	/** Undefined for a response without a body. */
	page: unknown[] | undefined;
	learned: Learned | undefined;
}

/** A poll while it runs. */
class Run<T> {
	private readonly now: number;
	private readonly follower: Follower<Position>;
	/** The state of the previous poll, if it belongs to this trigger. */
	private readonly before: State | undefined;
	/** How the trigger starts without one. */
	private readonly start: Start;
	/** Whether n8n has stored nothing at all. */
	private readonly isNew: boolean;
	/** The number of the last publication. */
	private readonly publication: number;
	/** Stands for what was loaded. */
	private readonly mark: string;
	private readonly budgetMs: number;

	/** With durable cursors n8n does not store the state of a publication: then that counts until the node's own is later. */
	constructor(
		private readonly host: PollHost<T>,
		private readonly settings: PollSettings,
		private readonly memory: NodeMemory,
	) {
		const { node, watching, account, startAt, skipsMissed } = settings;
		const { own, published } = host.load();
		const kept = isRecord(published) ? published : {};
		const state = readState(own, node);
		this.now = host.now();
		this.follower = followerOf(settings);
		this.publication = Math.max(state?.publication ?? 0, Number(kept.publication) || 0);
		const newest = state?.publication === this.publication ? state : readState(kept.state, node);
		const isUsable = newest?.watching === watching && newest.account === account;
		this.before = isUsable && !skipsMissed ? newest : undefined;
		this.start =
			startAt === null || (isUsable && skipsMissed) ? { kind: 'baseline' } : { kind: 'since', at: startAt };
		this.isNew = own === undefined && published === undefined;
		this.mark = newest?.seal ?? '';
		const usualMs = Math.min(MODES[host.mode].longestMs, USUAL_BUDGET_MS * 2 ** memory.slowPolls);
		this.budgetMs = this.before ? Math.min(host.budgetMs, usualMs) : host.budgetMs;
	}

	async toEnd(): Promise<T | null> {
		const { host, settings, memory, before, follower, start, now } = this;
		const isEarly = !before && start.kind === 'since' && start.at > now;
		// There is no state yet that n8n could have lost.
		if (isEarly) memory.hasPolled = true;
		if (this.isBeingStored() || (isEarly && !MODES[host.mode].provesAccount)) return null;
		const shown = await this.look().catch((error: unknown): undefined => {
			if (host.now() - now >= this.budgetMs) memory.slowPolls++;
			// A workflow with a state can be published while the service is unavailable for a while: the next poll goes on.
			if (!MODES[host.mode].toleratesOutage || !before || !isPassing(error)) throw error;
			host.warn(`The first poll failed, and the next one continues: ${(error as Error).message}`);
		});
		if (!shown || isEarly) return null;
		memory.slowPolls = 0;
		if (Array.isArray(shown)) return before ? this.keep(before, shown, true) : null;
		const { position, asked, page, learned } = shown;
		if (!page) {
			// A missing body is not an empty list: otherwise everything in the next response would be new.
			if (before) return null;
			const begun = follower.begin({ kind: 'since', at: settings.startAt ?? now }, now);
			return this.keep({ position: begun, told: [] }, []);
		}
		const step = follower.advance(position, page, now, learned);
		const { told, untold } = this.noticesOf(step.notices);
		let last: State['last'];
		if (settings.reEmit) last = step.emit.length > 0 ? lastBatch(settings, step.emit, asked) : before?.last;
		const output = this.keep({ position: step.position, told, last }, step.emit);
		if (untold.length > 0) host.report(new NoticesError(untold));
		return output;
	}

	/** From the same state the same would come out again, until n8n has stored the batch. */
	private isBeingStored(): boolean {
		const { emitted } = this.memory;
		const isSame = emitted?.from === this.mark && Math.abs(this.now - emitted.at) < STORING_MS;
		return MODES[this.host.mode].mayReadEarly && isSame;
	}

	/** @returns the last batch, if it must be emitted again and still exists */
	private async askAgain(): Promise<Emission[]> {
		const { settings, memory, before, mark } = this;
		// Until n8n has taken what goes out again after its start, which it may not have when it publishes the workflow meanwhile.
		const isDue = !memory.hasPolled || (memory.emitted?.isAgain && memory.emitted.from === mark);
		const last = settings.reEmit && isDue ? before?.last : undefined;
		return last ? itemsOf(settings, last, (await this.list(last.asked)) ?? []) : [];
	}

	/** @returns what must be emitted again, otherwise the service's response */
	private async look(): Promise<Emission[] | Shown> {
		const { before, follower, start, now } = this;
		const again = await this.askAgain();
		if (again.length > 0) return again;
		if (before) return await this.askFrom(before.position);
		return await this.askFrom(follower.begin(start, now), follower.beginNearer?.(start, now));
	}

	/** @param nearer where to go on from instead, if that is too much to ask for */
	private async askFrom(position: Position, [next, ...nearer]: Position[] = []): Promise<Shown> {
		const asked = this.follower.ask(position, this.now);
		const page = await this.list(asked).catch((error: unknown): typeof TOO_LARGE => {
			if (!next || !isTooLarge(error)) throw error;
			return TOO_LARGE;
		});
		if (page === TOO_LARGE) return await this.askFrom(next ?? position, nearer);
		return { position, asked, page, learned: page && (await this.learn(position, page)) };
	}

	/**
	 * Reads in slices what has to be known from the beginning. What is left when half of the time is over, or when a slice fails
	 * for what passes by itself, the next poll reads.
	 */
	private async learn(position: Position, page: unknown[]): Promise<Learned | undefined> {
		const { host, follower, settings, now } = this;
		const compares = settings.feed.kind === 'changes' ? settings.feed.compares : undefined;
		let unread = follower.unread?.(position, now);
		if (!unread || !compares) return undefined;
		const halfTime = now + this.budgetMs / 2;
		let [records, shown]: [unknown[], unknown[]] = [[], page];
		for (let days = compares.daysPerCall; unread && (records.length === 0 || host.now() <= halfTime);) {
			// Where records tell by themselves what has happened, nothing has to be known.
			if (shown.length > 0 && !follower.compares?.(shown)) return { records };
			const to: number = Math.min(unread.from + days * DAY, unread.to);
			const [isFirst, canHalve] = [records.length === 0, days > 1];
			const query = compares.baseline(isoOf(unread.from - SECOND), isoOf(to));
			const slice = await this.fetch(query).catch((error: unknown): undefined | typeof TOO_LARGE => {
				if (canHalve && isTooLarge(error)) return TOO_LARGE;
				if (isFirst || !isPassing(error)) throw error;
			});
			if (slice === TOO_LARGE) {
				days = Math.floor(days / 2);
				continue;
			}
			if (!slice) break;
			shown = slice;
			records = records.concat(slice);
			unread = to < unread.to ? { from: to, to: unread.to } : undefined;
			if (slice.length < FEW_RECORDS) days *= 2;
		}
		return { records, ...(unread ? { unread } : {}) };
	}

	private async list([from = '', to = '']: string[]): Promise<unknown[] | undefined> {
		return await this.fetch(this.settings.feed.query(from, to));
	}

	private async fetch(query: Query): Promise<unknown[] | undefined> {
		return readList(await this.host.fetch(this.settings.feed.path, query, this.now + this.budgetMs));
	}

	/** Stores the new state, as the last step that can fail. */
	private keep(
		{ position, told, last }: Pick<State, 'position' | 'last' | 'told'>,
		emit: Emission[],
		isAgain = false,
	): T | null {
		const { host, memory, mark } = this;
		const output = emit.length > 0 ? host.present(emit) : null;
		const { node, watching, account } = this.settings;
		const publication = this.publication + (host.mode === 'publication' ? 1 : 0);
		const batch = last && { last: { ...last, times: last.times + Number(isAgain) } };
		host.save(sealed({ publication, node, watching, account, position, told, ...batch }));
		memory.hasPolled = true;
		if (output !== null) memory.emitted = { from: mark, at: host.now(), isAgain };
		return output;
	}

	/** Each notice is shown once, though a record that cannot be followed stays in the service's responses for a while. */
	private noticesOf(ofStep: readonly string[]): { told: string[]; untold: string[] } {
		const notices: string[] = [];
		if (this.isNew && this.host.wasPublished && !this.memory.hasPolled) {
			const isSkipping = this.start.kind === 'baseline';
			const how = isSkipping ? 'over; earlier changes were skipped' : "from 'Start From'";
			notices.push(`n8n has no stored state for this trigger, so it started ${how}`);
		}
		const found = uniq([...notices, ...ofStep]).slice(0, MAX_NOTICES);
		const known = new Set(this.before?.told);
		const fresh = found.filter((text) => !known.has(hashKey(text)));
		const more = fresh.length > MAX_TOLD ? [`${fresh.length - MAX_TOLD} more`] : [];
		return { told: found.map((text) => hashKey(text)), untold: [...fresh.slice(0, MAX_TOLD), ...more] };
	}
}

/** Whether an error is transient, in n8n's own terms. */
export function isPassing(error: unknown): boolean {
	return isTransientCause(causeOf(error));
}

/** What n8n has no name for may be a response that is too large. */
function isTooLarge(error: unknown): boolean {
	return causeOf(error) === undefined;
}

function causeOf(error: unknown): string | undefined {
	return (error as { failure?: { cause?: string } }).failure?.cause;
}

function isoOf(ms: number): string {
	return new Date(ms).toISOString();
}
