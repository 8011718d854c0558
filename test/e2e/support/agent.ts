import { foundStack } from './stack.ts';

const PROTOCOL = '2025-06-18';

interface Tool {
	name: string;
	description?: string;
	inputSchema: { properties?: Record<string, unknown> };
}

interface Message {
	result?: unknown;
	error?: { message: string };
}

/**
 * Connects an agent to the tools that a published workflow offers at a path, over the Model Context Protocol.
 *
 * @param token sent as a bearer token, where there is one
 */
export async function connectAgent(path: string, token?: string) {
	const headers: Record<string, string> = {
		'content-type': 'application/json',
		accept: 'application/json, text/event-stream',
		...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
	};
	let id = 0;
	/** Sends a request, or without an answer a notification. */
	const send = async (method: string, params: object, isNotification = false): Promise<unknown> => {
		const response = await fetch(`${foundStack().url}/mcp/${path}`, {
			method: 'POST',
			headers,
			body: JSON.stringify({ jsonrpc: '2.0', method, params, ...(isNotification ? {} : { id: ++id }) }),
		});
		const session = response.headers.get('mcp-session-id');
		if (session !== null) headers['mcp-session-id'] = session;
		const text = await response.text();
		if (!response.ok) throw new Error(`${response.status} ${text}`);
		if (isNotification) return undefined;
		const [, event = text] = /^data: (.*)$/m.exec(text) ?? [];
		const { result, error } = JSON.parse(event) as Message;
		if (error) throw new Error(error.message);
		return result;
	};
	const clientInfo = { name: 'test-agent', version: '1.0.0' };
	await send('initialize', { protocolVersion: PROTOCOL, capabilities: {}, clientInfo });
	await send('notifications/initialized', {}, true);
	return {
		tools: async () => {
			const { tools } = (await send('tools/list', {})) as { tools: Tool[] };
			return new Map(tools.map((tool) => [tool.name, tool]));
		},
		/** Calls a tool. @returns the text of its response */
		call: async (name: string, given: Record<string, unknown> = {}): Promise<string> => {
			const { content } = (await send('tools/call', { name, arguments: given })) as {
				content: Array<{ text?: string }>;
			};
			return content.map(({ text }) => text ?? '').join('');
		},
		close: async () => await fetch(`${foundStack().url}/mcp/${path}`, { method: 'DELETE', headers }),
	};
}

export type Agent = Awaited<ReturnType<typeof connectAgent>>;
