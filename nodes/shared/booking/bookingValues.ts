import compact from 'lodash/compact';
import reject from 'lodash/reject';

import type { RecordView } from '../output/recordView';
import { asText } from '../values/asText';
import { isBlank } from '../values/blank';
import { readableTime } from '../values/readableTime';
import { unique } from '../values/keys';
import { isRecord } from '../values/record';
import { oneLine } from '../values/text';
import { rootIdsOf } from './bookingNumbers';
import { callableNumber } from './phone';
import { currentStatus } from './states';

const DATE_END = 'yyyy-mm-dd'.length;
const TIME_START = 'yyyy-mm-ddT'.length;
const TIME_END = 'yyyy-mm-ddThh:mm'.length;

/** @returns the date on which a booking starts, e.g. `2026-11-28`; null without one */
export function startDate(booking: RecordView) {
	const start = booking.timeAt('start');
	return start?.text.slice(0, DATE_END) ?? null;
}

/** @returns the time of day at which a booking starts, e.g. `18:30`; null without one */
export function startTime(booking: RecordView) {
	const start = booking.timeAt('start');
	return start?.text.slice(TIME_START, TIME_END) ?? null;
}

/** @returns when a booking starts, for the house to read, with the weekday; null without a start */
export function when(booking: RecordView) {
	return startIn(booking, booking.context.language);
}

/** @returns the same in the language of the booking, if that is known, for the guest to read */
export function whenForGuest(booking: RecordView) {
	const language = booking.valueAt('language');
	if (typeof language !== 'string') return when(booking);
	return startIn(booking, language, booking.context.language);
}

function startIn(booking: RecordView, ...languages: string[]) {
	const start = booking.timeAt('start');
	if (!start) return null;
	return readableTime(start.ms, booking.context.timeZone, ...languages);
}

/** @returns the names of the tables, joined with commas; null where table articles are not included */
export function tableNames(booking: RecordView) {
	const { articles } = booking.record;
	if (!Array.isArray(articles)) return null;
	const tables = articles.filter(isRecord);
	return joinedNames(tables.map(tableName));
}

function tableName(article: Record<string, unknown>) {
	const names = [article.tableName, article.tableNumber];
	if (article.isTable === true) names.push(article.name);
	return names.find((name) => !isBlank(name));
}

/** @returns what is booked: the arrangement, else the articles other than tables, joined with commas; null if nothing is known */
export function bookedNames(booking: RecordView) {
	const arrangement = booking.textAt('arrangementName');
	if (!isBlank(arrangement)) return asText(arrangement);
	const { nonTableArticles, articles } = booking.record;
	const lists = [nonTableArticles, articles].filter(Array.isArray);
	if (lists.length === 0) return null;
	const names: unknown[] = [];
	for (const article of lists.flat().filter(isRecord)) {
		if (article.isTable !== true) names.push(article.name);
	}
	return joinedNames(names);
}

function joinedNames(names: readonly unknown[]) {
	const given = reject(names, isBlank);
	const texts = given.map((name) => oneLine(asText(name)));
	const distinct = unique(compact(texts));
	return oneLine(distinct.join(', '));
}

/** @returns the name of the status where the history has it, else its number */
export function statusName(booking: RecordView): unknown {
	const { status, name } = currentStatus(booking.record);
	if (name !== null) return oneLine(name);
	return status ?? null;
}

/** @returns a link that calls the guest: the mobile number, else the telephone; null without a number that can be called */
export function phoneLink(booking: RecordView) {
	for (const path of ['contact.mobile', 'contact.phone']) {
		const value = booking.valueAt(path) ?? '';
		const number = callableNumber(asText(value));
		if (number !== undefined) return `tel:${number}`;
	}
	return null;
}

/** @returns the number of a booking in the checkout, as text if JavaScript cannot count to it; null before its first payment */
export function bookingRootId(booking: RecordView): number | string | null {
	const ids = rootIdsOf(booking.record.paymentEvents);
	const id = ids[0];
	if (id === undefined) return null;
	const number = Number(id);
	if (Number.isSafeInteger(number)) return number;
	return id;
}
