import clamp from 'lodash/clamp';
import partition from 'lodash/partition';

import { SECOND } from '../../shared/values/timestamp';
import type { Known, Observed, Times, Value } from '../events/rule';
import { DAYS_REMEMBERED } from '../events/rules/rules';

/** What is remembered of one record. */
interface Entry extends Known {
	/** The day, in days since 1970, until which it is kept; 0: for the overlap. */
	until: number;
}

/** What is remembered of a record as it was read. */
type Remembered = Pick<Observed, 'id' | 'version' | 'values' | 'until' | 'changed'>;

/** For all records together. */
export const MAX_CHARACTERS = 900_000;
/** Characters of an ID, and of a day in base 36: they begin each row. */
const [ID, DAY_END] = [8, 11];
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
	private readonly rows: Map<string, string>;

	constructor(text: string) {
		this.rows = new Map(text === '' ? [] : text.split(';').map((row) => [row.slice(0, ID), row]));
	}

	find(id: string): Entry | undefined {
		const row = this.rows.get(id);
		return row === undefined ? undefined : read(row);
	}

	/** @param times of the poll: versions from before the overlap are forgotten, and a timestamp ahead of the clock is not believed */
	remember(
		{ id, version = NO_VERSION, values, until = 0, changed }: Remembered,
		{ from, now }: Pick<Times, 'from' | 'now'>,
	): void {
		const known = this.find(id);
		const isRecent = known && Math.abs(known.newest) * SECOND + SECOND > from;
		const versions = [...new Set(isRecent ? [...known.versions, version] : [version])];
		const second = Math.floor((changed?.ms ?? 0) / SECOND);
		const newest = second * SECOND > now ? -second : Math.max(known?.newest ?? 0, second);
		this.rows.delete(id);
		this.rows.set(id, write(id, { newest, until, versions, values }));
	}

	/**
	 * Forgets what is over, and what was seen before the overlap.
	 *
	 * @param from the beginning of the overlap, in milliseconds since 1970
	 * @param today in days since 1970
	 * @returns what is stored
	 */
	store(from: number, today: number): Stored {
		for (const [id, row] of this.rows) {
			const isKept = row.slice(ID, DAY_END) >= dayText(today);
			const entry = row.includes('~') ? read(row) : undefined;
			if (entry && Math.abs(entry.newest) >= Math.floor(from / SECOND)) continue;
			if (!isKept) this.rows.delete(id);
			else if (entry) this.rows.set(id, write(id, { ...entry, versions: [] }));
		}
		const forgotten = this.fit(dayText(today + DAYS_REMEMBERED));
		return { text: [...this.rows.values()].join(';'), forgotten };
	}

	/** What is over goes first, then what was seen the longest ago. */
	private fit(endsToday: string): Stored['forgotten'] {
		let excess =
			[...this.rows.values()].reduce((sum, { length }) => sum + length + 1, 0) - MAX_CHARACTERS;
		let forgotten: Stored['forgotten'];
		const isOver = ([, row]: [string, string]) =>
			!row.includes('~') && row.slice(ID, DAY_END) < endsToday;
		const [over, ahead] = excess > 0 ? partition([...this.rows], isOver) : [[], []];
		for (const [index, [id, row]] of [...over, ...ahead].entries()) {
			if (excess <= 0) break;
			this.rows.delete(id);
			excess -= row.length + 1;
			if (index >= over.length)
				forgotten = Math.max(forgotten ?? 0, (read(row).newest + 1) * SECOND);
		}
		return forgotten;
	}
}

function write(id: string, { newest, until, versions, values }: Entry): string {
	const fields = [newest, ...values].map(writeValue);
	const recent = versions.length > 0 ? `~${versions.join('.')}` : '';
	return `${id}${dayText(until)}${fields.join(',')}${recent}`;
}

function read(row: string): Entry {
	const [fields = '', versions = ''] = row.slice(DAY_END).split('~');
	const [newest, ...values] = fields.split(',').map(readValue);
	return {
		newest: Number(newest),
		until: Number.parseInt(row.slice(ID, DAY_END), 36),
		versions: versions === '' ? [] : versions.split('.'),
		values,
	};
}

function dayText(day: number): string {
	return clamp(day, 0, LAST_DAY)
		.toString(36)
		.padStart(DAY_END - ID, '0');
}

function writeValue(value: Value): string {
	if (value === null) return '';
	return Number.isSafeInteger(value) ? value.toString(36) : `=${value}`;
}

function readValue(text: string): Value {
	if (text === '') return null;
	return text.startsWith('=') ? Number(text.slice(1)) : Number.parseInt(text, 36);
}
