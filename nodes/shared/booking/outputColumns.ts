/**
 * The columns of Simplified and Selected Fields, by kind of record: bookings, customers and survey recipients. Those of other records stand in
 * their operation, under `output`; `bookingValues.ts` computes what a booking does not have as a field.
 */
import castArray from 'lodash/castArray';
import get from 'lodash/get';

import { callOf } from '../contract/calls';
import { type OutputShape, messageAt, textAt, timeAt } from '../output/recordShape';
import type { RecordView } from '../output/recordView';
import { asText } from '../values/asText';
import { isRecord } from '../values/record';
import {
	bookedNames,
	bookingRootId,
	phoneLink,
	startDate,
	startTime,
	statusName,
	tableNames,
	when,
	whenForGuest,
} from './bookingValues';
import { stateOf } from './states';

/** A web booking in the response to a change. @see contract/openapi.yaml WebBooking */
export const webBookings: OutputShape = {
	schema: 'WebBooking',
	id: 'guid',
	simplified: {
		date: startDate,
		time: startTime,
		when,
		guestName: (booking) => booking.wordsAt('contact.fname', 'contact.lname'),
		guests: 'guests',
		children: 'guestsChildren',
		tables: tableNames,
		booked: bookedNames,
		message: messageAt('message'),
		status: statusName,
		state: ({ record, context }) => stateOf(record, context.statusRoles),
		guestPhone: textAt('contact.mobile', 'contact.phone'),
		phoneLink,
		guestEmail: textAt('contact.email'),
		bookingNumber: 'globalBookingNumber',
		start: timeAt('start'),
		end: timeAt('end'),
		guid: 'guid',
	},
	computed: {
		whenForGuest,
		guestFirstName: textAt('contact.fname'),
		contactId: 'contact.id',
		customerId: 'customer.id',
		customerName: textAt('customer.name'),
		payMethodName: textAt('payMethod.name'),
		bookingRootId,
	},
};

const CONTACT = ['includeContact'];
const CUSTOMER = ['includeCustomer'];
const TABLES = ['includeTableArticles'];
const OTHER_ARTICLES = ['includeNonTableArticles'];
const PAY_METHOD = ['includePayMethod'];

/** A web booking in a list, which holds what it is asked for. @see contract/openapi.yaml webBooking.getAll */
export const listedWebBookings: OutputShape = {
	...webBookings,
	related: {
		field: {
			displayName: 'Include',
			path: 'include',
			anyOf: [
				{ name: 'Customer', value: 'includeCustomer' },
				{ name: 'Guest (Contact)', value: 'includeContact' },
				{ name: 'Internal Contact', value: 'includeInternalContact' },
				{ name: 'Markings', value: 'includeMarkings' },
				{ name: 'Other Articles', value: 'includeNonTableArticles' },
				{ name: 'Payment Method', value: 'includePayMethod' },
				{ name: 'Table Articles', value: 'includeTableArticles' },
			],
			default: ['includeContact', 'includeTableArticles'],
			description: 'Related data to return with each booking. Less is faster.',
		},
		neededBy: {
			articles: TABLES,
			booked: [...TABLES, ...OTHER_ARTICLES],
			contact: CONTACT,
			contactId: CONTACT,
			customer: CUSTOMER,
			customerId: CUSTOMER,
			customerName: CUSTOMER,
			guestEmail: CONTACT,
			guestFirstName: CONTACT,
			guestName: CONTACT,
			guestPhone: CONTACT,
			internalContactName: ['includeInternalContact'],
			markings: ['includeMarkings'],
			nonTableArticles: OTHER_ARTICLES,
			payMethod: PAY_METHOD,
			payMethodName: PAY_METHOD,
			phoneLink: CONTACT,
			tables: TABLES,
		},
	},
};

/** @see contract/openapi.yaml CustomerListItem */
export const customers: OutputShape = {
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
		lastChanged: timeAt('lastChangedUtc'),
		id: 'id',
	},
};

/** @see contract/openapi.yaml SurveyRecipient */
export const surveyRecipients: OutputShape = {
	schema: 'SurveyRecipient',
	simplified: {
		name: textAt('name'),
		statusName: recipientStatusName('status'),
		respondedTime: timeAt('respondedTime'),
		openedTime: timeAt('openedTime'),
		sentTime: timeAt('sentTime'),
		email: textAt('emailAddress'),
		phone: textAt('mobilePhone'),
		ref: 'ref',
		surveyId: 'surveyId',
		id: 'id',
	},
};

/** The statuses of a survey recipient by name. @see contract/openapi.yaml surveyRecipient.getAll */
export const recipientStatuses =
	callOf('surveyRecipient.getAll').query.properties?.status?.items?.codes ?? [];

/** @returns what finds the name of a recipient's status; the value itself if it has none */
export function recipientStatusName(path: string) {
	return (response: RecordView): unknown => {
		const status = response.valueAt(path);
		const known = recipientStatuses.find(({ value }) => value === status);
		return known?.name ?? status;
	};
}

/** @returns the titles of all questions of the SurveyContent in `content`, in order */
export function questionTitles({ record: { content } }: RecordView): string[] {
	const pages = entriesIn([content], 'pages');
	const questions = entriesIn(entriesIn(pages, 'sections'), 'questions');
	const records = questions.filter(isRecord);
	return records.map(({ title }) => asText(title ?? ''));
}

/** @returns the entries of a list that each of the parents has */
function entriesIn(parents: readonly unknown[], list: string) {
	return parents.flatMap((parent) => {
		const entries: unknown = get(parent, list, []);
		return castArray(entries);
	});
}
