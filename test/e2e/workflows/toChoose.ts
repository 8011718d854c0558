/** What a person has to choose besides credentials, by workflow and node: the note on the canvas says so. */
export const TO_CHOOSE: Record<string, Record<string, string[]>> = {
	'bookings-in-google-sheets': { 'Save or update its line': ['documentId'] },
	'price-list-to-articles': { 'Update 50 articles per call': ['companyId', 'brandId'] },
};
