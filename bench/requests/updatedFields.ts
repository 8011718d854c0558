import mapValues from 'lodash/mapValues.js';
import set from 'lodash/set.js';
import type { JsonObject } from '../../dev/n8nClient.ts';

const ID_TAIL = 12;

/** A GUID of its own for each item. */
export function guidOf(item: number): string {
	return `3f2504e0-4f89-41d3-9a0c-${String(item).padStart(ID_TAIL, '0')}`;
}

/**
 * The 20 fields of a web booking that are updated, by the collection of our form that they are in, '' for none, and the
 * parameter's name: the value for each item.
 */
const FIELDS: Record<string, Record<string, (item: number) => string | number | boolean>> = {
	'': {
		webBookingId: guidOf,
		timeSetDate: (item) => `2026-12-24T18:00:${10 + (item % 50)}Z`,
		guests: (item) => 1 + (item % 8),
	},
	details: {
		guestsChildren: (item) => item % 2,
		bookingStatus: () => 2,
		eventTag: () => 'wedding',
		lang: () => 'en',
		message: (item) => `Table ${item}, please`,
		isInquiry: () => false,
		isWaitList: () => false,
	},
	guest: {
		contactFname: () => 'Anna',
		contactLname: (item) => `Lind ${item}`,
		contactEmail: (item) => `anna${item}@example.com`,
		contactMobile: () => '+46 70 123 45 67',
		contactZipcode: () => '111 30',
		contactCity: () => 'Stockholm',
	},
	invoice: { payMethod: () => 'Invoice', invoiceMarking: (item) => `Project ${item}` },
	messages: { logMessage: () => 'Changed on the phone', disableSmsConfirmationMessage: () => true },
};

/** Where each parameter stands in the body. */
const PATHS = Object.values(FIELDS)
	.flatMap(Object.keys)
	.map((name): [name: string, path: string] => [
		name,
		name
			.replace('webBookingId', 'bookingGuid')
			.replace(/^contact(.)/, (_, first: string) => `contact.${first.toLowerCase()}`),
	]);

/** An input item that holds all 20 values, by parameter name. */
export function itemWithFields(item: number): JsonObject {
	return Object.assign({}, ...Object.values(FIELDS).map((own) => mapValues(own, (value) => value(item))));
}

/** Our form, filled in. @param valueOf gives what is typed into a field */
export function filledForm(valueOf: (name: string) => unknown): JsonObject {
	const groups = mapValues(FIELDS, (own) => mapValues(own, (_, name) => valueOf(name)));
	const { '': { webBookingId, ...open } = {}, ...collections } = groups;
	return {
		times: {},
		webBookingId: { __rl: true, mode: 'id', value: webBookingId },
		...open,
		...collections,
	};
}

/** The rows of HTTP Request's 'Body Parameters', filled in; a dot in a name makes an object. */
export function bodyParameters(valueOf: (name: string) => unknown): JsonObject {
	const rows = PATHS.map(([name, path]) => ({ name: path, value: valueOf(name) }));
	// The service wants the times as well, if only an empty list.
	return { parameters: [...rows, { name: 'times', value: '={{ [] }}' }] };
}

/** The body as one text. @param valueOf gives the text of a value */
export function bodyText(valueOf: (name: string) => string): string {
	const body = { times: [] };
	for (const [name, path] of PATHS) set(body, path, `:${name}`);
	return JSON.stringify(body, null, '\t').replaceAll(/":(\w+)"/g, (_, name: string) => valueOf(name));
}
