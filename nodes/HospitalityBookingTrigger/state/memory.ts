import { DAY } from '../../shared/values/timestamp';
import type { Known, Observed, Rule, Times } from '../events/rule';
import { IdRanges } from './idRanges';
import { type Stored, Table } from './table';

/** What is remembered of records, as a rule wants it. */
export class Memory {
	private readonly records: Table | IdRanges;

	/** @param text as it was stored */
	constructor(
		text: string,
		private readonly rule: Rule,
		private readonly times: Times,
	) {
		this.records = rule.isById ? new IdRanges(text) : new Table(text);
	}

	find(id: string): Known | undefined {
		return this.records.find(id);
	}

	/** @param known what was remembered of it before */
	remember(observed: Observed, known: Known | undefined): void {
		const remembered = this.rule.remember?.(observed, known, this.times);
		const record = { ...observed, ...remembered };
		this.records.remember(record, this.times);
	}

	/**
	 * Forgets what is over, and what was seen before the overlap.
	 *
	 * @param watermark what the next poll asks from, in milliseconds since 1970
	 */
	store(watermark: number): Stored {
		const today = Math.floor(watermark / DAY);
		return this.records.store(watermark, today);
	}
}
