import type { poll as realPoll, PollSettings, StoredState } from '../../nodes/HospitalityBookingTrigger/poll';

export type Poll = typeof realPoll;
export type Fault = 'none' | 'connection' | 'lost answer' | 'html' | 'empty' | 'output';

/** What happens to the host around a poll. */
export type Mishap = 'none' | 'crash before save' | 'superseded' | 'second poll' | 'read early';

interface HostOptions {
	poll: Poll;
	settings: PollSettings;
	/** n8n's durable cursors: state and emission are saved together, and after polls that emit nothing, too. */
	durable: boolean;
	list: (query: Record<string, unknown>) => unknown[];
	now: () => number;
}

let ids = 0;
const nextId = () => `node ${++ids}`;

/** One run of the workflow. */
export interface Run {
	records: unknown[];
	/** Whether the host crashed before it had saved the state that goes with it. */
	unsaved: boolean;
}

/**
 * n8n as N8N-FACTS and its source tell of it: the state is saved on activation and with what is emitted, not after a
 * poll that emits nothing; what a poll changed in memory stays there when it throws; a result that comes in after the
 * workflow was published again is dropped.
 */
export class ModelledHost {
	readonly runs: Run[] = [];
	/** As in the database. */
	private saved: string | undefined;
	private memory: StoredState | undefined;
	/** Whether a poll of this process has left a state, in memory at least. */
	private begun = false;
	/** Stands for the process and the node in it. */
	private id = nextId();

	constructor(private readonly options: HostOptions) {}

	/** Publishing: the state comes from the database, a poll is made at once, then it is saved; by durable cursors not. */
	async activate(fault: Fault): Promise<void> {
		this.memory = this.read();
		const before = this.runs.length;
		if (this.options.durable) {
			// Durable cursors are not saved by the poll of the publication unless it emits.
			const saved = this.saved;
			await this.pollOnce(fault, 'none', false);
			if (this.runs.length === before) this.saved = saved;
			return;
		}
		await this.pollOnce(fault, 'none', false);
		if (this.runs.length === before) this.write(this.memory);
	}

	/** n8n ends and starts again: what is only in memory is gone. */
	async restart(fault: Fault): Promise<void> {
		this.forget();
		await this.pollOnce(fault, 'none', false);
	}

	/** @param scheduled whether durable cursors read the state for it, and not the poll itself */
	async pollOnce(fault: Fault, mishap: Mishap, scheduled = true): Promise<void> {
		if (this.options.durable) this.memory = this.read();
		const before = this.memory;
		const output = await this.call(fault, mishap === 'second poll', scheduled);
		if (mishap === 'read early' && this.options.durable && output !== null) await this.pollFrom(before);
		if (mishap === 'superseded') {
			this.memory = this.read();
			return;
		}
		if (output === null) {
			if (this.options.durable) this.write(this.memory);
			return;
		}
		const crashes = mishap === 'crash before save';
		const unsaved = crashes && !this.options.durable;
		this.runs.push({ records: output, unsaved });
		if (!unsaved) this.write(this.memory);
		if (crashes) this.forget();
	}

	/** Polls are due at the same time after a delay: n8n reads the state for all of them before the first has ended. */
	private async pollFrom(state: StoredState | undefined): Promise<void> {
		const after = this.memory;
		this.memory = state;
		const output = await this.call('none', false, true);
		if (output !== null) this.runs.push({ records: output, unsaved: false });
		this.memory = after;
	}

	get hasState(): boolean {
		return this.saved !== undefined || this.begun;
	}

	/** How often the process ended before n8n had saved the first state: the trigger begins anew. */
	lostBaselines = 0;

	private forget(): void {
		if (this.saved === undefined) this.lostBaselines++;
		this.memory = this.read();
		this.begun = false;
		this.id = nextId();
	}

	private async call(fault: Fault, twice: boolean, scheduled: boolean): Promise<unknown[] | null> {
		const { poll, settings, list, now } = this.options;
		let second: Promise<unknown[] | null> | undefined;
		let alone = !twice;
		const staged = { state: this.memory };
		const world = {
			id: this.id,
			readEarly: this.options.durable && scheduled,
			load: () => staged.state,
			save: (state: StoredState) => {
				staged.state = state;
				this.begun = true;
				if (!this.options.durable) this.memory = state;
			},
			fetch: async (_path: string, query: Record<string, unknown>) => {
				if (!alone) {
					alone = true;
					second = poll(world, settings).catch(() => null);
				}
				await Promise.resolve();
				if (fault === 'connection') throw new Error('ECONNRESET');
				const page = list(query);
				if (fault === 'lost answer') throw new Error('socket hang up');
				if (fault === 'html') return '<html>Bad gateway</html>';
				return fault === 'empty' ? undefined : page;
			},
			present: (records: unknown[]) => {
				if (fault === 'output') throw new Error('A field cannot be shown');
				return records;
			},
			warn: () => undefined,
			now,
		};
		try {
			const output = await poll(world, settings);
			const other = await second;
			if (other) this.runs.push({ records: other, unsaved: false });
			if (this.options.durable) this.memory = staged.state;
			return output;
		} catch {
			return null;
		}
	}

	private read(): StoredState | undefined {
		return this.saved === undefined ? undefined : (JSON.parse(this.saved) as StoredState);
	}

	private write(state: StoredState | undefined): void {
		if (state) this.saved = JSON.stringify(state);
	}
}
