import pick from 'lodash/pick';

import { ExplainedError } from '../../shared/errors/explainedError';
import { RecentMap } from '../../shared/values/recentMap';
import { type Query, hashKey } from '../feeds/feed';
import { type Asked, type Emission, type FollowSettings, type Notice, step } from '../follow/step';
import { type Choice, type Identity, type Kept, chooseState } from '../state/choose';
import { type NoticeKind, type State, VERSION } from '../state/stored';
import { Asking, type Line, type Origin, isPassing } from './ask';

/** What a trigger waits for, and how. */
export type PollSettings = FollowSettings & Identity;

/** What a poll needs from its surroundings. */
export interface PollHost<T> {
	/** Stands for the node within this process. */
	id: string;
	/** Whether it is the first poll of a publication or of n8n's start: while it fails, the workflow is not published. */
	isPublication: boolean;
	/** Whether n8n's scheduler polls: it may read the state before it has stored that of the last poll. */
	isScheduled: boolean;
	load: () => Kept;
	/**
	 * Replaces the node's own state.
	 *
	 * @param isCopied whether a copy is kept with the publication until n8n has stored the node's own state
	 */
	save: (state: State, isCopied: boolean) => void;
	/** How long n8n waits for the poll, in milliseconds. */
	budgetMs: number;
	/** Makes the call. Always ends by the deadline, in milliseconds since 1970. */
	fetch: (query: Query, deadline: number) => ReturnType<Line['fetch']>;
	/** Turns the emitted records into the node's output. */
	present: (records: Emission[]) => T;
	/** Shows notices to the person without failing the poll. */
	report: (notices: NoticesError) => void;
	/** Milliseconds since 1970. */
	now: () => number;
}

/** Notices that a person should see. */
export class NoticesError extends ExplainedError {
	override name = 'NoticesError';

	constructor(readonly notices: readonly string[]) {
		super(
			`Please check: ${notices.join('; ')}`,
			"The trigger continues: everything else has been emitted. You won't be warned again while this lasts.",
		);
	}
}

/** How long a publication waits, at most, where a state is there to go on from. */
const PUBLISHING_MS = 30_000;
/** Other polls leave some of n8n's time to n8n. */
const LONGEST_MS = 60_000;
/** How long n8n's scheduler may take to store what a poll has emitted. After that it counts as dropped. */
const STORING_MS = 30_000;

/** The polls under way, by node: n8n may start one while the last one is still running. */
const running = new RecentMap<Promise<unknown>>(1000);
/** By node: what state the last batch was emitted from, and when, by n8n's clock. */
const emitted = new RecentMap<{ before: string; at: number }>(1000);

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
	const other = running.get(host.id);
	if (other) {
		if (!host.isPublication) return null;
		await other.catch(() => undefined);
	}
	// It begins once it is known to run.
	const output = Promise.resolve().then(async () => await pollAlone(host, settings));
	running.set(host.id, output);
	try {
		return await output;
	} finally {
		if (running.get(host.id) === output) running.delete(host.id);
	}
}

async function pollAlone<T>(host: PollHost<T>, settings: PollSettings): Promise<T | null> {
	const choice = chooseState(settings, host.load());
	const { state, publication, startAt } = choice;
	const before = hashKey(JSON.stringify(state ?? null), 11);
	const batch = emitted.get(host.id);
	// From the state of before the last batch the same would come out again, until n8n has stored the new one.
	if (host.isScheduled && batch?.before === before && Math.abs(host.now() - batch.at) < STORING_MS)
		return null;
	const asked = await askFor({ position: state?.position, startAt }, host, settings);
	if (!asked) return null;
	const { position, emit, notices } = step(asked, settings);
	const told = state?.told ?? [];
	const output = emit.length > 0 ? host.present(emit) : null;
	const next: State = {
		version: VERSION,
		...pick(settings, 'node', 'watching', 'account'),
		publication: publication + (host.isPublication ? 1 : 0),
		position,
		told: stillTold(told, notices),
	};
	host.save(next, host.isPublication || !state);
	if (output) {
		emitted.delete(host.id);
		emitted.open(host.id, () => ({ before, at: host.now() }));
	}
	const texts = notices.filter(({ kind }) => !told.includes(kind)).map(({ text }) => text);
	if (choice.why !== undefined) texts.unshift(startedOver(choice));
	if (texts.length > 0) host.report(new NoticesError(texts));
	return output;
}

/** @returns undefined without a body, and where the next poll of a publication goes on */
async function askFor<T>(
	origin: Origin,
	host: PollHost<T>,
	settings: PollSettings,
): Promise<Asked | undefined> {
	const now = host.now();
	const longest = host.isPublication ? PUBLISHING_MS : LONGEST_MS;
	const budgetMs = origin.position ? Math.min(host.budgetMs, longest) : host.budgetMs;
	const line = {
		now: host.now,
		halfTime: now + budgetMs / 2,
		fetch: async (query: Query) => await host.fetch(query, now + budgetMs),
	};
	return await new Asking(origin, settings, line).toEnd().catch((error: unknown) => {
		if (!host.isPublication || !origin.position || !isPassing(error)) throw error;
		return undefined;
	});
}

/** What has been told stays told while it lasts; what a service is like, or what is forgotten, for ever. */
function stillTold(told: readonly NoticeKind[], notices: readonly Notice[]): NoticeKind[] {
	const lasting = told.filter((kind) => kind === 'cut' || kind === 'full');
	return [...new Set([...lasting, ...notices.map(({ kind }) => kind)])];
}

function startedOver({ why, startAt }: Choice): string {
	const how = startAt === null ? 'earlier changes were skipped' : "from 'Start From'";
	return `the trigger started over, as ${why}: ${how}`;
}
