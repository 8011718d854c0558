import type { INodeProperties } from 'n8n-workflow';

import { type Field, dateTime, decimal, integer, integerList } from '../shared/operation/fields';
import { unitFilterNameOption } from '../shared/booking/filterNames';
import { customerLocator, surveyLocator } from '../shared/booking/locators';
import { extraRequestOptions, systemOption } from '../shared/operation/options';
import { outputProperties } from '../shared/operation/output';
import type { OutputShape } from '../shared/booking/recordShape';
import { webBookingIncludes } from '../shared/booking/records/webBooking';
import { EVENTS } from './events';

export const DEFAULT_OVERLAP_MINUTES = 2;
export const DEFAULT_MAX_ITEMS = 500;

const bookingEvents = eventsWhere((event) => event.startsWith('booking'));
const shownForBookings = { show: { '/event': bookingEvents } };

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
	startFrom: dateTime('Start From', 'startFrom', {
		description:
			'Emit what happened from this time on when the trigger starts for the first time, instead of only what comes after. Has no effect later on.',
	}),
	overlap: decimal('Overlap (Minutes)', 'overlap', {
		default: DEFAULT_OVERLAP_MINUTES,
		typeOptions: { minValue: 0, numberPrecision: 2 },
		description:
			'How far each poll looks back, for changes that the service shows late. What was emitted is not emitted again. Raise it if the service needs longer; each poll then fetches more.',
	}),
	maxItems: integer('Max Items per Poll', 'maxItems', {
		default: DEFAULT_MAX_ITEMS,
		typeOptions: { minValue: 1 },
		description: 'The oldest go out first, the rest with the next polls',
	}),
} satisfies Record<string, Field>;

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
	{
		displayName: 'Include',
		name: 'include',
		type: 'multiOptions',
		options: webBookingIncludes,
		default: ['includeContact'],
		description: 'Related data to return with each booking. Less is faster.',
		displayOptions: { show: { event: bookingEvents } },
	},
	...outputs(),
	{
		displayName: 'Filters',
		name: 'filters',
		type: 'collection',
		placeholder: 'Add Filter',
		default: {},
		description: 'A record is judged as it is when the trigger sees it first',
		displayOptions: { show: { event: [...bookingEvents, 'surveyAnswered'] } },
		options: [
			{ ...customerLocator, displayOptions: shownForBookings },
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
		],
	},
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add Option',
		default: {},
		options: [
			{
				displayName: 'Catch Up',
				name: 'catchUp',
				type: 'boolean',
				default: true,
				description: 'Whether to emit, when the workflow is published again, what happened while it was not',
			},
			...extraRequestOptions,
			fields.maxItems.property,
			fields.overlap.property,
			fields.startFrom.property,
			systemOption,
			{ ...unitFilterNameOption, displayOptions: shownForBookings },
		],
	},
];

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
