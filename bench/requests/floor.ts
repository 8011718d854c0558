import { Agent, request } from 'node:http';
import pLimit from 'p-limit';

const AT_ONCE = 10;

/**
 * What a call costs at the least: a plain client, 10 calls at a time, each on a connection of its own as in n8n.
 *
 * @returns milliseconds per call
 */
export async function floorOf(url: string, headers: Record<string, string>, calls: number): Promise<number> {
	const agent = new Agent({ keepAlive: false });
	const limit = pLimit(AT_ONCE);
	const call = () =>
		new Promise<void>((resolve, reject) => {
			request(url, { agent, headers }, (response) => {
				const { statusCode = 0 } = response;
				response.resume();
				response.once('end', () =>
					statusCode === 200 ? resolve() : reject(new Error(`${url} answered ${statusCode}`)),
				);
			})
				.once('error', reject)
				.end();
		});
	const began = performance.now();
	await Promise.all(Array.from({ length: calls }, () => limit(call)));
	return (performance.now() - began) / calls;
}
