import clamp from 'lodash/clamp';
import partition from 'lodash/partition';
import sumBy from 'lodash/sumBy';
import union from 'lodash/union';

import { SECOND } from '../../shared/values/timestamp';
import type { Known, Observed, Times, Value } from '../events/rule';
import { DAYS_REMEMBERED } from '../events/rules/remembered';

/** What is remembered of one record. */
interface Entry extends Known {
	/** The day, in days since 1970, until which it is kept; 0: for the overlap. */
	until: number;
}

/** For all records together. */
export const MAX_CHARACTERS = 900_000;
/** Where the ID at the beginning of each row ends, and the day in base 36 that follows. */
const ID_END = 8;
const DAY_END = 11;
const LAST_DAY = 36 ** 3 - 1;
/** Marks a record as seen within the overlap, where its versions do not matter. */
const NO_VERSION = '-';

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
	private readonly rows = new Map<string, string>();

	constructor(text: string) {
		if (text === '') return;
		for (const row of text.split(';')) this.rows.set(row.slice(0, ID_END), row);
	}

	find(id: string): Known | undefined {
		const row = this.rows.get(id);
		return row === undefined ? undefined : read(row);
	}

	/** @param times of the poll: versions from before the overlap are forgotten, and a timestamp ahead of the clock is not believed */
	remember(
		observed: Pick<Observed, 'id' | 'version' | 'values' | 'until' | 'changed'>,
		{ watermark, now }: Pick<Times, 'watermark' | 'now'>,
	): void {
		const { id, version = NO_VERSION, values, until = 0, changed } = observed;
		const known = this.find(id);
		const isRecent = known && (Math.abs(known.newest) + 1) * SECOND > watermark;
		const versions = isRecent ? union(known.versions, [version]) : [version];
		const second = Math.floor((changed?.ms ?? 0) / SECOND);
		const isAhead = second * SECOND > now;
		const newest = isAhead ? -second : Math.max(known?.newest ?? 0, second);
		this.rows.delete(id);
		this.rows.set(id, write(id, { newest, until, versions, values }));
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
		for (const [id, row] of this.rows) {
			const entry = row.includes('~') ? read(row) : undefined;
			if (entry && Math.abs(entry.newest) >= Math.floor(watermark / SECOND)) continue;
			if (dayOf(row) < firstDay) this.rows.delete(id);
			else if (entry) this.rows.set(id, write(id, { ...entry, versions: [] }));
		}
		const forgotten = this.fit(dayText(today + DAYS_REMEMBERED));
		return { text: [...this.rows.values()].join(';'), forgotten };
	}

	/** What is over goes first, then what was seen the longest ago. */
	private fit(firstDayAhead: string): Stored['forgotten'] {
		const rows = [...this.rows.values()];
		let excess = sumBy(rows, 'length') + rows.length - MAX_CHARACTERS;
		if (excess <= 0) return undefined;
		const [over, ahead] = partition(
			rows,
			(row) => !row.includes('~') && dayOf(row) < firstDayAhead,
		);
		excess = this.drop(over, excess);
		let forgotten: Stored['forgotten'];
		for (const row of ahead) {
			if (excess <= 0) break;
			excess = this.drop([row], excess);
			forgotten = Math.max(forgotten ?? 0, (read(row).newest + 1) * SECOND);
		}
		return forgotten;
	}

	/** @returns how many characters are still too many */
	private drop(rows: readonly string[], excess: number): number {
		let left = excess;
		for (const row of rows) {
			if (left <= 0) break;
			this.rows.delete(row.slice(0, ID_END));
			left -= row.length + 1;
		}
		return left;
	}
}

function write(id: string, { newest, until, versions, values }: Entry): string {
	const fields = [newest, ...values].map(writeValue).join(',');
	const row = `${id}${dayText(until)}${fields}`;
	return versions.length > 0 ? `${row}~${versions.join('.')}` : row;
}

function read(row: string): Entry {
	const [fields = '', versions = ''] = row.slice(DAY_END).split('~');
	const [newest, ...values] = fields.split(',').map(readValue);
	return {
		newest: Number(newest),
		until: Number.parseInt(dayOf(row), 36),
		versions: versions === '' ? [] : versions.split('.'),
		values,
	};
}

/** @returns the day of a row, as text that compares like the number */
function dayOf(row: string): string {
	return row.slice(ID_END, DAY_END);
}

function dayText(day: number): string {
	return clamp(day, 0, LAST_DAY)
		.toString(36)
		.padStart(DAY_END - ID_END, '0');
}

function writeValue(value: Value): string {
	if (value === null) return '';
	return Number.isSafeInteger(value) ? value.toString(36) : `=${value}`;
}

function readValue(text: string): Value {
	if (text === '') return null;
	return text.startsWith('=') ? Number(text.slice(1)) : Number.parseInt(text, 36);
}
