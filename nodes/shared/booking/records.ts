import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { callOf } from '../contract/calls';
import { isRecord } from '../values/record';
import { type OutputShape, valueAt, wordsAt } from '../values/recordShape';

/** @see contract/openapi.yaml WebBooking */
export const webBookings: OutputShape = {
	kind: 'list',
	schema: 'WebBooking',
	simplified: {
		bookingNumber: 'globalBookingNumber',
		start: 'start',
		end: 'end',
		guests: 'guests',
		guestName: (booking) => wordsAt(booking, 'contact.fname', 'contact.lname'),
		statusName: statusNameOf,
		message: 'message',
		phone: (booking) => valueAt(booking, 'contact.mobile') || valueAt(booking, 'contact.phone'),
		email: 'contact.email',
		guid: 'guid',
	},
};

/** @see contract/openapi.yaml CustomerListItem */
export const customers: OutputShape = {
	kind: 'list',
	schema: 'CustomerListItem',
	simplified: {
		name: 'name',
		customerNumber: 'customerNumber',
		email: 'email',
		phone: 'phone',
		streetaddress: 'streetaddress',
		zipcode: 'zipcode',
		city: 'city',
		orgNr: 'orgNr',
		lastChangedUtc: 'lastChangedUtc',
		id: 'id',
	},
};

/** @see contract/openapi.yaml SurveyRecipient */
export const surveyRecipients: OutputShape = {
	kind: 'list',
	schema: 'SurveyRecipient',
	simplified: {
		name: 'name',
		status: (recipient) => recipientStatusName(recipient, 'status'),
		respondedTime: 'respondedTime',
		openedTime: 'openedTime',
		sentTime: 'sentTime',
		emailAddress: 'emailAddress',
		mobilePhone: 'mobilePhone',
		ref: 'ref',
		surveyId: 'surveyId',
		id: 'id',
	},
};

/** @returns the status by its name; a value without a name as it is */
export function recipientStatusName(record: IDataObject, at: string): unknown {
	const status = valueAt(record, at);
	const { codes = [] } = callOf('surveyRecipient.getAll').query.properties?.status?.items ?? {};
	return codes.find(({ value }) => value === status)?.name ?? status;
}

/**
 * @param record with a SurveyContent in `content`
 * @returns the titles of all questions, in order
 */
export function questionTitles({ content }: IDataObject): string[] {
	const inside = (parents: unknown[], name: string) =>
		parents
			.filter(isRecord)
			.flatMap((parent) => (Array.isArray(parent[name]) ? parent[name] : []) as unknown[]);
	return inside(inside(inside([content], 'pages'), 'sections'), 'questions')
		.filter(isRecord)
		.map(({ title }) => String(title ?? ''));
}

const includes = [
	{ name: 'Customer', value: 'includeCustomer' },
	{ name: 'Guest (Contact)', value: 'includeContact' },
	{ name: 'Internal Contact', value: 'includeInternalContact' },
	{ name: 'Markings', value: 'includeMarkings' },
	{ name: 'Other Articles', value: 'includeNonTableArticles' },
	{ name: 'Payment Method', value: 'includePayMethod' },
	{ name: 'Table Articles', value: 'includeTableArticles' },
];

export const includeNames = includes.map(({ value }) => value);

/**
 * Related data that the service leaves out unless asked.
 *
 * @see contract/openapi.yaml webBooking.getAll
 */
export const includeProperty: INodeProperties = {
	displayName: 'Include',
	name: 'include',
	type: 'multiOptions',
	options: includes,
	default: ['includeContact'],
	description: 'Related data to return with each booking. Less is faster.',
};

/** A web booking as the service returns it. */
export type Booking = Readonly<Record<string, unknown>>;

/**
 * The statuses that a booking has had, oldest first. The documents do not say which way the list runs. The entry made
 * with the booking tells; dates alone do not, because local times go back when daylight saving ends.
 *
 * @returns entries `{changeDate, status, statusName}` as the service returns them; none without a history
 * @see contract/openapi.yaml WebBooking
 */
export function historyOf(booking: Booking): Booking[] {
	const list = Array.isArray(booking.history) ? booking.history.filter(isRecord) : [];
	const [first, last] = [list[0]?.changeDate, list.at(-1)?.changeDate];
	if (first === booking.createdDate || typeof first !== 'string' || typeof last !== 'string') return list;
	return last === booking.createdDate || first > last ? list.reverse() : list;
}

/** @returns the status that a booking has now. The service lists two fields of this name, `history` only one. */
export function statusOf(booking: Booking): unknown {
	const last = historyOf(booking).at(-1);
	return last ? last.status : booking.status;
}

/** @returns the name of the status that a booking has now, null without a history: only it holds names. */
function statusNameOf(booking: Booking): string | null {
	const name = historyOf(booking).at(-1)?.statusName;
	return typeof name === 'string' && name !== '' ? name : null;
}
