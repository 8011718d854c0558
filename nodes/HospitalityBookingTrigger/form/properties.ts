import type { INodeProperties } from 'n8n-workflow';
import camelCase from 'lodash/camelCase';
import map from 'lodash/map';

import { choice, parameter } from '../../shared/form/rows';
import { type Field, collectionOf } from '../../shared/form/fields';
import type { FieldRow } from '../../shared/form/kinds';
import { makeField } from '../../shared/form/makeField';
import { bookingFilterFields } from '../../shared/booking/filterFields';
import { optionsCollection, systemOption } from '../../shared/operation/options';
import { outputProperties } from '../../shared/operation/output';
import { eventRows, eventsWhere } from '../events/events';
import { bookings } from '../events/recordKinds';

const bookingEvents = eventsWhere(({ kind }) => kind === bookings);
const eventsWithChanges = eventsWhere(({ canShowChanges }) => canShowChanges);

const filterRows: readonly FieldRow[] = Object.values(bookingFilterFields);

export const bookingFilters: readonly Field[] = filterRows.map((row) => {
	const displayOptions = { show: { '/event': bookingEvents } };
	return makeField({ ...row, mustNotBeEmpty: true, displayOptions });
});

export const surveyFilter = parameter('Survey ID', 'surveyId', {
	as: 'guid',
	mustNotBeEmpty: true,
	placeholder: 'e.g. 3f2504e0-4f89-41d3-9a0c-0305e82c3301',
	description: 'Only answers to the survey with this ID',
	displayOptions: { show: { '/event': ['surveyAnswered'] } },
});

/** Options whose values are checked. */
export const options = {
	eventDetails: parameter('Add Event Details', 'eventDetails', {
		as: 'boolean',
		description:
			'Whether to add what happened and when to each item, in the field event. Use its ID to deduplicate rows: it stays the same if an event is emitted again.',
	}),
	catchUp: parameter('Catch Up', 'catchUp', {
		as: 'boolean',
		default: true,
		description: 'Whether publishing again also emits what happened in between',
	}),
	whatChanged: parameter('Add What Changed', 'whatChanged', {
		as: 'boolean',
		description:
			'Whether to add to each item which of start, end, guests and status have changed, and what they were before. Setting it starts the trigger over.',
		displayOptions: { show: { '/event': eventsWithChanges } },
	}),
	overlap: parameter('Overlap (Minutes)', 'overlap', {
		as: 'decimal',
		default: 2,
		typeOptions: { minValue: 0 },
		description:
			'How far each poll looks back, for changes that the service shows late. Nothing is emitted twice. Raise it if the service is slower; each poll then fetches more.',
	}),
	startFrom: parameter('Start From', 'startFrom', {
		as: 'day',
		description:
			'Also emit events since this time when the trigger first starts, or starts over because its name, event, filters, system or server has changed. It has no effect otherwise. If it is in the future, the trigger starts then. A date alone is the start of that day.',
	}),
} satisfies Record<string, Field>;

/** The time before a start or after an end, and its unit. */
export const distanceFields = eventRows().flatMap(({ value: event, distance }) => {
	if (!distance) return [];
	// Of its own: n8n's AI builder reads one parameter of a name.
	const name = camelCase(distance.name);
	const displayOptions = { show: { event: [event] } };
	const units = [
		{ name: 'Days', value: 'days', description: 'Of 24 hours' },
		{ name: 'Hours', value: 'hours' },
		{ name: 'Minutes', value: 'minutes' },
	];
	return {
		event,
		fields: [
			parameter(distance.name, name, {
				as: 'decimal',
				typeOptions: { minValue: 0, maxValue: 100_000 },
				default: distance.hours,
				required: true,
				displayOptions,
			}),
			parameter('Measured In', `${name}Unit`, {
				oneOf: units,
				default: 'hours',
				description: 'What the time is measured in',
				displayOptions,
			}),
		],
	};
});

export const eventField = choice(
	'Event',
	'event',
	eventRows().map(({ name, value, description }) => {
		return { name, value, description };
	}),
	{
		default: 'bookingCreated',
		required: true,
		description: 'What starts the workflow',
		builderHint: {
			propertyHint:
				"For one status use 'bookingCanceled', 'bookingNoShow' or 'bookingFinished', for a reminder 'bookingStartsSoon', for what follows a visit 'bookingEnded'; 'bookingChanged' to keep a copy of all bookings",
		},
	},
);

/** What a person reads below the event. */
const eventNotices: INodeProperties[] = [
	{
		displayName:
			"The first publication emits nothing unless 'Start From' is set; publishing again emits what happened meanwhile.",
		name: 'publishingNotice',
		type: 'notice',
		default: '',
	},
	{
		displayName:
			"A workflow that updates the booking it starts with starts itself again. Set 'Add What Changed' and let one Filter on changes.fields pass only what the workflow waits for.",
		name: 'echoNotice',
		type: 'notice',
		default: '',
		displayOptions: { show: { event: eventsWithChanges } },
	},
];

/** The whole form of the trigger. */
export const properties: INodeProperties[] = [
	eventField.property,
	...eventNotices,
	...distanceFields.flatMap(({ fields }) => map(fields, 'property')),
	...outputs(),
	collectionOf([...bookingFilters, surveyFilter], {
		displayName: 'Filters',
		name: 'filters',
		placeholder: 'Add Filter',
		description:
			'Filters are checked when an event is first seen (for Starting Soon and Ended: when it is due)',
		displayOptions: { show: { event: [...bookingEvents, 'surveyAnswered'] } },
	}),
	optionsCollection([...Object.values(options), systemOption]),
];

/** 'Output' and 'Fields' once for each kind of record. */
function outputs(): INodeProperties[] {
	const kinds = new Set(map(eventRows(), 'kind'));
	return Array.from(kinds).flatMap((kind) => {
		const event = eventsWhere((row) => row.kind === kind);
		return outputProperties(kind.output).map((property) => {
			const show = { ...property.displayOptions?.show, event };
			return { ...property, displayOptions: { show } };
		});
	});
}
