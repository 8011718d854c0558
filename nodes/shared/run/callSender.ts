import noop from 'lodash/noop';

import type { PlannedCall, Run } from '../operation/operation';
import { failedItem } from './itemResults';
import { KeyMap } from '../values/keys';

/**
 * Sends the calls of a run in the order in which they are started. Each waits until all earlier calls that change the same
 * record have ended. Nothing is sent once the run is over.
 */
export class CallSender {
	private readonly inFlight = new Set<Promise<void>>();
	/** By record: the last call that changes it. */
	private readonly lastChange = new KeyMap<string, Promise<void>>();
	/** Lets a `start` go on that waits for one of the calls in flight to end. */
	private goOn = noop;

	constructor(private readonly run: Run) {}

	/**
	 * Starts a call. Resolves when the next one may start: fewer than 'Concurrency Limit' are in flight, and the account's
	 * queue is ready.
	 */
	async start(call: PlannedCall): Promise<void> {
		const { account, settings, signal } = this.run;
		const ended: Promise<void> = this.send(call).then(() => this.remove(ended));
		this.inFlight.add(ended);
		for (const record of call.changes) this.lastChange.set(record, ended);
		while (this.inFlight.size >= settings.concurrencyLimit) await this.oneEnded();
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
		if (earlier.length > 0) await Promise.all(earlier);
		if (signal.aborted) return;
		try {
			this.run.end(await call.send());
		} catch (reason) {
			const wasNotSent = signal.aborted && reason === signal.reason;
			if (!wasNotSent) this.run.end(call.items.map((item) => failedItem(item, reason)));
		}
	}

	private remove(ended: Promise<void>): void {
		this.inFlight.delete(ended);
		this.goOn();
	}

	private async oneEnded(): Promise<void> {
		await new Promise<void>((resolve) => {
			this.goOn = resolve;
		});
	}
}
