import type { IDataObject } from 'n8n-workflow';
import get from 'lodash/get';
import reject from 'lodash/reject';

import type { StatusRoles } from '../auth/deployment';
import { asText } from '../values/asText';
import { isBlank } from '../values/blank';
import { type LocalTime, readLocalTime } from '../values/dateTime';
import { KeyMap } from '../values/keys';
import { oneLine, shorten } from '../values/text';
import { zoneOf } from '../values/zone';

/** What is known beside a record when it is output: settings of the account, and whom to tell of a text that was cut. */
export interface ShapeContext {
	/** IANA name: the credential's Time Zone. */
	timeZone: string;
	/** BCP 47 tag: the credential's Language. */
	language: string;
	statusRoles: StatusRoles;
	/** @param path of a text of the record of which only the start is output */
	reportCut?: (path: string) => unknown;
}

/** A time as it was read; null for no date, undefined for anything else but a date and time. */
type ReadTime = LocalTime | null | undefined;

/** One record of the service while its output is made. Each of its times is read once, whatever is output of it. */
export class RecordView {
	private readonly times = new KeyMap<string, ReadTime>();

	constructor(
		readonly record: IDataObject,
		readonly context: ShapeContext,
	) {}

	/** @returns the value at a dotted path; null if missing, to give every item the same columns */
	valueAt(path: string): unknown {
		return get(this.record, path) ?? null;
	}

	/** Reads a time with the clocks of the account's zone. Without an offset it is UTC if the field's name says so. */
	timeAt(path: string): ReadTime {
		const known = this.times.get(path);
		if (known) return known;
		const { timeZone } = this.context;
		const ownZone = zoneOf(path, timeZone);
		const time = readLocalTime(this.valueAt(path), timeZone, ownZone);
		this.times.set(path, time);
		return time;
	}

	/**
	 * A text that a person has written, in one line; anything else as it is.
	 *
	 * @param most characters; a longer text is cut and reported
	 */
	textAt(path: string, most?: number): unknown {
		const value = this.valueAt(path);
		if (typeof value !== 'string') return value;
		const { text, isCut } = shorten(value, most);
		if (isCut) this.context.reportCut?.(path);
		return text;
	}

	/** @returns the first of several texts that is not blank */
	firstTextAt(...paths: string[]): unknown {
		const texts = paths.map((path) => this.textAt(path));
		const first = texts.find((text) => !isBlank(text));
		return first ?? texts[0];
	}

	/** @returns the texts at several paths, in one line, joined with spaces; null if there are none */
	wordsAt(...paths: string[]): string | null {
		const values = paths.map((path) => this.valueAt(path));
		const words = reject(values, isBlank);
		if (words.length === 0) return null;
		return oneLine(words.map(asText).join(' '));
	}
}
