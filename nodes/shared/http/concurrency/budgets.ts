const FREE_RETRIES = 10;
const RETRIES_PER_CALL = 0.2;
const SECONDS = 60;

/** Repeats of failed calls: at most a fifth of the calls of the last minute, but ten in any case (after AWS's retry quota). */
export class RetryBudget {
	private readonly calls = new MinuteCount();
	private readonly retries = new MinuteCount();

	/** Notes a call that is made for the first time. */
	called(now: number): void {
		this.calls.add(now);
	}

	/** @returns whether a failed call may be repeated; if so, the repeat counts */
	claim(now: number): boolean {
		const most = Math.max(FREE_RETRIES, RETRIES_PER_CALL * this.calls.sum(now));
		if (this.retries.sum(now) + 1 > most) return false;
		this.retries.add(now);
		return true;
	}
}

/** How often something happened within the last minute, to the second. */
class MinuteCount {
	private readonly seconds: Array<{ second: number; count: number }> = [];

	add(now: number): void {
		const second = Math.floor(now / 1000);
		const last = this.seconds.at(-1);
		if (last?.second === second) last.count++;
		else this.seconds.push({ second, count: 1 });
		if (this.seconds.length > SECONDS) this.seconds.shift();
	}

	sum(now: number): number {
		const from = Math.floor(now / 1000) - SECONDS;
		return this.seconds.reduce((sum, { second, count }) => (second > from ? sum + count : sum), 0);
	}
}
