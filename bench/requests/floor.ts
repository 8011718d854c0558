import { Agent, request } from 'node:http';
import { fetchToken } from '../../sandbox/plainClient.ts';
import type { ServiceFacts } from './service.ts';

const AT_ONCE = 10;

/**
 * What a call costs at the least: a plain client, 10 calls at a time, each on a connection of its own as in n8n.
 *
 * @param url address of the service, which issues the token too
 * @returns milliseconds per call
 */
export async function floorOf(
	url: string,
	facts: ServiceFacts,
	path: string,
	calls: number,
): Promise<number> {
	const token = await fetchToken({ ...facts, authUrl: url });
	const agent = new Agent({ keepAlive: false });
	const headers = { authorization: `Bearer ${token}`, system: facts.system };
	let left = calls;
	const worker = async () => {
		while (left-- > 0) await call(url + path, agent, headers);
	};
	const began = performance.now();
	await Promise.all(Array.from({ length: AT_ONCE }, worker));
	return (performance.now() - began) / calls;
}

/** @throws when the answer is not 200 */
function call(url: string, agent: Agent, headers: Record<string, string>): Promise<void> {
	return new Promise((resolve, reject) => {
		request(url, { agent, headers }, (response) => {
			response.resume();
			response.once('end', () =>
				response.statusCode === 200
					? resolve()
					: reject(new Error(`${url} answered ${response.statusCode ?? 'nothing'}`)),
			);
		})
			.once('error', reject)
			.end();
	});
}
