import { type AddressInfo, createServer } from 'node:net';

/** Listens on a port of 127.0.0.1 for a moment. @returns the port; undefined where it is taken or not allowed */
async function tryPort(port: number): Promise<number | undefined> {
	const server = createServer();
	return await new Promise((resolve) => {
		server.once('error', () => resolve(undefined));
		server.listen(port, '127.0.0.1', () => {
			const { port: given } = server.address() as AddressInfo;
			server.close(() => resolve(given));
		});
	});
}

/** A free port of 127.0.0.1: the one that is preferred, otherwise one that the system chooses. */
export async function freePort(preferred = 0): Promise<number> {
	return (await tryPort(preferred)) ?? Number(await tryPort(0));
}
