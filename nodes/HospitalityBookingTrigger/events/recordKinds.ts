import { type BookingFilters, matchesFilters } from '../../shared/booking/filters';
import type { OutputShape } from '../../shared/output/recordShape';
import { customers, listedWebBookings, surveyRecipients } from '../../shared/booking/outputColumns';
import { historyOf, stateOf } from '../../shared/booking/states';
import { asText } from '../../shared/values/asText';
import { SECOND, readMoment } from '../../shared/values/timestamp';
import type { Facts, Observed, Query, ServiceRecord } from './rule';

/** Two timestamps of one write may differ by so much. */
export const SAME_WRITE_MS = 2 * SECOND;
/** Status "Responded" of the recipient status table. @see contract/openapi.yaml surveyRecipient.getAll */
const RESPONDED = 4;

/** Of bookings, but for the survey. */
export interface Filters extends BookingFilters {
	unitIds?: number[];
	/** Only answers to this survey. */
	surveyId?: string;
}

/** What a form and its credential choose besides the event. */
export interface Choice {
	/** IANA name of the credential's Time Zone. */
	zone: string;
	filters: Filters;
	/** Name of the query parameter for units. */
	unitParameter: string;
	/** Names of the query parameters for related data. */
	include: readonly string[];
	/** Whether each item says what has changed, for the events that support it. */
	whatChanged: boolean;
	/** How far each poll looks back, in milliseconds. */
	overlapMs: number;
	/** Milliseconds before a start or after an end; 0 or more. */
	distanceMs: number;
}

/** The records of a kind, and how the service lists them. */
export interface Kind {
	/** For people, e.g. `web booking`. */
	name: string;
	output: OutputShape;
	path: string;
	/** The field with a record's ID. */
	idName: string;
	isId: (id: unknown) => boolean;
	/** IANA name, if times without an offset are not in the credential's zone. */
	zone?: string;
	changedAfter: (from: string, choice: Choice) => Query;
	/** Whether every list is of all records, whatever it is asked for. */
	listsAll?: true;
	during?: (from: string, to: string, choice: Choice, withRelated: boolean) => Query;
	/** @returns undefined for a record that is none of this kind */
	factsOf: (record: ServiceRecord, zone: string) => Facts | undefined;
	passesFilters?: (record: ServiceRecord, choice: Choice) => boolean;
}

/** @see contract/openapi.yaml webBooking.getAll */
export const bookings: Kind = {
	name: 'web booking',
	output: listedWebBookings,
	path: '/api/booking/v1/WebBooking/WebBookings',
	idName: 'guid',
	isId: isText,
	changedAfter: (changedFrom, choice) => bookingQuery({ changedFrom }, choice, choice.include),
	during: (startTime, endTime, choice, withRelated) => {
		const include = withRelated ? choice.include : [];
		return bookingQuery({ startTime, endTime }, choice, include);
	},
	factsOf: (record, zone) => {
		const created = readMoment(record.createdDate, zone);
		let changed = readMoment(record.changeDate, zone);
		if (changed === null) changed = created;
		return { record, created, changed };
	},
	passesFilters: (record, choice) => matchesFilters(record, choice.filters),
};

/**
 * They carry no date of creation; `lastChangedUtc` is UTC, with or without an offset.
 * @see contract/openapi.yaml customer.getAll
 */
export const customerRecords: Kind = {
	name: 'customer',
	output: customers,
	path: '/api/booking/v1/booking/customers',
	idName: 'id',
	// One that is longer than a number counts exactly comes as a text.
	isId: (id) => /^\d+$/.test(asText(id)),
	zone: 'UTC',
	changedAfter: (changedFromUtc) => ({ changedFromUtc }),
	factsOf: (record, zone) => ({
		record,
		created: null,
		changed: readMoment(record.lastChangedUtc, zone),
	}),
};

/** The service cannot list changes after a moment: every poll lists all answers. @see contract/openapi.yaml surveyRecipient.getAll */
export const recipients: Kind = {
	name: 'survey recipient',
	output: surveyRecipients,
	path: '/api/booking/v1/Survey/Recipients',
	idName: 'id',
	isId: isText,
	changedAfter: (_from, choice) => {
		const query: Query = { status: [RESPONDED] };
		const survey = choice.filters.surveyId;
		if (survey !== undefined) query.surveyId = survey;
		return query;
	},
	factsOf: (record, zone) => {
		if (record.status !== RESPONDED) return undefined;
		return { record, created: null, changed: readMoment(record.respondedTime, zone) };
	},
	listsAll: true,
};

/** Whether a booking is as it was made: its dates of change and of creation are of one write, and it has had one status. */
export function isUnchangedSinceCreation(observed: Observed): boolean {
	const { changed, created, record } = observed;
	if (!changed || !created) return false;
	// Without a change date, the one of creation is both.
	if (changed === created) return true;
	if (historyOf(record).length > 1) return false;
	const { changedAtLatest, madeAtLatest = 0 } = observed;
	// A local time may occur twice.
	return (
		isSameWrite(changed.ms, created.ms) ||
		isSameWrite(changed.ms, madeAtLatest) ||
		isSameWrite(changedAtLatest, created.ms)
	);
}

function isSameWrite(ms: number, otherMs: number): boolean {
	return Math.abs(ms - otherMs) <= SAME_WRITE_MS;
}

/** Whether guests are expected no more, as far as the credential says so; a filter that names such a state decides by itself. */
export function isCanceledOrNoShow(record: ServiceRecord, { filters }: Choice): boolean {
	const { states = [], statuses = [], statusRoles = {} } = filters;
	const isFiltered = states.length > 0 || statuses.length > 0;
	if (isFiltered) return false;
	const state = stateOf(record, statusRoles);
	return state === 'canceled' || state === 'noShow';
}

/** Adds to the times of a query what the form chooses. */
function bookingQuery(query: Query, choice: Choice, include: readonly string[]): Query {
	const { unitIds = [], customerId } = choice.filters;
	if (unitIds.length > 0) query[choice.unitParameter] = unitIds;
	for (const flag of include) query[flag] = true;
	if (customerId !== undefined) query.includeCustomer = true;
	return query;
}

function isText(id: unknown): boolean {
	return typeof id === 'string' && id !== '';
}
