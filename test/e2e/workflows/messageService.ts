import { writeFileSync } from 'node:fs';
import { sendJson, startServer } from '../../engine/support/server';
import { foundStack } from '../support/stack.ts';

/** A message as it was sent. */
export interface Message {
	to: string;
	text: string;
}

/** Starts a stand-in for the part of Twilio's API that sends messages. It refuses one without a number, as Twilio does. */
export async function startMessageService() {
	const messages: Message[] = [];
	const server = await startServer(({ body }, response) => {
		const form = new URLSearchParams(body);
		const to = form.get('To') ?? '';
		if (to === '') {
			return sendJson(response, { code: 21604, message: "A 'To' phone number is required." }, 400);
		}
		messages.push({ to, text: form.get('Body') ?? '' });
		sendJson(response, { sid: 'SM1', status: 'queued', to }, 201);
	});
	writeFileSync(`${foundStack().googleFile}.twilio`, server.url);
	return { close: server.close, messages };
}

export type MessageService = Awaited<ReturnType<typeof startMessageService>>;
