import partition from 'lodash/partition';

import type { Known, Observed, Times, Value } from '../feeds/feed';
import { SECOND } from '../../shared/values/timestamp';

/** What is remembered of one record. */
interface Entry extends Known {
	/** The day, in days since 1970, until which it is kept; 0: for the overlap. */
	until: number;
}

/** What is remembered of records: a table, or known IDs. */
export interface Memory {
	find: (id: string) => Known | undefined;
	/** @param times of the poll: versions from before the overlap are forgotten, and a timestamp ahead of the clock is not believed */
	remember: (
		one: Pick<Observed, 'id' | 'version' | 'values' | 'until' | 'changed'>,
		times: Pick<Times, 'from' | 'now'>,
	) => void;
	/**
	 * Forgets what is over, and what was seen before the overlap.
	 *
	 * @param from the beginning of the overlap, in milliseconds since 1970
	 * @param today in days since 1970
	 */
	store: (from: number, today: number) => StoredMemory;
}

/** For all records together. */
export const MAX_CHARACTERS = 900_000;
/** Versions of one record that are remembered. */
const MAX_VERSIONS = 10;
/** Characters of an ID, and of a day in base 36: they begin each row. */
const [ID, DAY_END] = [8, 11];
const LAST_DAY = 36 ** 3 - 1;
/** Marks a record as seen within the overlap, where its versions do not matter. */
const NO_VERSION = '-';

/** A memory as it is stored. */
export interface StoredMemory {
	text: string;
	/** Whether something that lies ahead had to be forgotten. */
	isFull: boolean;
}

/**
 * One table: record → newest version seen, the versions within the overlap, and the values that its event compares. A row is text,
 * read when it is needed: ID, day, then `newest,values…` and, within the overlap, `~versions`.
 */
export class Table implements Memory {
	/** By ID, least recently seen first. */
	private readonly rows: Map<string, string>;

	constructor(
		text: string,
		/** How long before its day over a record is. */
		private readonly daysAfterEnd: number,
	) {
		this.rows = new Map(text === '' ? [] : text.split(';').map((row) => [row.slice(0, ID), row]));
	}

	find(id: string): Entry | undefined {
		const row = this.rows.get(id);
		return row === undefined ? undefined : read(row);
	}

	remember(
		{ id, version = NO_VERSION, values, until = 0, changed }: Parameters<Memory['remember']>[0],
		{ from, now }: Parameters<Memory['remember']>[1],
	): void {
		const known = this.find(id);
		const isRecent = known && known.newest * SECOND + SECOND > from;
		const versions = [...new Set(isRecent ? [...known.versions, version] : [version])];
		const before = known && known.newest * SECOND <= now ? known.newest : 0;
		const newest = Math.max(before, Math.floor((changed?.ms ?? 0) / SECOND));
		this.rows.delete(id);
		this.rows.set(id, write(id, { newest, until, versions: versions.slice(-MAX_VERSIONS), values }));
	}

	store(from: number, today: number): StoredMemory {
		const day = dayText(today);
		const second = Math.floor(from / SECOND);
		for (const [id, row] of this.rows) {
			const isKept = row.slice(ID, DAY_END) >= day;
			if (!row.includes('~')) {
				if (!isKept) this.rows.delete(id);
				continue;
			}
			const entry = read(row);
			if (entry.newest >= second) continue;
			if (isKept) this.rows.set(id, write(id, { ...entry, versions: [] }));
			else this.rows.delete(id);
		}
		const isFull = this.fit(dayText(today + this.daysAfterEnd));
		return { text: [...this.rows.values()].join(';'), isFull };
	}

	/** What is over goes first, then what was seen the longest ago. @returns whether something that lies ahead had to go */
	private fit(endsToday: string): boolean {
		let excess = [...this.rows.values()].reduce((sum, { length }) => sum + length + 1, 0) - MAX_CHARACTERS;
		if (excess <= 0) return false;
		const [over, ahead] = partition(
			[...this.rows],
			([, row]) => !row.includes('~') && row.slice(ID, DAY_END) < endsToday,
		);
		for (const [index, [id, row]] of [...over, ...ahead].entries()) {
			if (excess <= 0) return index > over.length;
			this.rows.delete(id);
			excess -= row.length + 1;
		}
		return true;
	}
}

function write(id: string, { newest, until, versions, values }: Entry): string {
	const fields = [newest.toString(36), ...values.map(writeValue)];
	const recent = versions.length > 0 ? `~${versions.join('.')}` : '';
	return `${id}${dayText(until)}${fields.join(',')}${recent}`;
}

function read(row: string): Entry {
	const [fields = '', versions = ''] = row.slice(DAY_END).split('~');
	const [newest = '', ...values] = fields.split(',');
	return {
		newest: Number.parseInt(newest, 36),
		until: Number.parseInt(row.slice(ID, DAY_END), 36),
		versions: versions === '' ? [] : versions.split('.'),
		values: values.map(readValue),
	};
}

function dayText(day: number): string {
	return Math.min(Math.max(0, day), LAST_DAY)
		.toString(36)
		.padStart(DAY_END - ID, '0');
}

function writeValue(value: Value): string {
	if (value === null) return '';
	if (typeof value === 'string')
		return `'${encodeURIComponent(value.replace(/\p{Surrogate}/gu, ''))}`.replaceAll('~', '%7E');
	return Number.isSafeInteger(value) ? value.toString(36) : `=${value}`;
}

function readValue(text: string): Value {
	if (text === '') return null;
	if (text.startsWith("'")) return decodeURIComponent(text.slice(1));
	return text.startsWith('=') ? Number(text.slice(1)) : Number.parseInt(text, 36);
}
