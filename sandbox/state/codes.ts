import type { Words } from '../seed/words.ts';

/**
 * The codes the sandbox uses. The API documentation lists the allowed values and names only those of survey recipients.
 * All other meanings are the sandbox's own and say nothing about a real deployment.
 */

/** Web booking `status`. */
export const BOOKING_STATUS = {
	inquiry: 0,
	reserved: 1,
	confirmed: 2,
	arrived: 3,
	checkedOut: 4,
	canceled: 5,
	waitList: 6,
	pending: 7,
	noShow: 8,
} as const;

/** Name of a web booking status in the history; codes without a name show their number. */
export function statusName({ statuses }: Words, status: number): string {
	return statuses[status] ?? `Status ${status}`;
}

/** Survey recipient `status` (@see contract/openapi.yaml surveyRecipient.getAll). */
export const RECIPIENT_STATUS = {
	template: 0,
	scheduled: 1,
	sent: 2,
	opened: 3,
	responded: 4,
	canceled: 5,
	deleted: 6,
	error: 999,
} as const;

/** `type` of the payment event of a deposit that a guest has paid. */
export const DEPOSIT_PAYMENT = 1;

/** `type` of the payment event that check-out adds. */
export const INVOICE_PAYMENT = 5;
