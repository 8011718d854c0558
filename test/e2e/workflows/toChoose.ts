const MAIL = ['fromEmail', 'toEmail'];

/** What a person has to enter besides credentials, by workflow and node: n8n marks it, and the note on the canvas says so. */
export const TO_CHOOSE: Record<string, Record<string, string[]>> = {
	'arrivals-every-morning': { 'Email the kitchen': MAIL },
	'bookings-in-google-sheets': { 'Save or update its line': ['documentId'] },
	'canceled-booking-offer-table': { 'Post it in the channel': ['url'] },
	'closing-time-check-out': { 'Email what happened': MAIL },
	deposits: { 'Email the manager': MAIL },
	'fill-or-repair-a-table': { 'Get the bookings since': ['changedFrom'] },
	'kitchen-and-covers': { 'Email the kitchen': MAIL },
	'new-booking-to-email-and-row': { 'Email the kitchen': MAIL },
	'one-tap-answers': { 'Ask the guest': ['fromEmail'], 'Tell the guest': ['fromEmail'] },
	'price-list-to-articles': {
		'Email the result': MAIL,
		'Update 50 articles per call': ['companyId', 'brandId'],
	},
	'reminder-and-review-request': { 'Write to the guest': ['fromEmail'] },
	'several-restaurants': { 'Email the manager': MAIL },
	'subscription-check': { 'Email the manager': MAIL, 'Get the subscription': ['id'] },
	'survey-answers-and-alert': { 'Alert the manager': MAIL },
	'tell-me-when-something-fails': { 'Email me': MAIL },
};
