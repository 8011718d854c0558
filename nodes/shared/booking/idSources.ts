const BOOKINGS = "'Get Many' of bookings";
const RAW_BOOKING = `a Raw booking, see ${BOOKINGS}`;
const WITH_TABLES = `${RAW_BOOKING} with 'Table Articles' under 'Include'`;
const CUSTOMERS = "It is 'id' in the output of 'Get Many' of customers";
const RECIPIENTS = "the output of 'Get Many' of survey recipients";
const NO_RESPONSE =
	'No response of the API has it: ask whoever runs the service, or look in its own program';

/** Where a person finds an ID, by the field that asks for it, as displayed. @see contract/openapi.yaml */
const SOURCES: Readonly<Record<string, string>> = {
	'Article Category IDs': NO_RESPONSE,
	'Article Group ID': `It is 'articleGroupId' in 'articles' of ${WITH_TABLES}; or choose it from the list`,
	'Article ID': NO_RESPONSE,
	'Booking Number, Else Root ID': `Choose the booking from the list or by its number; its root ID is 'bookingRootId' under 'Selected Fields' of ${BOOKINGS}`,
	'Booking Status Name or ID': `It is 'status' in the output of ${BOOKINGS}`,
	'Brand ID': NO_RESPONSE,
	'Campaign ID': NO_RESPONSE,
	'Campaign ID in Body': "It is the same as 'Campaign ID'",
	'Central ID': NO_RESPONSE,
	'Charge ID': `It is 'chargeId' of ${RAW_BOOKING}; the payment provider gives it`,
	'Company ID': NO_RESPONSE,
	'Connection ID': NO_RESPONSE,
	'Contact Filter ID': NO_RESPONSE,
	'Container ID': NO_RESPONSE,
	'Contact ID': `It is 'contactId' under 'Selected Fields' of ${BOOKINGS}, and 'contact.id' of a Raw booking`,
	Customer: CUSTOMERS,
	'Customer Friendly ID': `It is 'customerFriendlyId' of ${RAW_BOOKING}`,
	'Customer ID': CUSTOMERS,
	'Department ID': NO_RESPONSE,
	'Entity ID': NO_RESPONSE,
	'Guest ID': NO_RESPONSE,
	/** Of a campaign's tier, reward or voucher. */
	ID: NO_RESPONSE,
	'Rule ID': `It is 'ruleId' in 'articles' of ${WITH_TABLES}; or choose it from the list`,
	'Section ID': `It is 'sectionId' in 'articles' of ${WITH_TABLES}`,
	'Status Names or IDs': `It is 'status' in the output of ${BOOKINGS}`,
	'Subscription Plan ID': NO_RESPONSE,
	'Survey ID': `It is 'surveyId' in ${RECIPIENTS}`,
	'Survey Recipient': `It is 'id' in ${RECIPIENTS}`,
	'Table Article IDs': `See 'articles' of ${WITH_TABLES}; the API does not say which of the IDs there is meant`,
	'Temporary ID': NO_RESPONSE,
	'Unit IDs': `It is 'unitId' of ${RAW_BOOKING}`,
	'Booking Number or GUID': `It is 'guid' in the output of ${BOOKINGS}; for a booking number choose 'By Number'`,
};

/** @returns the sentence that says where the ID for a field is found; undefined for a field that takes none */
export function sourceOfId(displayName: string): string | undefined {
	return Object.hasOwn(SOURCES, displayName) ? SOURCES[displayName] : undefined;
}
