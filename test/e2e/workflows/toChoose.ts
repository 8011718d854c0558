const TELL = { 'Tell me what failed': ['fromEmail', 'toEmail'] };
const KITCHEN = { ...TELL, 'Email the kitchen': ['toEmail'] };

/** What a person has to enter besides credentials, by workflow and node: n8n marks it, and the note on the canvas says so. */
export const TO_CHOOSE: Record<string, Record<string, string[]>> = {
	'arrivals-every-morning': KITCHEN,
	'booking-tools-for-ai-agents': {},
	'bookings-as-a-calendar': TELL,
	'bookings-in-a-table': TELL,
	'bookings-in-google-sheets': { ...TELL, 'Save or update its line': ['documentId'] },
	'canceled-booking-offer-table': { ...TELL, 'Post it in the channel': ['url'] },
	'chat-that-waits-for-a-person': TELL,
	'check-my-account': {},
	'closing-time-check-out': TELL,
	deposits: TELL,
	'fill-or-repair-a-table': { 'Get the bookings since': ['changedFrom'] },
	'kitchen-and-covers': KITCHEN,
	'new-booking-to-email-and-row': KITCHEN,
	'one-tap-answers': { ...TELL, 'Sign it': ['secret'] },
	'price-list-to-articles': { ...TELL, 'Update 50 articles per call': ['companyId', 'brandId'] },
	'reminder-and-review-request': { ...TELL, 'Open the page for reviews': ['url'] },
	'several-restaurants': TELL,
	'subscription-check': TELL,
	'survey-answers-and-alert': TELL,
};

/** What a person has to enter where n8n marks nothing: the workflow says what is missing. */
export const TO_ENTER: Record<string, string[]> = {
	'one-tap-answers': ['venue', 'phone'],
	'several-restaurants': ['houses'],
	'subscription-check': ['plans', 'fineStatuses'],
};
