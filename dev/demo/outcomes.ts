import { createServer } from 'node:http';
import { foreignHeader } from '../../sandbox/http/foreign.ts';
import type { N8nClient } from '../n8nClient.ts';
import type { Inbox } from './inbox.ts';
import { findRow } from './table.ts';

/** What has become of something that happened in the booking service. */
export interface Outcome {
	row?: { number: number; url: string };
	mail?: { subject: string; url: string };
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

/** Looks for the row and the email of something that happened. */
export async function findOutcome(
	client: N8nClient,
	inbox: Inbox,
	question: Question,
): Promise<Outcome> {
	const { table, column, id, name, since } = question;
	const isNew = (time: unknown) => Date.parse(String(time)) >= Date.parse(since);
	const found = await findRow(client, table, column, id);
	const mails = name === '' ? [] : await inbox.mails();
	const mail = mails.find(
		({ subject, text, html = '', time }) =>
			[subject, text, html].join(' ').includes(name) && isNew(time),
	);
	return {
		...(found && isNew(found.row['updatedAt'])
			? { row: { number: Number(found.row['id']), url: `${client.url}${found.path}` } }
			: {}),
		...(mail ? { mail: { subject: mail.subject, url: `${inbox.url}/#/email/${mail.id}` } } : {}),
	};
}

/**
 * Answers the sandbox, on 127.0.0.1 only and no page of another site.
 *
 * @param look finds the outcome; before everything runs it may find nothing
 * @param send what a POST does: it sends the list of the morning
 */
export async function serveOutcomes(
	port: number,
	look: (question: Question) => Promise<Outcome>,
	send: () => Promise<unknown>,
): Promise<void> {
	const server = createServer((request, response) => {
		const { searchParams } = new URL(request.url ?? '/', 'http://127.0.0.1');
		const asked = {
			table: '',
			column: '',
			id: '',
			name: '',
			since: '',
			...Object.fromEntries(searchParams),
		};
		const headers = {
			'content-type': 'application/json',
			'content-security-policy': "default-src 'none'",
			'x-content-type-options': 'nosniff',
		};
		if (foreignHeader(request.headers)) return void response.writeHead(403, headers).end('{}');
		const found = request.method === 'POST' ? send() : look(asked);
		found.then(
			(outcome) => response.writeHead(200, headers).end(JSON.stringify(outcome ?? {})),
			() => response.writeHead(503, headers).end('{}'),
		);
	});
	await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
	server.unref();
}
