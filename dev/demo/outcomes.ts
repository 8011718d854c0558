import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { foreignHeader } from '../../sandbox/http/foreign.ts';
import type { N8nClient } from '../n8nClient.ts';
import type { Channel } from './channel.ts';
import type { Inbox, Mail } from './inbox.ts';
import { findRow } from './table.ts';

/** What has become of something that happened in the booking service. */
export interface Outcome {
	row?: { number: number; url: string };
	mail?: { subject: string; url: string };
	/** In the channel. */
	message?: { text: string; url: string };
}

/** What is looked for: a row by the value of a column, changed since then, and an email that names something. */
export interface Question {
	table: string;
	column: string;
	id: string;
	/** Empty where no email is sent. */
	name: string;
	/** ISO 8601. */
	since: string;
}

/** Where the outcomes of the demo are. */
export interface Places {
	client: N8nClient;
	inbox: Inbox;
	channel: Channel;
	/** Of the server of outcomes, which shows the channel too. */
	url: string;
}

/** A mail as the page links to it. */
export function linkTo({ url }: Inbox, { id, subject }: Mail): { subject: string; url: string } {
	return { subject, url: `${url}/#/email/${id}` };
}

/** Looks for the row and the email of something that happened, and for the message that says when its row does. */
export async function findOutcome(places: Places, question: Question): Promise<Outcome> {
	const { client, inbox, channel } = places;
	const { table, column, id, name, since } = question;
	const isNew = (time: unknown) => Date.parse(String(time)) >= Date.parse(since);
	const found = await findRow(client, table, column, id);
	const mails = name === '' ? [] : await inbox.mails();
	const mail = mails.find(
		({ subject, text, html = '', time }) =>
			[subject, text, html].join(' ').includes(name) && isNew(time),
	);
	const outcome: Outcome = {};
	if (mail) outcome.mail = linkTo(inbox, mail);
	if (!found || !isNew(found.row['updatedAt'])) return outcome;
	outcome.row = { number: Number(found.row['id']), url: `${client.url}${found.path}` };
	const when = String(found.row['when']);
	const message = channel.messages.find(({ text, time }) => text.includes(when) && isNew(time));
	if (message) outcome.message = { text: message.text, url: `${places.url}${CHANNEL_PATH}` };
	return outcome;
}

/** Where the server of outcomes takes the channel's messages, and shows them. */
export const CHANNEL_PATH = '/channel';
const HEADERS = {
	'content-security-policy': "default-src 'none'",
	'x-content-type-options': 'nosniff',
};

/** What the server of outcomes does. */
export interface Outcomes {
	/** Finds the outcome; before everything runs it may find nothing. */
	look: (question: Question) => Promise<Outcome>;
	/** Sends the list of the morning. */
	send: () => Promise<Outcome>;
	channel: Channel;
}

/** @returns a page, or an outcome */
async function respond(request: IncomingMessage, outcomes: Outcomes): Promise<string | Outcome> {
	const { pathname, searchParams } = new URL(request.url ?? '/', 'http://127.0.0.1');
	const isPost = request.method === 'POST';
	if (pathname === CHANNEL_PATH) {
		if (isPost) await outcomes.channel.take(request);
		return outcomes.channel.page();
	}
	if (isPost) return await outcomes.send();
	const nothing: Question = { table: '', column: '', id: '', name: '', since: '' };
	return await outcomes.look(Object.assign(nothing, Object.fromEntries(searchParams)));
}

function write(response: ServerResponse, found: string | Outcome): void {
	const isPage = typeof found === 'string';
	const type = isPage ? 'text/html; charset=utf-8' : 'application/json';
	response.writeHead(200, { ...HEADERS, 'content-type': type });
	response.end(isPage ? found : JSON.stringify(found));
}

/** Answers the sandbox and n8n, on 127.0.0.1 only and no page of another site. */
export async function serveOutcomes(port: number, outcomes: Outcomes): Promise<void> {
	const server = createServer((request, response) => {
		const refuse = (status: number) => response.writeHead(status, HEADERS).end('{}');
		if (foreignHeader(request.headers)) return void refuse(403);
		respond(request, outcomes).then(
			(found) => write(response, found),
			() => refuse(503),
		);
	});
	await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
	server.unref();
}
