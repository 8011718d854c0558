import { KeySet } from '../../shared/values/keys';
import { fieldsOf } from '../events/rule';

/** The records of a list by their IDs. */
export class IdSet {
	private readonly ids = new KeySet<unknown>();

	constructor(
		private readonly idName: string,
		list: readonly unknown[] = [],
	) {
		this.add(list);
	}

	/** @returns the records that it lacked */
	add(list: readonly unknown[]): unknown[] {
		const added = list.filter((record) => this.lacks(record));
		for (const record of added) this.ids.add(this.idOf(record));
		return added;
	}

	lacks(record: unknown): boolean {
		return !this.ids.has(this.idOf(record));
	}

	private idOf(record: unknown): unknown {
		return fieldsOf(record)[this.idName] ?? record;
	}
}
