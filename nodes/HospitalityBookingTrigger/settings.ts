import type { IDataObject, IPollFunctions } from 'n8n-workflow';

import { toObject, unwrapLocator, withoutEmpty } from '../shared/operation/fields';
import { InvalidValueError } from '../shared/values/invalidValue';
import { unitIdsName } from '../shared/booking/filterNames';
import type { OutputMode } from '../shared/booking/recordShape';
import { webBookingIncludes } from '../shared/booking/records/webBooking';
import { isRecord } from '../shared/values/record';
import { checkTimeZone } from '../shared/values/dateTime';
import { EVENTS, type EventEntry } from './events';
import { type BookingEvent, type BookingFilters, type BookingInclude, bookingFeed } from './feeds/bookings';
import { customerFeed } from './feeds/customers';
import type { Feed, TriggerEvent } from './feeds/feed';
import { recipientFeed } from './feeds/recipients';
import type { PollSettings } from './poll';
import { DEFAULT_MAX_ITEMS, DEFAULT_OVERLAP_MINUTES, fields } from './properties';

const MINUTE = 60_000;

/** The form of the trigger, read and checked. */
export interface TriggerForm extends Omit<PollSettings, 'anew'> {
	catchUp: boolean;
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
export async function readForm(context: IPollFunctions, { value: event }: EventEntry): Promise<TriggerForm> {
	const { timeZone, system } = await context.getCredentials<{ timeZone?: string; system?: string }>(
		'hospitalityBookingApi',
	);
	const zone = checkTimeZone(timeZone);
	const read = (name: string) => context.getNodeParameter(name, '');
	const filters = collection(read('filters'));
	const options = collection(read('options'));
	const numbers = toObject([fields.maxItems, fields.overlap, fields.startFrom], withoutEmpty(options), zone);
	return {
		feed: feedOf(event, filters, options, read('include'), zone),
		watching: JSON.stringify([event, options.system || system, sorted(filters)]),
		zone,
		overlapMs: atLeast(0, numbers.overlap ?? DEFAULT_OVERLAP_MINUTES, 'Overlap (Minutes)') * MINUTE,
		maxItems: atLeast(1, numbers.maxItems ?? DEFAULT_MAX_ITEMS, 'Max Items per Poll'),
		startAt: typeof numbers.startFrom === 'string' ? Date.parse(numbers.startFrom) : null,
		catchUp: options.catchUp !== false,
		output: outputOf(read('output'), read('outputFields')),
		options,
	};
}

function feedOf(
	event: TriggerEvent,
	filters: IDataObject,
	options: IDataObject,
	include: unknown,
	zone: string,
): Feed {
	if (event === 'surveyAnswered') return recipientFeed(String(filters.surveyId ?? '').trim());
	if (event === 'customerCreated' || event === 'customerChanged') return customerFeed(event);
	return bookingFeed(
		event satisfies BookingEvent,
		bookingFilters(filters, options, zone),
		includesOf(include),
	);
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
	const statuses = Array.isArray(filters.statuses) ? filters.statuses : [];
	return {
		unitIds,
		unitParameter: unitIdsName(options),
		statuses: statuses.map((status) => wholeNumber(status, 'Status Names or IDs')),
		minGuests,
		maxGuests,
		customerId:
			filters.customerId === undefined || filters.customerId === ''
				? undefined
				: wholeNumber(filters.customerId, 'Customer'),
	};
}

function includesOf(value: unknown): BookingInclude[] {
	const chosen: unknown[] = Array.isArray(value) ? value : [];
	const known = webBookingIncludes.map((include) => include.value as BookingInclude);
	const unknown = chosen.find((name) => !known.includes(name as BookingInclude));
	if (unknown === undefined) return known.filter((name) => chosen.includes(name));
	throw new InvalidValueError('Include', `holds '${String(unknown)}'`, `Allowed: ${known.join(', ')}`);
}

function outputOf(mode: unknown, chosen: unknown): TriggerForm['output'] {
	if (mode !== 'selected') return { mode: mode === 'raw' ? 'raw' : 'simplified', fields: [] };
	const names = Array.isArray(chosen) ? chosen.map(String) : [];
	if (names.length > 0) return { mode, fields: names };
	throw new InvalidValueError('Fields', 'is empty', "Choose at least one field, or another 'Output'");
}

function collection(value: unknown): IDataObject {
	const entries = Object.entries(isRecord(value) ? value : {});
	return Object.fromEntries(entries.map(([name, own]) => [name, unwrapLocator(own)])) as IDataObject;
}

function wholeNumber(value: unknown, label: string): number {
	const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
	if (typeof number === 'number' && Number.isSafeInteger(number)) return number;
	throw new InvalidValueError(
		label,
		`holds '${String(value)}'`,
		'Enter a whole number, or choose from the list',
	);
}

function atLeast(least: number, value: unknown, label: string): number {
	const number = Number(value);
	if (number >= least) return number;
	throw new InvalidValueError(label, `is ${String(value)}`, `Enter a number from ${least}`);
}

/** The order in which filters were added does not matter. */
function sorted(filters: IDataObject): unknown {
	return Object.entries(filters).sort(([one], [other]) => one.localeCompare(other));
}
