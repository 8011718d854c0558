import type { IDataObject, IPollFunctions } from 'n8n-workflow';
import mapValues from 'lodash/mapValues';
import min from 'lodash/min';

import { isBlankValue, toNames, unwrapLocator, withoutEmpty } from '../../shared/operation/formValues';
import type { OpenAccount } from '../../shared/auth/account';
import type { Deployment, StatusRoles } from '../../shared/auth/deployment';
import { checkStates } from '../../shared/booking/states';
import { toObject } from '../../shared/operation/fields';
import { InvalidValueError } from '../../shared/values/invalidValue';
import { recordShaper } from '../../shared/operation/output';
import { includeNames } from '../../shared/booking/records';
import { isRecord } from '../../shared/values/record';
import { readNumber } from '../../shared/values/number';
import { EVENTS, type EventEntry, type TriggerEvent } from '../events';
import { type BookingFilters, STATE_EVENTS, bookingFeed, dueFeed } from '../feeds/bookings';
import { customerFeed } from '../feeds/customers';
import type { Feed } from '../feeds/feed';
import { recipientFeed } from '../feeds/recipients';
import type { FollowSettings } from '../follow/step';
import { watchingOf } from '../state/stored';
import { DAY, HOUR, MINUTE } from '../../shared/values/timestamp';
import { bookingFilters, filterProperties, options, surveyFilter } from './properties';

/** Units of the time before a start or after an end, in milliseconds. */
const UNIT_MS: Readonly<Record<string, number>> = { minutes: MINUTE, hours: HOUR, days: DAY };
const MAX_DISTANCE_MS = 10 * 366 * DAY;

type ChosenOptions = Record<'catchUp' | 'eventDetails' | 'reEmit' | 'whatChanged', boolean> &
	Record<'maxAge' | 'maxItems' | 'overlap', number> & { startFrom?: string };

/** The form of the trigger, read and checked. */
export interface TriggerForm extends FollowSettings {
	/** The node by its workflow and name, the event with its filters, and the account: if one changes, the stored state no longer applies. */
	node: string;
	watching: string;
	account: string;
	/** Milliseconds since 1970; null to emit only new events. */
	startAt: number | null;
	/** Whether to emit the last batch again after n8n restarts. */
	reEmit: boolean;
	catchUp: boolean;
	/** Whether items carry `event`. */
	eventDetails: boolean;
	/** The polled system; part of the events' IDs. */
	system: string;
	/** Turns a record of the service into its output. */
	shape: (record: unknown) => IDataObject;
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
export function readForm(
	context: IPollFunctions,
	{ value: event, output }: EventEntry,
	{ credentials, address, timeZone: zone, deployment, statusRoles }: OpenAccount,
): TriggerForm {
	const read = (name: string) => context.getNodeParameter(name, '');
	const filters = collection(read('filters'));
	checkFilters(filters, context.getNode().parameters.filters);
	const entered = collection(read('options'));
	const given = withoutEmpty({
		...mapValues(options, ({ property }) => property.default),
		...withoutEmpty(entered),
	});
	const chosen: unknown = toObject(Object.values(options), given, zone);
	const { overlap, maxAge, maxItems, startFrom, whatChanged, ...switches } = chosen as ChosenOptions;
	const polled = String(entered.system || credentials.system);
	return {
		feed: feedOf(event, read, filters, { ...deployment, statusRoles }, zone, whatChanged),
		// A workflow that is copied by n8n's API brings its static data along.
		node: JSON.stringify([context.getWorkflow().id, context.getNode().name]),
		watching: watchingOf(event, polled, Object.entries(filters)),
		account: address,
		zone,
		overlapMs: readNumber(overlap, 'Overlap (Minutes)', { least: 0 }) * MINUTE,
		maxAgeMs: maxAgeOf(maxAge, read('pollTimes')),
		maxItems: readNumber(maxItems, 'Max Items per Poll', { least: 1 }),
		startAt: startFrom ? Date.parse(startFrom) : null,
		...switches,
		system: polled,
		shape: recordShaper(read, output, { timeZone: zone, statusRoles }),
		options: entered,
	};
}

function feedOf(
	event: TriggerEvent,
	read: (name: string) => unknown,
	filters: IDataObject,
	{ unitFilterName: unitParameter, statusRoles }: Deployment & { statusRoles: StatusRoles },
	zone: string,
	whatChanged: boolean,
): Feed {
	const given = withoutEmpty(filters);
	if (event === 'surveyAnswered') {
		const { surveyId = '' } = toObject([surveyFilter], given, zone);
		return recipientFeed(String(surveyId));
	}
	if (event === 'customerCreated' || event === 'customerChanged') return customerFeed(event);
	const chosen: BookingFilters = {
		...toObject(bookingFilters, given, zone),
		unitParameter,
		statusRoles,
	};
	const state = STATE_EVENTS[event];
	checkStates([...(chosen.states ?? []), ...(state ? [state] : [])], statusRoles);
	const include = toNames(read('include'), 'Include', includeNames);
	const choice = { filters: chosen, include, whatChanged };
	if (event === 'bookingStartsSoon') {
		return dueFeed(event, distanceOf(read, 'Time Before Start'), choice);
	}
	if (event === 'bookingEnded') return dueFeed(event, distanceOf(read, 'Time After End'), choice);
	return bookingFeed(event, choice);
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

/**
 * An empty filter lets everything through; an expression that comes out empty was meant to filter.
 *
 * @param asEntered the collection before its expressions were evaluated
 */
function checkFilters(filters: IDataObject, asEntered: unknown): void {
	const entered = collection(asEntered);
	for (const [name, value] of Object.entries(filters)) {
		if (!isBlankValue(value) || !String(entered[name]).startsWith('=')) continue;
		throw new InvalidValueError(
			filterProperties.find((property) => property.name === name)?.displayName ?? name,
			'is empty',
			'Without it more would be emitted. Check the expression, or remove the filter.',
		);
	}
}

function collection(value: unknown): IDataObject {
	const entries = Object.entries(isRecord(value) ? value : {});
	return Object.fromEntries(entries.map(([name, own]) => [name, unwrapLocator(own)])) as IDataObject;
}

/** Longest time between two polls, for n8n's modes; a day may have 25 hours. */
const POLL_INTERVALS: Readonly<Record<string, number>> = {
	...{ everyMinute: MINUTE, minutes: MINUTE, everyHour: HOUR, hours: HOUR },
	...{ everyDay: 25 * HOUR, everyWeek: 8 * DAY, everyMonth: 32 * DAY },
};

/**
 * @param pollTimes n8n's own 'Poll Times': an event due between two polls is never too old for the next
 * @returns milliseconds
 */
export function maxAgeOf(value: unknown, pollTimes: unknown): number {
	const hours = readNumber(value, 'Max Age (Hours)', { least: 0 });
	if (hours === 0)
		throw new InvalidValueError('Max Age (Hours)', 'is 0, so nothing would be emitted', 'Enter more than 0');
	const times = isRecord(pollTimes) && Array.isArray(pollTimes.item) ? pollTimes.item.filter(isRecord) : [];
	const intervals = times.map(({ mode, unit, value: count }) =>
		mode === 'everyX' ? Number(count) * (POLL_INTERVALS[String(unit)] ?? 0) : POLL_INTERVALS[String(mode)],
	);
	const interval = min(intervals.map((ms) => ms || 0)) ?? 0;
	return Math.max(hours * HOUR, interval + 5 * MINUTE);
}
