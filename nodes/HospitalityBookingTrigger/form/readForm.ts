import type { IPollFunctions } from 'n8n-workflow';
import map from 'lodash/map';
import mapValues from 'lodash/mapValues';
import omitBy from 'lodash/omitBy';
import sortBy from 'lodash/sortBy';
import { Duration } from 'luxon';

import { hasNoValue, refuseUnknownNames, unwrapLocator } from '../../shared/form/values';
import type { Account } from '../../shared/auth/account';
import { checkStates } from '../../shared/booking/states';
import { type Field, toObject } from '../../shared/form/fields';
import { checkOptionNames, readSystem, systemOption } from '../../shared/operation/options';
import { type Form, readOption, readParameter } from '../../shared/form/readParameter';
import { type PartShaper, readRelated, recordShaper } from '../../shared/operation/output';
import { asText } from '../../shared/values/asText';
import { isRecord } from '../../shared/values/record';
import { EVENTS, type Event, type TriggerEvent } from '../events/events';
import { type Filters, bookings, recipients } from '../events/recordKinds';
import { type Feed, makeFeed } from '../events/observe';
import { fieldsOf } from '../events/rule';
import type { Identity } from '../state/choose';
import { MINUTE } from '../../shared/values/timestamp';
import { bookingFilters, distanceFields, eventField, options, surveyFilter } from './properties';

/** The form of the trigger, read and checked. */
export interface TriggerForm extends Omit<Identity, 'skipsMissed'> {
	feed: Feed;
	catchUp: boolean;
	/** Whether items carry `event`. */
	eventDetails: boolean;
	/** The polled system; part of the events' IDs. */
	system: string;
	/** The option 'System', if it is set. */
	otherSystem: string | undefined;
	shape: PartShaper;
}

/** @throws InvalidValueError for an event that does not exist */
export function readEvent(context: Pick<IPollFunctions, 'getNodeParameter'>): Event {
	const value = eventField.serialize(context.getNodeParameter('event')) as TriggerEvent;
	return { ...EVENTS[value], value };
}

/** @throws InvalidValueError that names the parameter */
export function readForm(context: IPollFunctions, event: Event, account: Account): TriggerForm {
	const { timeZone, language, statusRoles } = account;
	const { output } = event.kind;
	const node = context.getNode();
	const form: Form = { node, getParameter: (name) => context.getNodeParameter(name, '') };
	const optionFields: Field[] = Object.values(options);
	checkOptionNames(form, optionFields.concat(systemOption));
	const option = (name: keyof typeof options) => readOption(form, options[name], timeZone);
	const startFrom = option('startFrom');
	const otherSystem = readSystem(form);
	// Blanks around it are not sent, so they make no other system.
	const system = (otherSystem ?? asText(account.credentials.system)).trim();
	const filters = readEventFilters(event, form, timeZone);
	filters.statusRoles = statusRoles;
	const feed = makeFeed(event, {
		zone: timeZone,
		filters,
		unitParameter: account.deployment.unitFilterName,
		include: readRelated(form, output),
		whatChanged: option('whatChanged') === true,
		overlapMs: Number(option('overlap')) * MINUTE,
		distanceMs: readDistance(event, form),
	});
	const { state, comparedFields } = feed.rule;
	checkStates(filters.states, statusRoles);
	if (state) checkStates([state], statusRoles);
	const workflow = context.getWorkflow();
	const entered = textOf(node.parameters.filters);
	return {
		feed,
		// A workflow that is copied by n8n's API brings its static data along.
		node: JSON.stringify([workflow.id, node.name]),
		watching: JSON.stringify([event.value, system, entered, comparedFields]),
		account: `${account.address} ${timeZone}`,
		startAt: startFrom ? Date.parse(asText(startFrom)) : null,
		catchUp: option('catchUp') === true,
		eventDetails: option('eventDetails') === true,
		system,
		otherSystem,
		shape: recordShaper(form, output, { timeZone, language, statusRoles }, event.about),
	};
}

/** An empty filter lets everything through; an expression that comes out empty was meant to filter, and is refused. */
function readEventFilters(event: Event, form: Form, zone: string): Filters {
	const entered = withoutLocators(form.node.parameters.filters);
	const values = withoutLocators(form.getParameter('filters'));
	refuseUnknownNames(values, NAMES_OF_FILTERS, 'Filters');
	const given = omitBy(values, (value, name) => {
		const isExpression = asText(entered[name]).startsWith('=');
		return hasNoValue(value) && !isExpression;
	});
	const fields = filtersOf(event.kind);
	return toObject(fields, given, zone);
}

/** Those of all events: a form may hold filters of one that was chosen before. */
const NAMES_OF_FILTERS = map(bookingFilters.concat(surveyFilter), 'property.name');

function filtersOf(kind: Event['kind']): readonly Field[] {
	if (kind === bookings) return bookingFilters;
	if (kind === recipients) return [surveyFilter];
	return [];
}

/** @returns the time before a start or after an end, in milliseconds; 0 for other events */
function readDistance(event: Event, form: Form): number {
	const distance = distanceFields.find((fields) => fields.event === event.value);
	if (!distance) return 0;
	const [amount, unit] = distance.fields.map((field) => readParameter(form, field));
	const parts = { [asText(unit)]: Number(amount) };
	return Duration.fromObject(parts).toMillis();
}

/** The filters as entered, expressions as text, in a fixed order and without empty ones, which have no effect. */
function textOf(filters: unknown): string {
	if (!isRecord(filters)) return asText(filters ?? '');
	const entered = omitBy(withoutLocators(filters), hasNoValue);
	const sorted = sortBy(Object.entries(entered), 0);
	return JSON.stringify(sorted);
}

function withoutLocators(collection: unknown): Record<string, unknown> {
	return mapValues(fieldsOf(collection), unwrapLocator);
}
