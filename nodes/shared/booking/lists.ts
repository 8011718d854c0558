import type {
	IDataObject,
	ILoadOptionsFunctions,
	INodeListSearchItems,
	INodeListSearchResult,
} from 'n8n-workflow';

import castArray from 'lodash/castArray';
import map from 'lodash/map';

import { type OutputShape, simplifiedShaper, textAt } from '../output/recordShape';
import { asText } from '../values/asText';
import { isBlank } from '../values/blank';
import { dayIn } from '../values/dateTime';
import { uniqueBy } from '../values/keys';
import { isRecord } from '../values/record';
import { compareNames, comparable } from '../values/text';
import { rootIdsOf } from './bookingNumbers';
import { callForList, daysFromNow, entryName } from './listCall';
import {
	PeopleSearch,
	type Person,
	contactAsPerson,
	customerAsPerson,
	guestOf,
	recipientAsPerson,
} from './peopleSearch';
import { recentlyChanged } from './recentNames';
import { customers, surveyRecipients, webBookings } from './outputColumns';

/** More entries than a person scrolls through; typing finds the others. */
const MOST_ENTRIES = 200;
/** Bookings to choose from, in days from now. */
const DAYS_BACK = 2;
const DAYS_AHEAD = 90;

/** A list of records to choose from, made by one call. */
interface RecordList {
	/** `operationId` in contract/openapi.yaml */
	operation: string;
	shape: OutputShape;
	/** What an entry says, from the simplified record. */
	wordsOf: (simplified: IDataObject) => unknown[];
	personOf: (record: IDataObject) => Person;
	/** What is listed of each record; by default itself. */
	partsOf?: (record: IDataObject) => unknown[];
	/** What is asked for, for a house in a time zone. */
	queryIn?: (timeZone: string) => IDataObject;
}

/** @returns a node's method that fills a list */
function searchOf(list: RecordList) {
	return async function (
		this: ILoadOptionsFunctions,
		filter?: string,
	): Promise<INodeListSearchResult> {
		const found = await findInList(this, filter, list);
		return { results: map(found, 'entry').slice(0, MOST_ENTRIES) };
	};
}

const WEB_BOOKINGS = {
	operation: 'webBooking.getAll',
	shape: webBookings,
	wordsOf: wordsOfBooking,
	personOf: guestOf,
};

/** Web bookings from the last days to the coming months, by their start. @see contract/openapi.yaml webBooking.getAll */
export const searchWebBookings = searchOf({
	...WEB_BOOKINGS,
	queryIn: (timeZone) => ({
		startTime: daysFromNow(-DAYS_BACK, timeZone),
		endTime: daysFromNow(DAYS_AHEAD, timeZone),
		includeContact: true,
	}),
});

const BOOKINGS_OF_TODAY: RecordList = {
	...WEB_BOOKINGS,
	queryIn: (timeZone) => {
		const today = dayIn(timeZone, new Date().toISOString());
		return { ...today, includeContact: true };
	},
};

/**
 * Today's bookings that the checkout has a number for, by their start. The last entry counts those that have none yet.
 * @see contract/openapi.yaml webBooking.getAll
 */
export async function searchCheckoutBookings(
	this: ILoadOptionsFunctions,
	filter?: string,
): Promise<INodeListSearchResult> {
	const results: INodeListSearchItems[] = [];
	let withoutNumber = 0;
	for (const { entry, record } of await findInList(this, filter, BOOKINGS_OF_TODAY)) {
		const { name } = entry;
		const rootIds = rootIdsOf(record.paymentEvents);
		if (rootIds.length === 0) withoutNumber++;
		for (const value of rootIds) results.push({ name, value });
	}
	if (withoutNumber > 0) {
		results.push({ name: `${withoutNumber} more have no checkout number yet`, value: '' });
	}
	return { results };
}

/** Customers by name. @see contract/openapi.yaml customer.getAll */
export const searchCustomers = searchOf({
	operation: 'customer.getAll',
	shape: customers,
	wordsOf: ({ name, city, customerNumber }) => [name, city, customerNumber],
	personOf: customerAsPerson,
});

/** Survey recipients by name. @see contract/openapi.yaml surveyRecipient.getAll */
export const searchSurveyRecipients = searchOf({
	operation: 'surveyRecipient.getAll',
	shape: surveyRecipients,
	wordsOf: ({ name, email, statusName, sentTime }) => {
		const sentOn = asText(sentTime ?? '').slice(0, 'yyyy-mm-dd'.length);
		return [name, email, statusName, sentOn];
	},
	personOf: recipientAsPerson,
});

/** The guests of recent bookings. @see contract/openapi.yaml Contact */
export const searchContacts = searchOf({
	operation: 'webBooking.getAll',
	queryIn: (timeZone) => ({ ...recentlyChanged(timeZone), includeContact: true }),
	partsOf: (booking) => [booking.contact],
	shape: {
		simplified: {
			name: (contact) => contact.wordsAt('fname', 'lname'),
			email: 'email',
			phone: textAt('mobile', 'phone'),
			id: 'id',
		},
	},
	wordsOf: ({ name, email, phone }) => [name, email, phone],
	personOf: contactAsPerson,
});

const GROUP = { articleGroupId: 'articleGroupId', articleGroupName: 'articleGroupName' };

const BOOKED_ARTICLES = {
	operation: 'webBooking.getAll',
	queryIn: (timeZone: string) => ({
		...recentlyChanged(timeZone),
		includeTableArticles: true,
		includeNonTableArticles: true,
	}),
	partsOf: (booking: IDataObject) => [booking.articles, booking.nonTableArticles].flat(),
	personOf: (article: IDataObject): Person => ({
		ids: [],
		names: [article.articleGroupName],
		phones: [],
	}),
};

/** The groups of the articles that recent bookings have. @see contract/openapi.yaml BookedArticle */
export const searchArticleGroups = searchOf({
	...BOOKED_ARTICLES,
	shape: { id: 'articleGroupId', simplified: GROUP },
	wordsOf: ({ articleGroupName, articleGroupId }) => [articleGroupName, articleGroupId],
});

/** The rules by which times of recent bookings were booked; they have no names. @see contract/openapi.yaml BookedArticle */
export const searchRules = searchOf({
	...BOOKED_ARTICLES,
	shape: { id: 'ruleId', simplified: { ...GROUP, ruleId: 'ruleId' } },
	wordsOf: ({ ruleId, articleGroupName }) => [`Rule ${asText(ruleId)}`, articleGroupName],
});

function wordsOfBooking(booking: IDataObject) {
	const { date, time, guests, status } = booking;
	return [
		!isBlank(date) && `${asText(date)} ${asText(time)}`,
		booking.guestName,
		typeof guests === 'number' && `${guests} ${guests === 1 ? 'guest' : 'guests'}`,
		booking.bookingNumber,
		typeof status === 'number' ? `Status ${status}` : status,
	];
}

interface FoundEntry {
	entry: INodeListSearchItems;
	record: IDataObject;
}

/**
 * @param filter what a person has typed: a part of an entry, or what {@link PeopleSearch} finds
 * @returns the entries for it, sorted by name, each once
 */
async function findInList(
	context: ILoadOptionsFunctions,
	filter = '',
	list: RecordList,
): Promise<FoundEntry[]> {
	const { shape, personOf, partsOf = castArray } = list;
	const { records, timeZone, language } = await callForList(context, list.operation, list.queryIn);
	const simplify = simplifiedShaper(shape, { timeZone, language, statusRoles: {} });
	const typed = comparable(filter);
	const search = new PeopleSearch(filter);
	const found: FoundEntry[] = [];
	const parts = records.flatMap(partsOf).filter(isRecord) as IDataObject[];
	for (const record of parts) {
		const id = record[shape.id ?? 'id'];
		if (isBlank(id)) continue;
		const value = asText(id);
		const words = list.wordsOf(simplify(record));
		const name = entryName(words) || value;
		const isPartOfEntry = [name, value].some((text) => comparable(text).includes(typed));
		if (isPartOfEntry || search.finds(personOf(record))) {
			found.push({ entry: { name, value }, record });
		}
	}
	const entries = uniqueBy(found, ({ entry }) => entry.value);
	return entries.sort(({ entry }, other) => compareNames(entry.name, other.entry.name));
}
