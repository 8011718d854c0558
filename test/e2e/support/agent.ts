const INITIALIZE = {
	protocolVersion: '2025-06-18',
	capabilities: {},
	clientInfo: { name: 'test-agent', version: '1.0.0' },
};

/**
 * Calls a tool that a published workflow offers to agents at an address, over the Model Context Protocol.
 *
 * @param token sent as a bearer token, where there is one
 * @returns the text of its response
 */
export async function callTool(
	address: string,
	token: string | undefined,
	name: string,
	given: Record<string, unknown>,
): Promise<string> {
	const headers: Record<string, string> = {
		'content-type': 'application/json',
		accept: 'application/json, text/event-stream',
		...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
	};
	const send = async (message: object): Promise<string> => {
		const body = JSON.stringify({ jsonrpc: '2.0', ...message });
		const response = await fetch(address, { method: 'POST', headers, body });
		const session = response.headers.get('mcp-session-id');
		if (session !== null) headers['mcp-session-id'] = session;
		const text = await response.text();
		if (!response.ok) throw new Error(`${response.status} ${text}`);
		return text;
	};
	await send({ id: 1, method: 'initialize', params: INITIALIZE });
	await send({ method: 'notifications/initialized' });
	const text = await send({ id: 2, method: 'tools/call', params: { name, arguments: given } });
	await fetch(address, { method: 'DELETE', headers });
	const [, event = text] = /^data: (.*)$/m.exec(text) ?? [];
	const { result } = JSON.parse(event) as { result: { content: Array<{ text: string }> } };
	return result.content.map((part) => part.text).join('');
}
