import { randomUUID } from 'node:crypto';
import { sendJson, startServer } from '../../engine/support/server';
import { eventually } from '../../../dev/eventually.ts';
import { basicAuth, type Gallery, LOGIN, storedNode } from './support';

/** n8n takes a client without a browser's name for a scanner, and lets it decide nothing. */
const BROWSER =
	'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36';
const ORDER = /CALL (\w+) (\{.*\})\./g;

/** Words that the model obeys. */
export const order = (tool: string, input: Record<string, unknown>) =>
	`CALL ${tool} ${JSON.stringify(input)}.`;

/** What the chat shows where a person has to decide. */
export interface Review {
	text: string;
	buttons: Array<{ text: string; link: string }>;
}

export type StaffChat = Awaited<ReturnType<typeof openStaffChat>>;

/** Publishes the chat of the staff, with a model that obeys every order it reads, whoever wrote it, once. */
export async function openStaffChat(gallery: Gallery) {
	const { client } = gallery;
	const obeyed = new Set<string>();
	let beforeItAsks: (() => Promise<unknown>) | undefined;
	const think = async (body: string) => {
		const { messages } = JSON.parse(body) as {
			messages: Array<{ role: string; content: string | null }>;
		};
		const read = messages
			.filter(({ role }) => role !== 'system')
			.map(({ content }) => String(content ?? '').replaceAll('\\"', '"'));
		const orders = read.flatMap((text) => [...text.matchAll(ORDER)]);
		const [text, name, args] = orders.find(([one]) => !obeyed.has(one)) ?? [];
		const message = { role: 'assistant', content: `Done: ${read.at(-1)}` };
		if (text === undefined) return { index: 0, message, finish_reason: 'stop' };
		obeyed.add(text);
		await beforeItAsks?.();
		const call = {
			id: `call_${obeyed.size}`,
			type: 'function',
			function: { name, arguments: args },
		};
		return {
			index: 0,
			finish_reason: 'tool_calls',
			message: { role: 'assistant', content: null, tool_calls: [call] },
		};
	};
	const model = await startServer(async ({ body }, response) => {
		const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
		const choices = [await think(body)];
		sendJson(response, {
			id: 'chat',
			object: 'chat.completion',
			created: 1,
			model: 'obedient',
			choices,
			usage,
		});
	});
	await client.putCredential('Gallery', 'openAiApi', {
		apiKey: 'of-the-stand-in',
		url: `${model.url}/v1`,
	});
	const workflow = await gallery.publish('chat-that-waits-for-a-person');
	const { webhookId } = await storedNode(client, workflow, '.chatTrigger');
	/** Writes into the chat. @returns the status, and the execution that it started */
	const write = async (chatInput: string, login = LOGIN) => {
		const response = await fetch(`${client.url}/webhook/${String(webhookId)}/chat`, {
			method: 'POST',
			headers: { 'content-type': 'application/json', ...basicAuth(login) },
			body: JSON.stringify({ action: 'sendMessage', sessionId: randomUUID(), chatInput }),
		});
		const text = await response.text();
		const { executionId = '' } = response.ok ? (JSON.parse(text) as { executionId?: string }) : {};
		return { status: response.status, executionId };
	};
	/** What an execution shows in the chat, other than what is known, once it waits or has ended: before, n8n takes no answer. */
	const shown = async (executionId: string, known?: unknown) =>
		await eventually('something in the chat', async () => {
			const { runs, status } = await client.execution(executionId);
			if (status === 'running') return undefined;
			const texts = [
				...JSON.stringify(runs).matchAll(
					/"sendMessage":("(?:[^"\\]|\\.)*"|\{"type":"with-buttons".*?\]\})/g,
				),
			].map(([, text = '']) => text);
			const last = texts.find((text) => text !== JSON.stringify(known));
			return last === undefined ? undefined : (JSON.parse(last) as string | Review);
		});
	return {
		write,
		/**
		 * Writes into the chat.
		 *
		 * @param meanwhile happens before the model asks for something
		 * @returns what it shows then: a review, or the answer
		 */
		ask: async (
			chatInput: string,
			meanwhile?: () => Promise<unknown>,
		): Promise<string | Review> => {
			beforeItAsks = meanwhile;
			return await shown((await write(chatInput)).executionId);
		},
		/** Presses a button of a review. @returns what the chat shows then */
		press: async (review: Review, isApproved: boolean): Promise<string | Review> => {
			const { link = '' } =
				review.buttons.find((one) => one.link.includes(`approved=${isApproved}`)) ?? {};
			await fetch(link, { headers: { 'user-agent': BROWSER } });
			return await shown(String(/webhook-waiting\/(\d+)/.exec(link)?.[1]), review);
		},
		close: async () => await model.close(),
	};
}
