import type { JsonObject } from '../../harness/n8nClient.ts';

interface UpdatedField {
	/** Where it stands in the body. */
	at: string;
	/** The collection of our form that it is in, if any, and its parameter's name. */
	group?: string;
	name: string;
	value: (item: number) => string | number | boolean;
}

const ID_TAIL = 12;

/** A GUID of its own for each item. */
export function guidOf(item: number): string {
	return `3f2504e0-4f89-41d3-9a0c-${String(item).padStart(ID_TAIL, '0')}`;
}

/** The 20 fields of a web booking that are updated; `times`, which the service wants as well, stays an empty list. */
const UPDATED_FIELDS: readonly UpdatedField[] = [
	{ at: 'bookingGuid', name: 'webBookingId', value: guidOf },
	{ at: 'timeSetDate', name: 'timeSetDate', value: (item) => `2026-12-24T18:00:${10 + (item % 50)}Z` },
	{ at: 'guests', name: 'guests', value: (item) => 1 + (item % 8) },
	{ at: 'guestsChildren', group: 'details', name: 'guestsChildren', value: (item) => item % 2 },
	{ at: 'bookingStatus', group: 'details', name: 'bookingStatus', value: () => 2 },
	{ at: 'eventTag', group: 'details', name: 'eventTag', value: () => 'wedding' },
	{ at: 'lang', group: 'details', name: 'lang', value: () => 'en' },
	{ at: 'message', group: 'details', name: 'message', value: (item) => `Table ${item}, please` },
	{ at: 'isInquiry', group: 'details', name: 'isInquiry', value: () => false },
	{ at: 'isWaitList', group: 'details', name: 'isWaitList', value: () => false },
	{ at: 'contact.fname', group: 'guest', name: 'contactFname', value: () => 'Anna' },
	{ at: 'contact.lname', group: 'guest', name: 'contactLname', value: (item) => `Lind ${item}` },
	{ at: 'contact.email', group: 'guest', name: 'contactEmail', value: (item) => `anna${item}@example.com` },
	{ at: 'contact.mobile', group: 'guest', name: 'contactMobile', value: () => '+46 70 123 45 67' },
	{ at: 'contact.zipcode', group: 'guest', name: 'contactZipcode', value: () => '111 30' },
	{ at: 'contact.city', group: 'guest', name: 'contactCity', value: () => 'Stockholm' },
	{ at: 'payMethod', group: 'invoice', name: 'payMethod', value: () => 'Invoice' },
	{ at: 'invoiceMarking', group: 'invoice', name: 'invoiceMarking', value: (item) => `Project ${item}` },
	{ at: 'logMessage', group: 'messages', name: 'logMessage', value: () => 'Changed on the phone' },
	{
		at: 'disableSmsConfirmationMessage',
		group: 'messages',
		name: 'disableSmsConfirmationMessage',
		value: () => true,
	},
];

/** An input item that holds all 20 values, by parameter name. */
export function itemWithFields(item: number): JsonObject {
	return Object.fromEntries(UPDATED_FIELDS.map(({ name, value }) => [name, value(item)]));
}

/** Our form, filled in. @param valueOf gives what is typed into a field */
export function filledForm(valueOf: (field: UpdatedField) => unknown): JsonObject {
	const form: Record<string, unknown> = { times: {} };
	for (const field of UPDATED_FIELDS) {
		const { group, name, at } = field;
		const value = at === 'bookingGuid' ? { __rl: true, mode: 'id', value: valueOf(field) } : valueOf(field);
		if (group === undefined) form[name] = value;
		else form[group] = { ...(form[group] as JsonObject | undefined), [name]: value };
	}
	return form;
}

/** The rows of HTTP Request's 'Body Parameters', filled in; a dot in a name makes an object. */
export function bodyParameters(valueOf: (field: UpdatedField) => unknown): JsonObject {
	const rows = UPDATED_FIELDS.map((field) => ({ name: field.at, value: valueOf(field) }));
	return { parameters: [...rows, { name: 'times', value: '={{ [] }}' }] };
}

/**
 * The body as one text. @param valueOf gives the text of a value
 */
export function bodyText(valueOf: (field: UpdatedField) => string): string {
	const own = UPDATED_FIELDS.filter(({ at }) => !at.includes('.'));
	const guest = UPDATED_FIELDS.filter(({ at }) => at.startsWith('contact.'));
	const lines = (fields: readonly UpdatedField[]) =>
		fields.map((field) => `"${field.at.replace('contact.', '')}": ${valueOf(field)}`).join(',\n');
	return `{\n${lines(own)},\n"times": [],\n"contact": {\n${lines(guest)}\n}\n}`;
}
