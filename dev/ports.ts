import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';

const HOST = '127.0.0.1';
const given = new Set<number>();

/** A free port of 127.0.0.1, chosen by the system and not given out twice. */
export async function freePort(): Promise<number> {
	for (;;) {
		const server = createServer().listen(0, HOST);
		await once(server, 'listening');
		const { port } = server.address() as AddressInfo;
		server.close();
		await once(server, 'close');
		if (!given.has(port)) {
			given.add(port);
			return port;
		}
	}
}

/** Whether a port of 127.0.0.1 is taken or not allowed. */
export async function isTaken(port: number): Promise<boolean> {
	const server = createServer();
	return await new Promise((resolve) => {
		server.once('error', () => resolve(true));
		server.listen(port, HOST, () => server.close(() => resolve(false)));
	});
}
