import isEqual from 'lodash/isEqual';
import pick from 'lodash/pick';
import type { Emission } from '../../nodes/HospitalityBookingTrigger/follow/buildEmission';
import { type State, readState } from '../../nodes/HospitalityBookingTrigger/state/stored';
import type { PollMemory } from '../../nodes/HospitalityBookingTrigger/poll/modes';
import type {
	poll as realPoll,
	PollHost,
	PollSettings,
} from '../../nodes/HospitalityBookingTrigger/poll/poll';

export type Poll = typeof realPoll;
export type Fault =
	'none' | 'connection' | 'hang' | 'slow' | 'lost answer' | 'html' | 'empty' | 'output';

/** What n8n waits for a poll: its scheduler and its timers. */
const BUDGETS_MS = { scheduled: 36_000, timed: 300_000 };
/** How long a service that hangs keeps a call, and a person publishing at most. */
const HANG_MS = 3_600_000;
const PUBLISHING_MS = 60_000;
/** How much of its time a poll waits for its place, or for a slow response. */
const SLOW_SHARE = 0.9;

/** What happens to the host around a poll. */
export type Mishap =
	'none' | 'crash before save' | 'crash between writes' | 'superseded' | 'second poll';

interface HostOptions {
	poll: Poll;
	settings: PollSettings;
	/** n8n's durable cursors: state and emission are saved together, and after polls that emit nothing, too. */
	durable: boolean;
	list: (query: Record<string, unknown>) => unknown[];
	/** What the service says of its clock. */
	date: () => number | undefined;
	now: () => number;
	/** Lets time pass. */
	pass: (ms: number) => void;
}

/** What a state has to be of. */
const BELONGING = ['node', 'watching', 'account'] as const;

/** Faults that pass by themselves. */
const PASSING: Fault[] = ['connection', 'hang', 'lost answer'];

class UnavailableError extends Error {
	override name = 'UnavailableError';
	readonly failure = { cause: 'temporarily-unavailable' };
}

class WebPageError extends Error {
	override name = 'WebPageError';
}

class OutputError extends Error {
	override name = 'OutputError';
}

/** What a poll may fail with; anything else is a defect of what is tested, and no verdict. */
const FAILURES = ['UnavailableError', 'OutputError', 'WebPageError'];

/** What the model finds against the trigger. */
export class Verdict extends Error {
	override name = 'Verdict';
}

/** @throws what is not a failure of a poll */
function failedPoll(error: unknown): null {
	if (error instanceof Error && FAILURES.includes(error.name)) return null;
	throw error;
}

/** What is kept with the workflow of a node's last publication. */
interface Publication {
	node: string;
	state?: State | undefined;
}

/** One run of the workflow. */
export interface Run {
	records: Emission[];
	/** Whether the host crashed before it had saved the state that goes with it. */
	unsaved: boolean;
	/** Whether the host crashed when it had saved the state, and before it could start the run. */
	dropped: boolean;
}

/**
 * n8n as its source tells of it: the state is saved on activation and with what is emitted, not after a poll that emits nothing;
 * what a poll changed in memory stays there when it throws; a result that comes in after the workflow was published again is
 * dropped. The state belongs to the node's name, with durable cursors to the node; these store it after each poll but that of a
 * publication, and what is kept with the workflow only when something is emitted.
 */
export class ModelledHost {
	readonly runs: Run[] = [];
	/** Whether the last poll was answered with a list, and the trigger took it. */
	lastSucceeded = false;
	/** Whether that list decided what is known. */
	tookBaseline = false;
	/** What a person was told. */
	readonly reports: string[] = [];
	/** What the trigger did that n8n does not put up with. */
	readonly violations: string[] = [];
	/** As in the database, by the node's name. */
	private readonly saved = new Map<string, string>();
	private memory: State | undefined;
	/** What is kept with the workflow, in the database and in memory. */
	private savedPublished: string | undefined;
	private published: Publication | undefined;
	/** What the process knows of the node. */
	private live: PollMemory = {};

	constructor(private readonly options: HostOptions) {}

	/** The form of the trigger and its credential, which may be edited. */
	get settings(): PollSettings {
		return this.options.settings;
	}

	/** Publishing: the state comes from the database, a poll is made at once, then it is saved; by durable cursors not. */
	async activate(fault: Fault): Promise<void> {
		this.read();
		const before = this.runs.length;
		const saved = this.saved.get(this.place);
		await this.pollOnce(fault, 'none', 'publishing');
		this.savePublished();
		if (this.runs.length > before) return;
		if (!this.options.durable) this.save();
		else if (saved === undefined) this.saved.delete(this.place);
		else this.saved.set(this.place, saved);
	}

	/** n8n ends and starts again: what is only in memory is gone. */
	async restart(fault: Fault): Promise<void> {
		this.forget();
		await this.activate(fault);
	}

	/** @param kind `scheduled`: durable cursors read the state for it, and not the poll itself */
	async pollOnce(
		fault: Fault,
		mishap: Mishap,
		kind: 'scheduled' | 'publishing' = 'scheduled',
	): Promise<void> {
		if (this.options.durable) this.read();
		const output = await this.call(fault, mishap === 'second poll', kind);
		if (mishap === 'superseded') return this.read();
		if (output === null) {
			if (this.options.durable) this.save();
			return;
		}
		if (this.options.durable && mishap === 'crash between writes') {
			this.savePublished();
			this.lastSucceeded = false;
			return this.forget();
		}
		const unsaved = mishap === 'crash before save' && !this.options.durable;
		const dropped = mishap === 'crash between writes' && !this.options.durable;
		this.runs.push({ records: output, unsaved, dropped });
		// What is kept with the workflow is stored first.
		if (mishap !== 'crash before save') this.savePublished();
		if (!unsaved) this.save();
		if (mishap.startsWith('crash')) this.forget();
	}

	/** Whether there is a state that belongs to what is watched, in memory at least. */
	get hasState(): boolean {
		return isEqual(pick(this.state, BELONGING), pick(this.settings, BELONGING));
	}

	/** Whether the bookings that were there from the beginning are still being read. */
	get isReading(): boolean {
		return Boolean(this.state?.position.unread);
	}

	private get state(): State | undefined {
		const { memory, published, settings } = this;
		if (published && published.node !== settings.node) return undefined;
		const own = memory?.node === settings.node ? memory : undefined;
		const isOwn = own !== undefined && own.polls > (published?.state?.polls ?? 0);
		return readState(isOwn ? own : published?.state);
	}

	/** How often the process ended before n8n had saved the first state: the trigger begins anew. */
	lostBaselines = 0;

	private forget(): void {
		this.read();
		if (!this.hasState) this.lostBaselines++;
		this.live = {};
	}

	private async call(
		fault: Fault,
		twice: boolean,
		kind: 'scheduled' | 'publishing',
	): Promise<Emission[] | null> {
		const { poll, settings, now } = this.options;
		let second: Promise<Emission[] | null> | undefined;
		const staged = { state: this.memory };
		const begun = now();
		const canGoOn = this.hasState;
		const wasBaseline = !canGoOn || this.state?.position.isBaseline === true;
		this.tookBaseline = false;
		let alone = !twice;
		const world = this.worldOf(staged, fault, kind, (self) => {
			if (alone) return;
			alone = true;
			second = poll(self, settings).catch(failedPoll);
		});
		try {
			const output = await poll(world, settings);
			const other = await second;
			if (other) this.runs.push({ records: other, unsaved: false, dropped: false });
			if (this.options.durable) this.memory = staged.state;
			this.lastSucceeded = ['none', 'slow', 'output'].includes(fault);
			this.tookBaseline = wasBaseline && this.state?.position.isBaseline === false;
			return output;
		} catch (error) {
			failedPoll(error);
			this.lastSucceeded = false;
			if (kind === 'publishing' && canGoOn && PASSING.includes(fault)) {
				this.violations.push(`Publishing was stopped by: ${fault}`);
			}
			return null;
		} finally {
			const most = kind === 'publishing' && canGoOn ? PUBLISHING_MS : world.budgetMs;
			if (now() - begun > most) this.violations.push('Outlasted what n8n waits for a poll');
		}
	}

	private worldOf(
		staged: { state: State | undefined },
		fault: Fault,
		kind: 'scheduled' | 'publishing',
		called: (world: PollHost<Emission[]>) => void,
	): PollHost<Emission[]> {
		const { list, now, pass, durable } = this.options;
		const scheduled = durable && kind === 'scheduled';
		const world: PollHost<Emission[]> = {
			memory: this.live,
			mode: kind === 'publishing' ? 'publication' : scheduled ? 'scheduler' : 'timer',
			budgetMs: scheduled ? BUDGETS_MS.scheduled : BUDGETS_MS.timed,
			load: () => ({ stored: staged.state, published: this.published, wasPublished: false }),
			save: (state, copy) => {
				staged.state = state;
				this.published = { node: state.node, state: copy };
				if (!durable) this.memory = state;
			},
			fetch: async (query, deadline) => {
				called(world);
				await Promise.resolve();
				if (fault === 'connection') throw new UnavailableError('ECONNRESET');
				if (fault === 'hang') {
					pass(Math.max(0, Math.min(HANG_MS, deadline - now())));
					throw new UnavailableError('ETIMEDOUT');
				}
				// Others keep the service or the account busy.
				if (fault === 'slow') pass(Math.floor((deadline - now()) * SLOW_SHARE));
				const page = list(query);
				if (fault === 'lost answer') throw new UnavailableError('socket hang up');
				if (fault === 'html') throw new WebPageError('The response is a web page');
				return { list: fault === 'empty' ? undefined : page, date: this.options.date() };
			},
			present: (records) => {
				if (fault === 'output') throw new OutputError('A field cannot be shown');
				return records;
			},
			report: (notices) => this.reports.push(...notices),
			now,
		};
		return world;
	}

	/** Where the state is stored. */
	private get place(): string {
		return this.options.durable ? 'by id' : this.settings.node;
	}

	private read(): void {
		const parse = <T>(text: string | undefined) =>
			text === undefined ? undefined : (JSON.parse(text) as T);
		this.memory = parse(this.saved.get(this.place));
		this.published = parse(this.savedPublished);
	}

	private save(): void {
		if (this.memory) this.saved.set(this.place, JSON.stringify(this.memory));
		// All of it is one row.
		if (!this.options.durable) this.savePublished();
	}

	private savePublished(): void {
		if (this.published) this.savedPublished = JSON.stringify(this.published);
	}
}
