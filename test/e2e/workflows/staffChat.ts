import { randomUUID } from 'node:crypto';
import { type TestServer, startServer } from '../../engine/support/server';
import { eventually } from '../../support/progress';
import { basicAuth, type Gallery, LOGIN } from './support';

/** n8n takes a client without a browser's name for a scanner, and lets it decide nothing. */
const BROWSER =
	'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36';
const ORDER = /CALL (\w+) (\{.*\})\./;

interface Message {
	role: string;
	content: string | null;
}

/** A model that obeys every order it reads, whoever wrote it, once. */
function startObedientModel(): Promise<TestServer> {
	const obeyed = new Set<string>();
	return startServer(({ body }, response) => {
		const { messages } = JSON.parse(body) as { messages: Message[] };
		const read = messages
			.filter(({ role }) => role !== 'system')
			.map(({ content }) => String(content ?? '').replaceAll('\\"', '"'));
		const orders = read.flatMap((text) => [...text.matchAll(new RegExp(ORDER, 'g'))]);
		const [order, name = '', args = ''] = orders.find(([text]) => !obeyed.has(text)) ?? [];
		if (order) obeyed.add(order);
		const message = order
			? {
					role: 'assistant',
					content: null,
					tool_calls: [{ id: `call_${obeyed.size}`, type: 'function', function: { name, arguments: args } }],
				}
			: { role: 'assistant', content: `Done: ${read.at(-1)}` };
		const choice = { index: 0, message, finish_reason: order ? 'tool_calls' : 'stop' };
		response.writeHead(200, { 'content-type': 'application/json' }).end(
			JSON.stringify({
				...{ id: 'chat', object: 'chat.completion', created: 1, model: 'obedient', choices: [choice] },
				usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
			}),
		);
	});
}

/** What the chat shows where a person has to decide. */
export interface Review {
	text: string;
	buttons: Array<{ text: string; link: string }>;
}

/** The chat of the staff, with a model that obeys every message it reads. */
export class StaffChat {
	private constructor(
		private readonly gallery: Gallery,
		private readonly model: TestServer,
		private readonly url: string,
	) {}

	static async publish(gallery: Gallery): Promise<StaffChat> {
		const model = await startObedientModel();
		const { client } = gallery;
		const openAi = { apiKey: 'of-the-stand-in', url: `${model.url}/v1` };
		await client.putCredential('Gallery', 'openAiApi', openAi);
		const filled = gallery.filled('chat-that-waits-for-a-person');
		await client.activate(await gallery.create(filled));
		const trigger = filled.nodes.find(({ type }) => type.endsWith('.chatTrigger'));
		return new StaffChat(gallery, model, `${client.url}/webhook/${trigger?.webhookId}/chat`);
	}

	/** Writes into the chat. @returns the status, and the execution that it started */
	async write(chatInput: string, login = LOGIN) {
		const response = await fetch(this.url, {
			method: 'POST',
			headers: { 'content-type': 'application/json', ...basicAuth(login) },
			body: JSON.stringify({ action: 'sendMessage', sessionId: randomUUID(), chatInput }),
		});
		const text = await response.text();
		const { executionId = '' } = response.ok ? (JSON.parse(text) as { executionId?: string }) : {};
		return { status: response.status, executionId };
	}

	/** Writes into the chat. @returns what it shows then: a review, or the answer */
	async ask(chatInput: string): Promise<string | Review> {
		const { executionId } = await this.write(chatInput);
		return await eventually('something in the chat', async () => {
			const { status, runs } = await this.gallery.client.execution(executionId);
			if (status !== 'waiting') return undefined;
			const text = JSON.stringify(runs);
			const found = /"sendMessage":("(?:[^"\\]|\\.)*"|\{"type":"with-buttons".*?\]\})/.exec(text)?.[1];
			return found === undefined ? undefined : (JSON.parse(found) as string | Review);
		});
	}

	/** Presses a button of a review. */
	async press({ buttons }: Review, isApproved: boolean): Promise<void> {
		const { link = '' } = buttons.find((one) => one.link.includes(`approved=${isApproved}`)) ?? {};
		await fetch(link, { headers: { 'user-agent': BROWSER } });
	}

	async close(): Promise<void> {
		await this.model.close();
	}
}

/** Words that the model obeys. */
export const order = (tool: string, input: Record<string, unknown>) =>
	`CALL ${tool} ${JSON.stringify(input)}.`;
