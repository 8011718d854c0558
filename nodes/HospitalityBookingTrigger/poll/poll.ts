import uniq from 'lodash/uniq';

import { ExplainedError } from '../../shared/errors/help';
import { readList } from '../../shared/http/response';
import { RecentMap } from '../../shared/values/recentMap';
import { isRecord } from '../../shared/values/record';
import type { Query } from '../feeds/feed';
import { followerOf } from '../follow/follower';
import type { Emission, FollowSettings, Learned, Start, Step } from '../follow/step';
import type { TriggerForm } from '../form/readForm';
import { hashKey, shortHash } from '../keys';
import { type Position, type StoredState, readState } from '../state/stored';
import { DAY, SECOND } from '../timestamps';
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
	publication: { longestMs: 30_000, toleratesOutage: true, mayReadEarly: false },
	/** A poll by n8n's own timers: the state is in memory, and stored when something is emitted. */
	timer: { longestMs: Infinity, toleratesOutage: false, mayReadEarly: false },
	/** A poll by n8n's scheduler, perhaps with durable cursors: n8n may read the state before it has stored the last poll's. */
	scheduler: { longestMs: Infinity, toleratesOutage: false, mayReadEarly: true },
};

/** What a poll needs of the world. */
export interface PollHost<T> {
	/** Stands for the node within this process. */
	id: string;
	mode: keyof typeof MODES;
	/** Whether the workflow was published before, so that there has been a state. */
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
	/** Turns the records that go out into the node's output. */
	present: (records: Emission[]) => T;
	/** Shows a person what there is to know, without failing the poll. */
	report: (notices: NoticesError) => void;
	warn: (message: string) => void;
	/** Milliseconds since 1970. */
	now: () => number;
}

/** There is something that a person should know. */
export class NoticesError extends ExplainedError {
	override name = 'NoticesError';

	constructor(readonly notices: readonly string[]) {
		super(
			`Please check: ${notices.join('; ')}`,
			"The trigger goes on: everything else has been emitted. You won't be warned again.",
		);
	}
}

/** What one process remembers of a trigger between its polls. n8n gives a node no other place for it. */
interface NodeMemory {
	/** The poll under way. */
	running?: Promise<unknown>;
	/** How many polls in a row took all of their time. */
	slowPolls: number;
	/** Whether the node has polled since n8n was started. */
	hasPolled: boolean;
	/** The state that the last batch was emitted from, when, and whether it had gone out before n8n was started. */
	emitted?: { from: string; at: number; isAgain: boolean };
}

const memories = new RecentMap<NodeMemory>(1000, ({ running }) => !running);

/** How long a poll waits for the service; twice as long after each poll for which that was too short. */
const USUAL_BUDGET_MS = 60_000;
/** How long n8n may take to store what a poll has emitted. After that it counts as dropped. */
const STORING_MS = 30_000;
/** Fewer bookings in a call, and the next one asks for twice as many days. */
const FEW_RECORDS = 1000;
const MAX_NOTICES = 1000;
const MAX_TOLD = 20;

/**
 * One poll from call to state. The state is replaced once, last: a poll that fails, wherever, changes nothing.
 *
 * The first poll of a publication does not fail for what passes by itself, such as a 429, where there is a state to go on
 * from: the next poll takes what it would have taken.
 *
 * @returns the output, or null when nothing is new, another poll of the node is under way, or the one before is still being
 * stored
 * @throws StateError for a stored state that cannot be read; CallError for a response that is no list; what `fetch`
 * and `present` throw
 */
export async function poll<T>(host: PollHost<T>, settings: PollSettings): Promise<T | null> {
	const memory = memories.open(host.id, () => ({ slowPolls: 0, hasPolled: false }));
	if (memory.running) {
		if (host.mode !== 'publication') return null;
		await memory.running.catch(() => undefined);
	}
	// It begins once it is known to run.
	const running = Promise.resolve().then(async () => await pollAlone(host, settings, memory));
	memory.running = running;
	try {
		return await running;
	} finally {
		if (memory.running === running) delete memory.running;
	}
}

/** A poll while it runs. */
interface Run<T> {
	host: PollHost<T>;
	settings: PollSettings;
	memory: NodeMemory;
	now: number;
	/** What the poll before has left, where that belongs to this trigger. */
	before: StoredState | undefined;
	/** How the trigger begins where nothing is left. */
	start: Start;
	/** Whether n8n has stored nothing at all. */
	isNew: boolean;
	/** The number of the last publication. */
	publication: number;
	/** Stands for what was loaded. */
	mark: string;
}

async function pollAlone<T>(
	host: PollHost<T>,
	settings: PollSettings,
	memory: NodeMemory,
): Promise<T | null> {
	const run = { host, settings, memory, now: host.now(), ...load(host, settings) };
	const { before } = run;
	if (isBeingStored(run)) return null;
	const again = await askAgain(run);
	if (before && again) return keep(run, before, again, true);
	const asked = await ask(run);
	if (!asked) return null;
	const { position, times, page, learned } = asked;
	if (!page) {
		// No body says nothing: were it taken for an empty list, everything in the next one would be new.
		if (before) return null;
		const start: Start = { kind: 'since', at: settings.startAt ?? run.now };
		const begun = followerOf(settings).begin(start, run.now) ?? position;
		return keep(run, { position: begun, told: [] }, []);
	}
	const step = followerOf(settings).advance(position, page, run.now, learned);
	const { told, untold } = noticesOf(run, step);
	const last = settings.reEmit && step.emit.length > 0 ? lastBatch(settings, step.emit, times) : before?.last;
	const next = { position: step.position, told, ...(settings.reEmit ? { last } : {}) };
	const output = keep(run, next, step.emit);
	if (untold.length > 0) host.report(new NoticesError(untold));
	return output;
}

/** With durable cursors n8n does not store the state of a publication: then that counts until the node's own is later. */
function load<T>(
	host: PollHost<T>,
	{ node, watching, account, startAt, skipsMissed }: PollSettings,
): Omit<Run<T>, 'host' | 'settings' | 'memory' | 'now'> {
	const { own, published } = host.load();
	const kept = isRecord(published) ? published : {};
	const state = readState(own, node);
	const publication = Math.max(state?.publication ?? 0, Number(kept.publication) || 0);
	const newest = state?.publication === publication ? state : readState(kept.state, node);
	const isUsable = newest?.watching === watching && newest.account === account;
	return {
		before: isUsable && !skipsMissed ? newest : undefined,
		start:
			startAt === null || (isUsable && skipsMissed) ? { kind: 'baseline' } : { kind: 'since', at: startAt },
		isNew: own === undefined && published === undefined,
		publication,
		mark: hashKey(JSON.stringify(newest ?? null)),
	};
}

/** From the same state the same would come out again, until n8n has stored the batch. */
function isBeingStored<T>({ host, memory: { emitted }, mark, now }: Run<T>): boolean {
	const isSame = emitted?.from === mark && Math.abs(now - emitted.at) < STORING_MS;
	return MODES[host.mode].mayReadEarly && isSame;
}

/** @returns the last batch, where it has to come out again and is still there */
async function askAgain<T>(run: Run<T>): Promise<Emission[] | undefined> {
	const { settings, memory, before, mark } = run;
	// Until n8n has taken what goes out again after its start, which it may not have when it publishes the workflow meanwhile.
	const isDue = !memory.hasPolled || (memory.emitted?.isAgain && memory.emitted.from === mark);
	const last = settings.reEmit && isDue ? before?.last : undefined;
	if (!last) return undefined;
	const page = await inTime(run, async (list) => await list(queryOf(settings, last.asked)));
	const again = Array.isArray(page) ? itemsOf(settings, last, page) : [];
	return again.length > 0 ? again : undefined;
}

interface Asked {
	position: Position;
	/** The times that the service was asked for. */
	times: string[];
	/** Undefined for a response without a body. */
	page: unknown[] | undefined;
	learned?: Learned;
}

/** @param hasLess whether less can be asked for: then what may be too much does not fail the poll */
type List = (query: Query, hasLess?: boolean) => Promise<unknown[] | undefined | typeof TOO_MUCH>;

const TOO_MUCH = 'too much';

/** @returns what the service shows; undefined where a publication leaves it to the next poll */
async function ask<T>(run: Run<T>): Promise<Asked | undefined> {
	const { settings, before, start, now } = run;
	const follower = followerOf(settings);
	return await inTime(run, async (list, isLate) => {
		let position = before?.position ?? follower.begin(start, now);
		for (let nearer = 1; position; nearer++) {
			const times = follower.ask(position, now);
			const less = before ? undefined : follower.begin(start, now, nearer);
			const page = await list(queryOf(settings, times), less !== undefined);
			if (page !== TOO_MUCH) {
				const learned = page && (await learn(run, position, page, list, isLate));
				return { position, times, page, ...(learned ? { learned } : {}) };
			}
			position = less;
		}
		return undefined;
	});
}

/**
 * Reads in slices what has to be known from the beginning. What is left when half of the time is over, or when a slice fails
 * for what passes by itself, the next poll reads.
 */
async function learn<T>(
	{ settings, now }: Run<T>,
	position: Position,
	page: unknown[],
	list: List,
	isLate: () => boolean,
): Promise<Learned | undefined> {
	const { feed } = settings;
	const follower = followerOf(settings);
	let unread = follower.unread?.(position, now);
	if (!unread || feed.kind !== 'changes' || !feed.compares) return undefined;
	const { baseline, daysPerCall } = feed.compares;
	let [records, shown]: [unknown[], unknown[]] = [[], page];
	for (let days = daysPerCall; unread && (records.length === 0 || !isLate());) {
		// Where records tell by themselves what has happened, nothing has to be known.
		if (shown.length > 0 && !follower.compares?.(shown)) return { records };
		const to: number = Math.min(unread.from + days * DAY, unread.to);
		const query = baseline(isoOf(unread.from - SECOND), isoOf(to));
		const slice = await list(query, days > 1).catch((error: unknown): undefined => {
			if (records.length === 0 || !isPassing(error)) throw error;
		});
		if (!slice) break;
		if (slice === TOO_MUCH) {
			days = Math.floor(days / 2);
			continue;
		}
		shown = slice;
		records = records.concat(slice);
		unread = to < unread.to ? { from: to, to: unread.to } : undefined;
		if (slice.length < FEW_RECORDS) days *= 2;
	}
	return { records, ...(unread ? { unread } : {}) };
}

/** Makes the new state the stored one, as the last thing that can fail. */
function keep<T>(
	{ host, settings, memory, mark, ...loaded }: Run<T>,
	next: Pick<StoredState, 'position' | 'last' | 'told'>,
	emit: Emission[],
	isAgain = false,
): T | null {
	const output = emit.length > 0 ? host.present(emit) : null;
	const { node, watching, account } = settings;
	const { position, told } = next;
	const last = next.last && isAgain ? { ...next.last, times: next.last.times + 1 } : next.last;
	const publication = loaded.publication + (host.mode === 'publication' ? 1 : 0);
	host.save({ version: 1, publication, node, watching, account, position, told, ...(last ? { last } : {}) });
	memory.hasPolled = true;
	if (output !== null) memory.emitted = { from: mark, at: host.now(), isAgain };
	return output;
}

/** Everything is told once: a record that cannot be followed stays in the service's responses for a while. */
function noticesOf<T>(
	{ host, isNew, before }: Run<T>,
	{ notices }: Step<Position>,
): { told: string[]; untold: string[] } {
	const lost =
		isNew && host.wasPublished
			? ['n8n has no stored state for this trigger, so it started over; earlier changes were skipped']
			: [];
	const found = uniq([...lost, ...notices]).slice(0, MAX_NOTICES);
	const known = new Set(before?.told);
	const fresh = found.filter((text) => !known.has(shortHash(text)));
	const more = fresh.length > MAX_TOLD ? [`${fresh.length - MAX_TOLD} more`] : [];
	return { told: found.map((text) => shortHash(text)), untold: [...fresh.slice(0, MAX_TOLD), ...more] };
}

/**
 * Makes calls in the poll's time. A workflow with a state can be published while the service is unavailable for a while:
 * the next poll goes on.
 *
 * @param work `isLate` tells whether half of the time is over
 * @returns undefined then
 */
async function inTime<T, R>(
	{ host, settings, memory, before, now }: Run<T>,
	work: (list: List, isLate: () => boolean) => Promise<R>,
): Promise<R | undefined> {
	const { longestMs, toleratesOutage } = MODES[host.mode];
	const usualMs = Math.min(longestMs, USUAL_BUDGET_MS * 2 ** memory.slowPolls);
	const budgetMs = before ? Math.min(host.budgetMs, usualMs) : host.budgetMs;
	const passed = () => host.now() - now;
	const list: List = async (query, hasLess = false) =>
		await host
			.fetch(settings.feed.path, query, now + budgetMs)
			.then(readList)
			.catch((error: unknown) => {
				// What n8n has no name for may be a response that is too large.
				if (!hasLess || causeOf(error) !== undefined) throw error;
				return TOO_MUCH;
			});
	const result = await work(list, () => passed() > budgetMs / 2).catch((error: unknown): undefined => {
		if (passed() >= budgetMs) memory.slowPolls++;
		if (!toleratesOutage || !before || !isPassing(error)) throw error;
		host.warn(`The first poll did not succeed, the next one goes on: ${(error as Error).message}`);
	});
	if (result !== undefined) memory.slowPolls = 0;
	return result;
}

/** Whether an error passes by itself, in n8n's own terms. */
export function isPassing(error: unknown): boolean {
	return ['rate-limited', 'temporarily-unavailable'].includes(causeOf(error) ?? '');
}

function causeOf(error: unknown): string | undefined {
	return (error as { failure?: { cause?: string } }).failure?.cause;
}

function queryOf({ feed }: FollowSettings, [from = '', to = '']: string[]): Query {
	return feed.query(from, to);
}

function isoOf(ms: number): string {
	return new Date(ms).toISOString();
}
