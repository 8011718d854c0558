import type { IPollFunctions } from 'n8n-workflow';
import compact from 'lodash/compact';
import mapValues from 'lodash/mapValues';
import omitBy from 'lodash/omitBy';
import sortBy from 'lodash/sortBy';
import { Duration } from 'luxon';

import { isBlankValue, unwrapLocator } from '../../shared/form/values';
import type { Account } from '../../shared/auth/account';
import type { StatusRoles } from '../../shared/auth/deployment';
import { checkStates } from '../../shared/booking/states';
import { type Field, toObject } from '../../shared/form/fields';
import { checkOptionNames, readSystem, systemOption } from '../../shared/operation/options';
import { type Form, readOption, readParameter } from '../../shared/form/readParameter';
import { readRelated, recordShaper } from '../../shared/operation/output';
import { isRecord } from '../../shared/values/record';
import { EVENTS, type Event, type TriggerEvent } from '../events/events';
import { type Choice, bookings, recipients } from '../events/kinds';
import { makeFeed } from '../events/observe';
import type { FollowSettings } from '../follow/pollResponse';
import type { Identity } from '../state/choose';
import { MINUTE } from '../../shared/values/timestamp';
import { bookingFilters, distanceFields, eventField, options, surveyFilter } from './properties';

/** The form of the trigger, read and checked. */
export interface TriggerForm extends FollowSettings, Omit<Identity, 'skipsMissed'> {
	catchUp: boolean;
	/** Whether items carry `event`. */
	eventDetails: boolean;
	/** The polled system; part of the events' IDs. */
	system: string;
	/** The option 'System', if it is set. */
	otherSystem: string | undefined;
	/** Turns a record of the service into its output, or into the named fields of it. */
	shape: ReturnType<typeof recordShaper>;
}

/** @throws InvalidValueError for an event that does not exist */
export function readEvent(context: Pick<IPollFunctions, 'getNodeParameter'>): Event {
	const value = eventField.serialize(context.getNodeParameter('event')) as TriggerEvent;
	return { ...EVENTS[value], value };
}

/** @throws InvalidValueError that names the parameter */
export function readForm(
	context: IPollFunctions,
	event: Event,
	{ credentials, address, timeZone: zone, language, deployment, statusRoles }: Account,
): TriggerForm {
	const node = context.getNode();
	const form = { getParameter: (name: string) => context.getNodeParameter(name, ''), node };
	checkOptionNames(form, [...Object.values(options), systemOption]);
	const option = (name: keyof typeof options) => readOption(form, options[name], zone);
	const startFrom = option('startFrom');
	const settings = { timeZone: zone, language, statusRoles };
	const otherSystem = readSystem(form);
	// Blanks around it are not sent, so they make no other system.
	const system = (otherSystem ?? String(credentials.system)).trim();
	const feed = makeFeed(event, {
		zone,
		unitParameter: deployment.unitFilterName,
		whatChanged: option('whatChanged') === true,
		...readChoice(event, form, zone, statusRoles),
	});
	checkStates(compact([...(feed.choice.filters.states ?? []), feed.rule.state]), statusRoles);
	const watching = [event.value, system, textOf(node.parameters.filters), feed.rule.comparedFields];
	return {
		feed,
		// A workflow that is copied by n8n's API brings its static data along.
		node: JSON.stringify([context.getWorkflow().id, node.name]),
		watching: JSON.stringify(watching),
		account: `${address} ${zone}`,
		overlapMs: Number(option('overlap')) * MINUTE,
		startAt: startFrom ? Date.parse(String(startFrom)) : null,
		catchUp: option('catchUp') === true,
		eventDetails: option('eventDetails') === true,
		system,
		otherSystem,
		shape: recordShaper(form, event.kind.output, settings, event.about),
	};
}

function readChoice(
	{ kind, value }: Event,
	form: Form,
	zone: string,
	statusRoles: StatusRoles,
): Pick<Choice, 'filters' | 'include' | 'distanceMs'> {
	const entered = collection(form.node.parameters.filters);
	// An empty filter lets everything through; an expression that comes out empty was meant to filter, and is refused.
	const given = omitBy(
		collection(form.getParameter('filters')),
		(one, name) => isBlankValue(one) && !String(entered[name]).startsWith('='),
	);
	const distance = distanceFields.find(({ event }) => event === value);
	const [amount = 0, unit = 'hours'] = (distance?.fields ?? []).map((field) =>
		readParameter(form, field),
	);
	return {
		filters: { ...toObject(filtersOf(kind), given, zone), statusRoles },
		include: readRelated(form, kind.output),
		distanceMs: Duration.fromObject({ [String(unit)]: Number(amount) }).toMillis(),
	};
}

function filtersOf(kind: Event['kind']): readonly Field[] {
	if (kind === bookings) return bookingFilters;
	return kind === recipients ? [surveyFilter] : [];
}

/** The filters as entered, expressions as text, in a fixed order and without empty ones, which have no effect. */
function textOf(filters: unknown): string {
	if (!isRecord(filters)) return String(filters ?? '');
	return JSON.stringify(sortBy(Object.entries(omitBy(collection(filters), isBlankValue)), 0));
}

function collection(value: unknown): Record<string, unknown> {
	return mapValues(isRecord(value) ? value : {}, unwrapLocator);
}
