import type { IDataObject, IPollFunctions } from 'n8n-workflow';

import {
	isEmptyValue,
	toBoolean,
	toList,
	toNames,
	unwrapLocator,
	withoutEmpty,
} from '../../shared/operation/formValues';
import { readRunCredentials } from '../../shared/auth/authorizedCall';
import { toObject } from '../../shared/operation/fields';
import { checkValue, normalizeBaseUrl } from '../../shared/values/address';
import { InvalidValueError } from '../../shared/values/invalidValue';
import { unitIdsName } from '../../shared/booking/filterNames';
import { OUTPUT_FIELDS, readChosenFields } from '../../shared/operation/output';
import type { OutputMode, OutputShape } from '../../shared/booking/recordShape';
import { includeNames } from '../../shared/booking/records/webBooking';
import { isRecord } from '../../shared/values/record';
import { readNumber, toNumber } from '../../shared/values/number';
import { checkTimeZone } from '../../shared/values/dateTime';
import { EVENTS, type EventEntry } from '../events';
import { type BookingFilters, type BookingInclude, bookingFeed, dueFeed } from '../feeds/bookings';
import { customerFeed } from '../feeds/customers';
import type { Feed, TriggerEvent } from '../feeds/feed';
import { recipientFeed } from '../feeds/recipients';
import type { PollSettings } from '../poll/poll';
import { watchingOf } from '../state/stored';
import {
	DEFAULT_MAX_AGE_HOURS,
	DEFAULT_MAX_ITEMS,
	DEFAULT_OVERLAP_MINUTES,
	UNIT_MS,
	fields,
	filterProperties,
} from './properties';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const MAX_DISTANCE_MS = 10 * 366 * 24 * HOUR;

/** The form of the trigger, read and checked. */
export interface TriggerForm extends Omit<PollSettings, 'anew'> {
	catchUp: boolean;
	/** Whether items carry `event`. */
	eventDetails: boolean;
	/** The system that is polled; part of the events' ids. */
	system: string;
	output: { mode: OutputMode; fields: string[] };
	options: IDataObject;
}

/** @throws InvalidValueError for an event that does not exist */
export function readEvent(context: Pick<IPollFunctions, 'getNodeParameter'>): EventEntry {
	const event = context.getNodeParameter('event');
	const entry = EVENTS.find(({ value }) => value === event);
	if (entry) return entry;
	throw new InvalidValueError('Event', `is '${String(event)}'`, 'Choose an event from the list');
}

/** @throws InvalidValueError that names the parameter */
export async function readForm(
	context: IPollFunctions,
	{ value: event, output }: EventEntry,
): Promise<TriggerForm> {
	const credential = await readRunCredentials(context, 'hospitalityBookingApi');
	const { timeZone, system, baseUrl } = credential as {
		timeZone?: string;
		system?: string;
		baseUrl?: string;
	};
	const zone = checkTimeZone(timeZone, context.getTimezone());
	const read = (name: string) => context.getNodeParameter(name, '');
	const filters = collection(read('filters'));
	checkFilters(filters, context.getNode().parameters.filters);
	const options = collection(read('options'));
	const checked = [fields.maxAge, fields.maxItems, fields.overlap, fields.startFrom];
	const numbers = toObject(checked, withoutEmpty(options), zone);
	const polled = String(options.system || system);
	return {
		feed: feedOf(event, read, filters, options, zone),
		node: context.getNode().name,
		watching: watchingOf(event, polled, Object.entries(filters)),
		account: normalizeBaseUrl(baseUrl),
		zone,
		overlapMs:
			readNumber(numbers.overlap ?? DEFAULT_OVERLAP_MINUTES, 'Overlap (Minutes)', { least: 0 }) * MINUTE,
		maxAgeMs: maxAgeOf(numbers.maxAge ?? DEFAULT_MAX_AGE_HOURS, read('pollTimes')),
		maxItems: readNumber(numbers.maxItems ?? DEFAULT_MAX_ITEMS, 'Max Items per Poll', { least: 1 }),
		startAt: typeof numbers.startFrom === 'string' ? Date.parse(numbers.startFrom) : null,
		catchUp: isOn(options.catchUp, 'Catch Up', true),
		reEmit: isOn(options.reEmit, 'Re-Emit After Restart', false),
		eventDetails: isOn(options.eventDetails, 'Add Event Details', false),
		system: polled,
		output: outputOf(read('output'), read(OUTPUT_FIELDS), output),
		options,
	};
}

function feedOf(
	event: TriggerEvent,
	read: (name: string) => unknown,
	filters: IDataObject,
	options: IDataObject,
	zone: string,
): Feed {
	if (event === 'surveyAnswered') {
		const { surveyId } = filters;
		return recipientFeed(isEmptyValue(surveyId) ? '' : checkValue(surveyId, 'guid', 'Survey'));
	}
	if (event === 'customerCreated' || event === 'customerChanged') return customerFeed(event);
	const chosen = bookingFilters(filters, options, zone);
	const include = toNames(read('include'), 'Include', includeNames) as BookingInclude[];
	if (event === 'bookingStartsSoon') {
		return dueFeed(event, distanceOf(read, 'Time Before Start'), chosen, include);
	}
	if (event === 'bookingEnded') return dueFeed(event, distanceOf(read, 'Time After End'), chosen, include);
	return bookingFeed(event, chosen, include);
}

/** @returns milliseconds */
function distanceOf(read: (name: string) => unknown, label: string): number {
	const unit = read('distanceUnit');
	const ms = typeof unit === 'string' ? UNIT_MS[unit] : undefined;
	if (ms === undefined) {
		throw new InvalidValueError('Unit', `is '${String(unit)}'`, 'Choose minutes, hours or days');
	}
	const amount = read('distance');
	const distance = readNumber(amount, label, { least: 0 }) * ms;
	if (distance <= MAX_DISTANCE_MS) return distance;
	throw new InvalidValueError(label, `is ${String(amount)} ${String(unit)}`, 'Enter at most ten years');
}

function bookingFilters(filters: IDataObject, options: IDataObject, zone: string): BookingFilters {
	const checked = toObject([fields.unitIds, fields.minGuests, fields.maxGuests], withoutEmpty(filters), zone);
	const {
		unitIds = [],
		minGuests,
		maxGuests,
	} = checked as Pick<BookingFilters, 'minGuests' | 'maxGuests'> & {
		unitIds?: number[];
	};
	return {
		unitIds,
		unitParameter: unitIdsName(options),
		statuses: wholeNumbers(filters.statuses, 'Status Names or IDs'),
		leaveOutStatuses: wholeNumbers(filters.leaveOutStatuses, 'Exclude Status Names or IDs'),
		minGuests,
		maxGuests,
		customerId:
			filters.customerId === undefined || filters.customerId === ''
				? undefined
				: wholeNumber(filters.customerId, 'Customer'),
	};
}

/**
 * A filter that is left empty lets everything through; an expression that comes out empty was meant to choose.
 *
 * @param asEntered the collection before its expressions were evaluated
 */
function checkFilters(filters: IDataObject, asEntered: unknown): void {
	const entered = collection(asEntered);
	for (const [name, value] of Object.entries(filters)) {
		const isEmpty = isEmptyValue(value) || (Array.isArray(value) && value.length === 0);
		if (!isEmpty || !String(entered[name]).startsWith('=')) continue;
		throw new InvalidValueError(
			filterProperties.find((property) => property.name === name)?.displayName ?? name,
			'is empty',
			'Without it more would come out. Check the expression, or remove the filter to mean all.',
		);
	}
}

function outputOf(mode: unknown, chosen: unknown, shape: OutputShape): TriggerForm['output'] {
	if (mode !== 'selected') return { mode: mode === 'raw' ? 'raw' : 'simplified', fields: [] };
	return { mode, fields: readChosenFields(chosen, shape) };
}

function collection(value: unknown): IDataObject {
	const entries = Object.entries(isRecord(value) ? value : {});
	return Object.fromEntries(entries.map(([name, own]) => [name, unwrapLocator(own)])) as IDataObject;
}

/** A list that an expression may give as one number, a text with commas or JSON. */
function wholeNumbers(value: unknown, label: string): number[] {
	return toList(value).map((entry) => wholeNumber(entry, label));
}

function wholeNumber(value: unknown, label: string): number {
	const number = toNumber(value);
	if (Number.isSafeInteger(number)) return number;
	throw new InvalidValueError(
		label,
		`holds '${String(value)}'`,
		'Enter a whole number, or choose from the list',
	);
}

function isOn(value: unknown, label: string, otherwise: boolean): boolean {
	return isEmptyValue(value) ? otherwise : toBoolean(value, label);
}

/** Time between two polls for n8n's modes, at most; a day may have 25 hours. */
const POLL_INTERVALS: Readonly<Record<string, number>> = {
	...{ everyMinute: MINUTE, minutes: MINUTE, everyHour: HOUR, hours: HOUR },
	...{ everyDay: 25 * HOUR, everyWeek: 8 * 24 * HOUR, everyMonth: 32 * 24 * HOUR },
};

/**
 * @param pollTimes n8n's own 'Poll Times': what is due between two polls is never too old for the next one
 * @returns milliseconds
 */
export function maxAgeOf(value: unknown, pollTimes: unknown): number {
	const hours = readNumber(value, 'Max Age (Hours)', { least: 0 });
	if (hours === 0)
		throw new InvalidValueError('Max Age (Hours)', 'is 0: nothing would come out', 'Enter more than 0');
	const times = isRecord(pollTimes) && Array.isArray(pollTimes.item) ? pollTimes.item.filter(isRecord) : [];
	const intervals = times.map(({ mode, unit, value: count }) =>
		mode === 'everyX' ? Number(count) * (POLL_INTERVALS[String(unit)] ?? 0) : POLL_INTERVALS[String(mode)],
	);
	const interval = Math.min(...intervals.map((ms) => ms || 0));
	return Math.max(hours * HOUR, (Number.isFinite(interval) ? interval : 0) + 5 * MINUTE);
}
