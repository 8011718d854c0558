import clamp from 'lodash/clamp';
import partition from 'lodash/partition';
import sumBy from 'lodash/sumBy';

import { SECOND } from '../../shared/values/timestamp';
import type { Known, Observed, Times, Value } from '../events/rule';
import { DAYS_REMEMBERED } from '../events/rules/remembered';
import { KeyMap, unique } from '../../shared/values/keys';

/** For all records together. */
export const MAX_CHARACTERS = 900_000;
/** Where the ID at the beginning of each row ends, and the day in base 36 that follows. */
const ID_END = 8;
const DAY_END = 11;
const LAST_DAY = 36 ** 3 - 1;
/** Marks a record as seen within the overlap, where its versions do not matter. */
const NO_VERSION = '-';

/** A record as it is remembered. */
type RememberedRecord = Pick<Observed, 'id' | 'version' | 'values' | 'until' | 'changed'>;

/** A memory as it is stored. */
export interface Stored {
	text: string;
	/** Where something that lies ahead had to be forgotten, what was changed before counts as seen: milliseconds since 1970. */
	forgotten: number | undefined;
}

/**
 * One table: record → newest version seen, the versions within the overlap, and the values that its event compares. A row is text,
 * read when it is needed: ID, day, then `newest,values…` and, within the overlap, `~versions`.
 */
export class Table {
	/** By ID, least recently seen first. */
	private readonly rows = new KeyMap<string, string>();

	constructor(text: string) {
		if (text === '') return;
		for (const row of text.split(';')) {
			const id = row.slice(0, ID_END);
			this.rows.set(id, row);
		}
	}

	find(id: string): Known | undefined {
		const row = this.rows.get(id);
		if (row === undefined) return undefined;
		return read(row);
	}

	/** @param times of the poll: versions from before the overlap are forgotten, and a timestamp ahead of the clock is not believed */
	remember(record: RememberedRecord, times: Pick<Times, 'watermark' | 'now'>): void {
		const { id, version = NO_VERSION, values, until = 0 } = record;
		const known = this.find(id);
		const ms = record.changed?.ms ?? 0;
		const second = Math.floor(ms / SECOND);
		let newest = Math.max(known?.newest ?? 0, second);
		if (second * SECOND > times.now) newest = -second;
		let versions: readonly string[] = [version];
		if (known) {
			const knownUntil = (Math.abs(known.newest) + 1) * SECOND;
			if (knownUntil > times.watermark) versions = unique(known.versions.concat(version));
		}
		const row = write(id, until, { newest, versions, values });
		this.rows.delete(id);
		this.rows.set(id, row);
	}

	/**
	 * Forgets what is over, and what was seen before the overlap.
	 *
	 * @param watermark the beginning of the overlap, in milliseconds since 1970
	 * @param today in days since 1970
	 * @returns what is stored
	 */
	store(watermark: number, today: number): Stored {
		const firstDay = dayText(today);
		const firstSecond = Math.floor(watermark / SECOND);
		for (const [id, row] of this.rows) {
			const [lasting = row, versions] = row.split('~');
			if (versions !== undefined) {
				const { newest } = read(row);
				if (Math.abs(newest) >= firstSecond) continue;
			}
			if (dayOf(row) < firstDay) this.rows.delete(id);
			else this.rows.set(id, lasting);
		}
		const forgotten = this.fit(today);
		const rows = Array.from(this.rows.values());
		return { text: rows.join(';'), forgotten };
	}

	/** What is over goes first, then what was seen the longest ago. */
	private fit(today: number): number | undefined {
		const rows = Array.from(this.rows.values());
		let characters = sumBy(rows, 'length') + rows.length;
		if (characters <= MAX_CHARACTERS) return undefined;
		const firstDayAhead = dayText(today + DAYS_REMEMBERED);
		const isAhead = (row: string) => row.includes('~') || dayOf(row) >= firstDayAhead;
		const [ahead, over] = partition(rows, isAhead);
		let forgotten: number | undefined;
		for (const row of over.concat(ahead)) {
			if (characters <= MAX_CHARACTERS) break;
			const id = row.slice(0, ID_END);
			this.rows.delete(id);
			characters -= row.length + 1;
			if (!isAhead(row)) continue;
			const { newest } = read(row);
			const changedBefore = (newest + 1) * SECOND;
			forgotten = Math.max(forgotten ?? 0, changedBefore);
		}
		return forgotten;
	}
}

/** @param until the day, in days since 1970, until which it is kept; 0: for the overlap */
function write(id: string, until: number, known: Known): string {
	const { newest, versions, values } = known;
	const fields = [newest, ...values].map(writeValue);
	const day = dayText(until);
	return `${id}${day}${fields.join(',')}~${versions.join('.')}`;
}

function read(row: string): Known {
	const [fields = '', versions = ''] = row.slice(DAY_END).split('~');
	const values = fields.split(',').map(readValue);
	const newest = Number(values.shift());
	if (versions === '') return { newest, versions: [], values };
	return { newest, versions: versions.split('.'), values };
}

/** @returns the day of a row, as text that compares like the number */
function dayOf(row: string): string {
	return row.slice(ID_END, DAY_END);
}

function dayText(day: number): string {
	const digits = clamp(day, 0, LAST_DAY).toString(36);
	return digits.padStart(DAY_END - ID_END, '0');
}

function writeValue(value: Value): string {
	if (value === null) return '';
	if (Number.isSafeInteger(value)) return value.toString(36);
	return `=${value}`;
}

function readValue(text: string): Value {
	if (text === '') return null;
	if (text.startsWith('=')) return Number(text.slice(1));
	return Number.parseInt(text, 36);
}
