/** Keeps changes of the same record one after the other; those of different records go on in parallel. */
export class RecordOrder {
	/** The end of the last change of each record. */
	private readonly last = new Map<string, Promise<void>>();

	/**
	 * Does work after all earlier work on the same records has ended, well or not.
	 *
	 * @param records what the work changes; none: it starts at once
	 * @returns what the work returns
	 * @throws what the work throws
	 */
	async run<T>(records: readonly string[], work: () => Promise<T>): Promise<T> {
		const earlier = records.flatMap((record) => this.last.get(record) ?? []);
		const done = earlier.length > 0 ? Promise.all(earlier).then(work) : work();
		if (records.length === 0) return await done;
		const ended: Promise<void> = done.then(
			() => this.forget(records, ended),
			() => this.forget(records, ended),
		);
		for (const record of records) this.last.set(record, ended);
		return await done;
	}

	private forget(records: readonly string[], ended: Promise<void>): void {
		for (const record of records) if (this.last.get(record) === ended) this.last.delete(record);
	}
}
