import type { IExecuteFunctions } from 'n8n-workflow';

import type { CallQueue } from '../http/concurrency/callQueue';

/** A run with fewer calls in flight says nothing of concurrency. */
const WORTH_TELLING = 10;

/** What a run came to, for the hints that n8n shows with the output. The load is that of the account. */
export class RunHints {
	private readonly before: CallQueue['load'];
	private mostInFlight = 0;
	private leftOut = 0;

	constructor(private readonly queue: CallQueue) {
		this.before = queue.load;
	}

	/**
	 * Notes that a call has ended.
	 *
	 * @param leftOut records of its response that 'Limit' left out
	 */
	note(leftOut = 0): void {
		this.mostInFlight = Math.max(this.mostInFlight, this.queue.load.inFlight + 1);
		this.leftOut += leftOut;
	}

	/** Older versions of n8n have no hints. */
	show(context: Partial<Pick<IExecuteFunctions, 'addExecutionHints'>>): void {
		const throttled = this.queue.load.throttled - this.before.throttled;
		const seconds = Math.round((this.queue.load.pausedMs - this.before.pausedMs) / 1000);
		const messages = [
			throttled > 0 &&
				`The service rate-limited calls ${throttled} times and asked for ${seconds} seconds of pauses.`,
			this.mostInFlight >= WORTH_TELLING && `Up to ${this.mostInFlight} calls were in flight.`,
			this.leftOut > 0 && `'Limit' left out ${this.leftOut} records: raise it or switch on 'Return All'.`,
		].filter(Boolean);
		if (messages.length > 0)
			context.addExecutionHints?.({ message: messages.join(' '), type: 'info', location: 'outputPane' });
	}
}
