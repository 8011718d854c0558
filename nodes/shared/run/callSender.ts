import noop from 'lodash/noop';

import type { PlannedCall, Run } from '../operation/operation';
import { KeyMap } from '../values/keys';
import { failedItem } from './itemResults';

/**
 * Sends the calls of a run in the order in which they are started. Each waits until all earlier calls that change the same
 * record have ended. Nothing is sent once the run is over.
 */
export class CallSender {
	private readonly inFlight = new Set<Promise<void>>();
	/** By record: the last call that changes it. */
	private readonly lastChange = new KeyMap<string, Promise<void>>();

	constructor(private readonly run: Run) {}

	/**
	 * Starts a call. Resolves when the next one may start: fewer than 'Concurrency Limit' are in flight, and the account's
	 * queue is ready.
	 */
	async start(call: PlannedCall): Promise<void> {
		const { account, settings, signal } = this.run;
		const ended: Promise<void> = this.send(call).then(() => {
			this.inFlight.delete(ended);
		});
		this.inFlight.add(ended);
		for (const record of call.changes) this.lastChange.set(record, ended);
		while (this.inFlight.size >= settings.concurrencyLimit) {
			await Promise.race(this.inFlight);
		}
		await account.queue.ready(signal).catch(noop);
	}

	/** Resolves when all started calls have ended. */
	async allEnded(): Promise<void> {
		await Promise.all(this.inFlight);
	}

	/** Never rejects: an error becomes the outcome of the call's items. */
	private async send(call: PlannedCall): Promise<void> {
		const { signal } = this.run;
		const earlier = call.changes.flatMap((record) => this.lastChange.get(record) ?? []);
		await Promise.all(earlier);
		if (signal.aborted) return;
		try {
			const results = await call.send();
			this.run.end(results);
		} catch (reason) {
			const wasNotSent = signal.aborted && reason === signal.reason;
			if (wasNotSent) return;
			const failed = call.items.map((item) => failedItem(item, reason));
			this.run.end(failed);
		}
	}
}
