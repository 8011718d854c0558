import type { Failure, INode } from 'n8n-workflow';

import { type PlainText, plainText } from '../values/plainText';

const PAGE =
	'https://github.com/n8n-nodes-hospitality-booking/n8n-nodes-hospitality-booking/blob/main/docs/troubleshooting.md';

/** Last sentence for a change whose response was lost. */
export const MAY_HAVE_BEEN_MADE = 'The change may have been made';

/** End of the message for a call that was not sent because of what another one met. */
export const NOT_SENT = ': the call was not sent';

/** An error that says what happened and how to fix it; only the place is added. */
export class ExplainedError extends Error {
	readonly description: PlainText;

	constructor(
		message: string,
		description: string,
		/** The cause, in n8n's terms. */
		readonly failure?: Failure,
	) {
		super(plainText(message));
		this.description = plainText(description);
	}
}

/** Of a parameter at the beginning, and words that no value of the moment can be. */
const LABEL = /^'[^']*' /;
const WORD = /^[A-Za-z][\w'-]*[,.]?$/;
const MOST_WORDS = 12;

/** @returns the anchor of a message's row in docs/troubleshooting.md: its first words, up to what differs from time to time */
export function anchorOf(message: string): string {
	if (message.includes(MAY_HAVE_BEEN_MADE) && message !== MAY_HAVE_BEEN_MADE)
		return anchorOf(MAY_HAVE_BEEN_MADE);
	const words = message.replace(NOT_SENT, '').replace(LABEL, '').split(' ', MOST_WORDS);
	const end = words.findIndex((word) => !WORD.test(word));
	return words
		.slice(0, end < 0 ? MOST_WORDS : end)
		.join('-')
		.toLowerCase()
		.replace(/[',.]/g, '');
}

const LINK = / <a href="[^"]+" target="_blank">Troubleshooting<\/a>/;

/**
 * Adds to how an error is fixed the link to its place; n8n's editor shows a description as HTML. An agent is shown it as text,
 * so its tool gets none.
 *
 * @param message one of those that docs/troubleshooting.md lists; '' for any other
 */
export function withHelp(description: PlainText, message: string, node: INode): string {
	const text = /[.?!…]$/.test(description) ? description : `${description}.`;
	if (node.type.endsWith('Tool')) return text;
	return `${text} <a href="${PAGE}#${anchorOf(message) || 'messages'}" target="_blank">Troubleshooting</a>`;
}

/** @returns a description without its link, for data */
export function withoutHelp(description: string): string {
	return description.replace(LINK, '');
}
