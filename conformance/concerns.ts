import type { Difference } from './shape.ts';

/** What of this package rests on each operation, in the words of its forms. */
const USED_BY: Record<string, string> = {
	'token.issue': 'the credential Hospitality Booking API',
	'webBooking.getAll':
		'Web Booking → Get Many, the list of bookings to choose from, all booking events of the trigger',
	'customer.getAll':
		'Customer → Get Many, the list of customers, Customer Created, Customer Created or Updated',
	'surveyRecipient.getAll': 'Survey Recipient → Get Many, the list of recipients, Survey Answered',
	'surveyRecipient.getWithSurvey': 'Survey Recipient → Get With Survey, the list of surveys',
	'customer.authenticate': 'the credential Hospitality Payment API, Customer → Authenticate',
	'subscription.get': 'Subscription → Get',
	'webBooking.update': 'Web Booking → Update',
	'department.update': 'Department → Update',
};

/** Fields that more than the output rests on. */
const RESTS_ON: Array<[operation: string, path: RegExp, concern: string]> = [
	['webBooking.getAll', /^\[\]\.(changeDate|createdDate)$/, 'the trigger: what is new and what has changed'],
	[
		'webBooking.getAll',
		/^\[\]\.guid$/,
		"'Web Booking' of Update, Cancel and Update Payment; the trigger's event.id",
	],
	['webBooking.getAll', /^\[\]\.(start|end)$/, 'Booking Starting Soon and Booking Ended'],
	['webBooking.getAll', /^\[\]\.(history|status)/, 'status names, Booking Status Changed'],
	['webBooking.getAll', /^\[\]\.unitId$/, "the filter 'Unit IDs'"],
	['customer.getAll', /^\[\]\.(id|lastChangedUtc)$/, 'Customer Created, Customer Created or Updated'],
	['surveyRecipient.getAll', /^\[\]\.(id|status|respondedTime)$/, 'Survey Answered'],
	['token.issue', /^expires_in$/, 'when a token is replaced'],
	['token.issue', /^access_token$/, 'every call'],
];

/** @returns which operation, option or setting of the package a difference concerns */
export function concernOf(operation: string, { path, kind, what }: Difference): string {
	const special = RESTS_ON.find(([of, pattern]) => of === operation && pattern.test(path))?.[2];
	const setting = kind === 'value' && what.includes('date-time') ? "the credential's 'Time Zone'" : undefined;
	return [special, setting, `output of ${usedBy(operation)}`].filter(Boolean).join('; ');
}

/** @returns where the package uses an operation */
export function usedBy(operation: string): string {
	return USED_BY[operation] ?? operation;
}
