interface Entry {
	at: number;
	order: number;
	run: () => void;
}

/** Virtual time in milliseconds: what is due runs in order, at once. */
export class Clock {
	now = 0;
	private due: Entry[] = [];
	private entries = 0;

	/** Runs something at a time; now where that is past. */
	at(time: number, run: () => void): void {
		const entry = { at: Math.max(time, this.now), order: this.entries++, run };
		let index = this.due.length;
		this.due.push(entry);
		while (index > 0) {
			const parent = (index - 1) >> 1;
			const above = this.due[parent];
			if (!above || isBefore(above, entry)) break;
			this.due[index] = above;
			index = parent;
		}
		this.due[index] = entry;
	}

	/** @returns whether anything was due up to `until` */
	step(until = Number.POSITIVE_INFINITY): boolean {
		const [first] = this.due;
		const last = this.due.pop();
		if (!first || !last || first.at > until) {
			if (last) this.due.push(last);
			return false;
		}
		if (this.due.length > 0) this.sink(last);
		this.now = first.at;
		first.run();
		return true;
	}

	private sink(entry: Entry): void {
		let index = 0;
		for (;;) {
			let child = 2 * index + 1;
			const left = this.due[child];
			if (!left) break;
			const right = this.due[child + 1];
			const smaller = right && isBefore(right, left) ? right : left;
			if (smaller === right) child++;
			if (isBefore(entry, smaller)) break;
			this.due[index] = smaller;
			index = child;
		}
		this.due[index] = entry;
	}
}

function isBefore(one: Entry, other: Entry): boolean {
	return one.at < other.at || (one.at === other.at && one.order < other.order);
}
