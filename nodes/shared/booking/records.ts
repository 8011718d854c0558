import type { IDataObject } from 'n8n-workflow';
import castArray from 'lodash/castArray';
import get from 'lodash/get';

import { callOf } from '../contract/calls';
import { isBlank } from '../values/blank';
import { isRecord } from '../values/record';
import { oneLine } from '../values/text';
import { type OutputShape, partAt, textAt, timeAt, valueAt, wordsAt } from '../output/recordShape';
import { currentStatus, stateOf } from './states';

/** @see contract/openapi.yaml WebBooking */
export const webBookings: OutputShape = {
	schema: 'WebBooking',
	id: 'guid',
	simplified: {
		date: partAt('start', 'date'),
		time: partAt('start', 'time'),
		guestName: (booking) => wordsAt(booking, 'contact.fname', 'contact.lname'),
		guests: 'guests',
		children: 'guestsChildren',
		tables: tablesOf,
		message: textAt('message'),
		status: (booking) => {
			const { status = null, name } = currentStatus(booking);
			return name === null ? status : oneLine(name);
		},
		state: (booking, { statusRoles }) => stateOf(booking, statusRoles),
		guestPhone: textAt('contact.mobile', 'contact.phone'),
		guestEmail: textAt('contact.email'),
		bookingNumber: 'globalBookingNumber',
		start: timeAt('start'),
		guid: 'guid',
	},
};

/** @returns the names of the tables, joined with commas; null where table articles are not included */
function tablesOf({ articles }: IDataObject): string | null {
	if (!Array.isArray(articles)) return null;
	const names = articles.filter(isRecord).map((article) => {
		const places = ['tableName', 'tableNumber', ...(article.isTable === true ? ['name'] : [])];
		return textAt(...places)(article as IDataObject);
	});
	return oneLine([...new Set(names)].filter((name) => !isBlank(name)).join(', '));
}

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
		statusName: (recipient) => recipientStatusName(recipient, 'status'),
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

/** @returns the name of the status; the value itself if it has none */
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
		parents.flatMap((parent): unknown[] => castArray(get(parent, name, [])));
	return inside(inside(inside([content], 'pages'), 'sections'), 'questions')
		.filter(isRecord)
		.map(({ title }) => String(title ?? ''));
}

/** Related data that the service leaves out unless asked. @see contract/openapi.yaml webBooking.getAll */
export const includeField = {
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
};
