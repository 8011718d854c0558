import type { IDataObject, IPollFunctions } from 'n8n-workflow';
import omitBy from 'lodash/omitBy';

import { isBlankValue, isEmptyValue, unwrapLocator } from '../../shared/operation/formValues';
import type { OpenAccount } from '../../shared/auth/account';
import type { StatusRoles } from '../../shared/auth/deployment';
import { checkStates } from '../../shared/booking/states';
import { toObject } from '../../shared/operation/fields';
import { readOption, readSystem } from '../../shared/operation/options';
import { InvalidValueError } from '../../shared/values/invalidValue';
import { recordShaper } from '../../shared/operation/output';
import { isRecord } from '../../shared/values/record';
import { readNumber } from '../../shared/values/number';
import { EVENTS, type EventRow, type TriggerEvent } from '../feeds/events';
import { type BookingFilters, type Choice, bookings, recipients } from '../feeds/kinds';
import { makeFeed } from '../feeds/makeFeed';
import type { FollowSettings } from '../follow/step';
import type { Identity } from '../state/choose';
import { DAY, HOUR, MINUTE } from '../../shared/values/timestamp';
import { bookingFilters, filterProperties, include, options, surveyFilter } from './properties';

/** Units of the time before a start or after an end, in milliseconds. */
const UNIT_MS: Readonly<Record<string, number>> = { minutes: MINUTE, hours: HOUR, days: DAY };
const MAX_DISTANCE_MS = 10 * 366 * DAY;

/** The form of the trigger, read and checked. */
export interface TriggerForm extends FollowSettings, Identity {
	catchUp: boolean;
	/** Whether items carry `event`. */
	eventDetails: boolean;
	/** The polled system; part of the events' IDs. */
	system: string;
	/** The option 'System', if it is set. */
	otherSystem: string | undefined;
	/** Turns a record of the service into its output. */
	shape: (record: unknown) => IDataObject;
}

/** An event with its name. */
export type ChosenEvent = EventRow & { value: TriggerEvent };

/** @throws InvalidValueError for an event that does not exist */
export function readEvent(context: Pick<IPollFunctions, 'getNodeParameter'>): ChosenEvent {
	const event = context.getNodeParameter('event');
	if (typeof event === 'string' && Object.hasOwn(EVENTS, event)) {
		const value = event as TriggerEvent;
		return { ...EVENTS[value], value };
	}
	throw new InvalidValueError('Event', `is '${String(event)}'`, 'Choose an event from the list');
}

/** @throws InvalidValueError that names the parameter */
export function readForm(
	context: IPollFunctions,
	event: ChosenEvent,
	{ credentials, address, timeZone: zone, deployment, statusRoles }: OpenAccount,
): TriggerForm {
	const read = (name: string) => context.getNodeParameter(name, '');
	const filters = collection(read('filters'));
	const asEntered = context.getNode().parameters;
	checkFilters(filters, asEntered.filters);
	const form = { getParameter: read, node: context.getNode() };
	const option = (name: keyof typeof options) => readOption(form, options[name], zone);
	const [startFrom, whatChanged] = [option('startFrom'), option('whatChanged') === true];
	const otherSystem = readSystem(form);
	const system = otherSystem ?? String(credentials.system);
	const feed = makeFeed(event, {
		...readChoice(event, read, omitBy(filters, isEmptyValue), zone, statusRoles),
		...{ zone, whatChanged, unitParameter: deployment.unitFilterName },
	});
	return {
		feed,
		// A workflow that is copied by n8n's API brings its static data along.
		node: JSON.stringify([context.getWorkflow().id, context.getNode().name]),
		watching: JSON.stringify([event.value, system, textOf(asEntered.filters), feed.rule.compares]),
		account: `${address} ${zone}`,
		overlapMs: Number(option('overlap')) * MINUTE,
		startAt: startFrom ? Date.parse(String(startFrom)) : null,
		catchUp: option('catchUp') === true,
		eventDetails: option('eventDetails') === true,
		system,
		otherSystem,
		shape: recordShaper(read, event.kind.output, { timeZone: zone, statusRoles }),
	};
}

function readChoice(
	{ kind, state, distance }: ChosenEvent,
	read: (name: string) => unknown,
	given: Record<string, unknown>,
	zone: string,
	statusRoles: StatusRoles,
): Pick<Choice, 'filters' | 'include' | 'distanceMs' | 'surveyId'> {
	const nothing = { filters: { statusRoles }, include: [], distanceMs: 0, surveyId: '' };
	if (kind === recipients) {
		const { surveyId = '' } = toObject([surveyFilter], given, zone);
		return { ...nothing, surveyId: String(surveyId) };
	}
	if (kind !== bookings) return nothing;
	const filters: BookingFilters = { ...toObject(bookingFilters, given, zone), statusRoles };
	checkStates([...(filters.states ?? []), ...(state ? [state] : [])], statusRoles);
	return {
		...nothing,
		filters,
		include: include.serialize(read('include')) as string[],
		distanceMs: distance ? distanceOf(read, distance.name) : 0,
	};
}

/** The filters as entered, expressions as text, in a fixed order and without empty ones, which have no effect. */
function textOf(filters: unknown): string {
	if (!isRecord(filters)) return String(filters ?? '');
	const set = Object.entries(collection(filters)).filter(([, value]) => !isBlankValue(value));
	return JSON.stringify(set.sort(([one], [other]) => (one < other ? -1 : 1)));
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
	return Object.fromEntries(entries.map(([name, one]) => [name, unwrapLocator(one)])) as IDataObject;
}
