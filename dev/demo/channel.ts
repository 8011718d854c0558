import type { IncomingMessage } from 'node:http';
import { text as textOf } from 'node:stream/consumers';

/** A message that was posted in the channel. */
export interface Message {
	text: string;
	/** ISO 8601. */
	time: string;
}

/** Characters that mean something in HTML. */
const MARKUP: Record<string, string> = { '&': '&amp;', '<': '&lt;', '"': '&quot;' };
const escaped = (text: string) => text.replaceAll(/[&<"]/g, (character) => MARKUP[character] ?? '');

/** A stand-in for a channel of Slack, Teams or Mattermost: an address that takes messages as theirs do, and a page that shows them. */
export class Channel {
	/** Oldest first. */
	readonly messages: Message[] = [];

	/** @throws where it is no message */
	async take(request: IncomingMessage): Promise<void> {
		const { text } = JSON.parse(await textOf(request)) as { text: unknown };
		if (typeof text !== 'string') throw new Error('A message has a text.');
		this.messages.push({ text, time: new Date().toISOString() });
	}

	/** The messages as a page, the newest first. */
	page(): string {
		const lines = this.messages.map(
			({ text, time }) => `<li>${escaped(text)} <small>${escaped(time)}</small></li>`,
		);
		return `<!doctype html><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>#tables</title><h1>#tables</h1><ul>${lines.reverse().join('\n')}</ul>`;
	}
}
