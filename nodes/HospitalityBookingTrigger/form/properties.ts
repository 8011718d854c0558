import type { INodeProperties } from 'n8n-workflow';

import { type Field, dateOrTime, decimal, integer, integerList } from '../../shared/operation/fields';
import { unitFilterNameOption } from '../../shared/booking/filterNames';
import { customerLocator, surveyLocator } from '../../shared/booking/locators';
import { extraRequestOptions, systemOption } from '../../shared/operation/options';
import { outputProperties } from '../../shared/operation/output';
import type { OutputShape } from '../../shared/booking/recordShape';
import { includeProperty } from '../../shared/booking/records/webBooking';
import { EVENTS } from '../events';
import type { TriggerEvent } from '../feeds/feed';

export const DEFAULT_OVERLAP_MINUTES = 2;
export const DEFAULT_MAX_ITEMS = 500;
export const DEFAULT_MAX_AGE_HOURS = 24;
/** Units of the time before a start or after an end, in milliseconds. */
export const UNIT_MS: Readonly<Record<string, number>> = {
	minutes: 60_000,
	hours: 3_600_000,
	days: 86_400_000,
};

const bookingEvents = eventsWhere((event) => event.startsWith('booking'));
const shownForBookings = { show: { '/event': bookingEvents } };
const dueEvents = ['bookingStartsSoon', 'bookingEnded'];

/** Filters and options that are read with a check of their value. */
export const fields = {
	unitIds: integerList('Unit IDs', 'unitIds', {
		placeholder: 'e.g. 12, 15',
		description: 'Only bookings of these units',
		displayOptions: shownForBookings,
	}),
	minGuests: integer('Min Guests', 'minGuests', {
		default: 1,
		typeOptions: { minValue: 0 },
		description: 'Only bookings with at least this many guests',
		displayOptions: shownForBookings,
	}),
	maxGuests: integer('Max Guests', 'maxGuests', {
		default: 10,
		typeOptions: { minValue: 0 },
		description: 'Only bookings with at most this many guests',
		displayOptions: shownForBookings,
	}),
	maxAge: decimal('Max Age (Hours)', 'maxAge', {
		default: DEFAULT_MAX_AGE_HOURS,
		typeOptions: { minValue: 0 },
		description:
			'How late a booking may come out that was due while n8n was not running. What is older is left out. At least the time between two polls.',
		displayOptions: { show: { '/event': dueEvents } },
	}),
	startFrom: dateOrTime('Start From', 'startFrom', {
		description:
			'Also emit events since this time when the trigger starts for the first time. Has no effect later.',
	}),
	overlap: decimal('Overlap (Minutes)', 'overlap', {
		default: DEFAULT_OVERLAP_MINUTES,
		typeOptions: { minValue: 0 },
		description:
			'How far each poll looks back, for changes that the service shows late. What was emitted is not emitted again. Raise it if the service needs longer; each poll then fetches more.',
		displayOptions: { hide: { '/event': dueEvents } },
	}),
	maxItems: integer('Max Items per Poll', 'maxItems', {
		default: DEFAULT_MAX_ITEMS,
		typeOptions: { minValue: 1 },
		description: 'The oldest go out first, the rest with the next polls',
	}),
} satisfies Record<string, Field>;

export const filterProperties: INodeProperties[] = [
	{ ...customerLocator, displayOptions: shownForBookings },
	{
		displayName: 'Exclude Status Names or IDs',
		name: 'leaveOutStatuses',
		type: 'multiOptions',
		typeOptions: { loadOptionsMethod: 'getBookingStatuses' },
		default: [],
		description:
			'No bookings that have one of these statuses, e.g. canceled ones. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
		displayOptions: shownForBookings,
	},
	fields.maxGuests.property,
	fields.minGuests.property,
	{
		displayName: 'Status Names or IDs',
		name: 'statuses',
		type: 'multiOptions',
		typeOptions: { loadOptionsMethod: 'getBookingStatuses' },
		default: [],
		description:
			'Only bookings that have one of these statuses when the trigger sees the change. To act when a booking gets a status, choose the event Booking Status Changed. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
		displayOptions: shownForBookings,
	},
	{ ...surveyLocator, displayOptions: { show: { '/event': ['surveyAnswered'] } } },
	fields.unitIds.property,
];

/** The whole form of the trigger. */
export const properties: INodeProperties[] = [
	{
		displayName: 'Event',
		name: 'event',
		type: 'options',
		noDataExpression: true,
		options: EVENTS.map(({ name, value, description }) => ({ name, value, description })),
		default: 'bookingCreated',
		required: true,
		description: 'What starts the workflow',
	},
	...distance('bookingStartsSoon', 'Time Before Start', 24, 'How long before its start a booking comes out'),
	...distance('bookingEnded', 'Time After End', 2, 'How long after its end a booking comes out'),
	{ ...includeProperty, displayOptions: { show: { event: bookingEvents } } },
	...outputs(),
	{
		displayName: 'Filters',
		name: 'filters',
		type: 'collection',
		placeholder: 'Add Filter',
		default: {},
		description: 'Filters apply when an event is first seen; for a booking that is due, when it is due',
		displayOptions: { show: { event: [...bookingEvents, 'surveyAnswered'] } },
		options: filterProperties,
	},
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add Option',
		default: {},
		options: [
			{
				displayName: 'Add Event Details',
				name: 'eventDetails',
				type: 'boolean',
				default: false,
				description:
					'Whether to add to each item what happened and when, in the field event. Its ID is the same however often the event comes out, so use it to deduplicate rows.',
			},
			{
				displayName: 'Catch Up',
				name: 'catchUp',
				type: 'boolean',
				default: true,
				description: 'Whether to emit, when the workflow is published again, what happened while it was not',
			},
			...extraRequestOptions,
			fields.maxAge.property,
			fields.maxItems.property,
			fields.overlap.property,
			{
				displayName: 'Re-Emit After Restart',
				name: 'reEmit',
				type: 'boolean',
				default: false,
				description:
					'Whether to emit the last items once more when n8n has been restarted, in case it was killed before it could start the workflow with them. They carry event.again = true and the other event details, to tell doubles by.',
			},
			fields.startFrom.property,
			systemOption,
			{ ...unitFilterNameOption, displayOptions: shownForBookings },
		],
	},
];

/** 'Time Before Start' or 'Time After End', and its unit. */
function distance(
	event: TriggerEvent,
	displayName: string,
	amount: number,
	description: string,
): INodeProperties[] {
	const displayOptions = { show: { event: [event] } };
	return [
		{
			displayName,
			name: 'distance',
			type: 'number',
			typeOptions: { minValue: 0 },
			default: amount,
			required: true,
			description,
			displayOptions,
		},
		{
			displayName: 'Unit',
			name: 'distanceUnit',
			type: 'options',
			options: [
				{ name: 'Days', value: 'days', description: 'Of 24 hours' },
				{ name: 'Hours', value: 'hours' },
				{ name: 'Minutes', value: 'minutes' },
			],
			default: 'hours',
			description: 'What the time is measured in',
			displayOptions,
		},
	];
}

function eventsWhere(matches: (event: string) => boolean): string[] {
	return EVENTS.map(({ value }) => value).filter(matches);
}

/** 'Output' and 'Fields' once for each kind of record. */
function outputs(): INodeProperties[] {
	const shapes = new Map<OutputShape, string[]>();
	for (const { output, value } of EVENTS) shapes.set(output, [...(shapes.get(output) ?? []), value]);
	return [...shapes].flatMap(([shape, event]) =>
		outputProperties(shape).map((property) => ({
			...property,
			displayOptions: { show: { ...property.displayOptions?.show, event } },
		})),
	);
}
