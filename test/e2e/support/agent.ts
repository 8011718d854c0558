import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { foundStack } from './stack.ts';

/**
 * Connects an agent to the tools that a published workflow offers at a path, over the Model Context Protocol.
 *
 * @param token sent as a bearer token, where there is one
 */
export async function connectAgent(path: string, token?: string) {
	const requestInit = token === undefined ? {} : { headers: { authorization: `Bearer ${token}` } };
	const client = new Client({ name: 'test-agent', version: '1.0.0' });
	await client.connect(
		new StreamableHTTPClientTransport(new URL(`${foundStack().url}/mcp/${path}`), { requestInit }),
	);
	return {
		tools: async () => new Map((await client.listTools()).tools.map((tool) => [tool.name, tool])),
		/** Calls a tool. @returns the text of its response */
		call: async (name: string, given: Record<string, unknown> = {}): Promise<string> => {
			const { content } = await client.callTool({ name, arguments: given });
			return (content as Array<{ text?: string }>).map(({ text }) => text ?? '').join('');
		},
		close: () => client.close(),
	};
}

export type Agent = Awaited<ReturnType<typeof connectAgent>>;
