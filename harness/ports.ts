import { createServer } from 'node:net';

const HOST = '127.0.0.1';

/** Listens on a port (0 = the system's choice), lets it go again and returns its number. */
function probe(port: number): Promise<number> {
	return new Promise((resolve, reject) => {
		const server = createServer();
		server.once('error', reject);
		server.listen({ port, host: HOST, exclusive: true }, () => {
			const address = server.address();
			server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : port));
		});
	});
}

/** A port of 127.0.0.1 that nobody listens on, chosen by the system. */
export function freePort(): Promise<number> {
	return probe(0);
}

/** Several different free ports of 127.0.0.1. */
export async function freePorts(count: number): Promise<number[]> {
	const ports = new Set<number>();
	while (ports.size < count) ports.add(await freePort());
	return [...ports];
}

/** Whether somebody already listens on a port of 127.0.0.1, or the system refuses it. */
export async function isTaken(port: number): Promise<boolean> {
	try {
		await probe(port);
		return false;
	} catch {
		return true;
	}
}
