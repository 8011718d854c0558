import { rows } from '../support/sampleForm';

/** What the documents say that an operation causes, beyond what its name says. */
const CAUSES: Readonly<Record<string, RegExp>> = {
	'checkoutBooking.checkOut': /mark for invoicing$/,
	'survey.updateContent': /replacing all pages$/,
	'webBooking.cancel': /and notify guest$/,
	'webBooking.update': /may notify guest$/,
};

const MOST_WORDS = 12;

test.each(rows)(
	"an agent and n8n's AI builder read in the action what it causes: $id",
	({ id, operation: { action, body } }) => {
		const fields = body?.sections.flatMap((section) => section.fields) ?? [];
		const canSendMessages = fields.some(({ path }) => path.includes('ConfirmationMessage'));

		expect(action).toMatch(CAUSES[id] ?? /^[A-Z][a-z ]+$/);
		expect(action.includes('notify guest')).toBe(canSendMessages);
		expect(action.split(' ').length).toBeLessThanOrEqual(MOST_WORDS);
	},
);
