import type { Failure } from 'n8n-workflow';

import { type PlainText, plainText } from '../values/plainText';

const PAGE =
	'https://github.com/n8n-nodes-hospitality-booking/n8n-nodes-hospitality-booking/blob/main/docs/troubleshooting.md';

/** Ends the message of a change whose response was lost. */
export const MAY_HAVE_BEEN_MADE = 'The change may have been made';

/** What an error is about, with its heading in docs/troubleshooting.md. */
export const HELP = {
	form: 'A value that cannot be sent',
	values: 'The values of a call',
	account: 'The account',
	rate: 'Too many calls',
	address: 'The address',
	network: 'The service or the network',
	proxy: 'A proxy',
	response: 'The response',
	lostChange: 'A change that may have been made',
	trigger: 'What the trigger reports',
	other: 'Messages',
} as const;

/** A kind of error, by what a person looks at first. */
export type Topic = keyof typeof HELP;

/** Says what happened and how to fix it: only its place is added. */
export class ExplainedError extends Error {
	readonly description: PlainText;

	constructor(
		message: string,
		description: string,
		readonly topic: Topic,
		/** Why, in n8n's terms. */
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
	if (message.includes(MAY_HAVE_BEEN_MADE)) return anchorOf(MAY_HAVE_BEEN_MADE);
	const words = message.replace(LABEL, '').split(' ', MOST_WORDS);
	const end = words.findIndex((word) => !WORD.test(word));
	return words
		.slice(0, end < 0 ? MOST_WORDS : end)
		.join('-')
		.toLowerCase()
		.replace(/[',.]/g, '');
}

const LINK = / <a href="[^"]+" target="_blank">Troubleshooting<\/a>/;

/** Adds to how an error is fixed the link to its place; n8n's editor shows a description as HTML. */
export function withHelp(description: PlainText, topic: Topic): string {
	const text = /[.?!…]$/.test(description) ? description : `${description}.`;
	return `${text} <a href="${PAGE}#${HELP[topic].toLowerCase().replaceAll(' ', '-')}" target="_blank">Troubleshooting</a>`;
}

/** @returns a description for data, where a link is only in the way */
export function withoutHelp(description: string): string {
	return description.replace(LINK, '');
}
