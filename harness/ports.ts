import getPort from 'get-port';

const HOST = '127.0.0.1';

/** A port of 127.0.0.1 that nobody listens on, chosen by the system; for some seconds it is not given again. */
export function freePort(): Promise<number> {
	return getPort({ host: HOST });
}

/** Whether somebody already listens on a port of 127.0.0.1, or the system refuses it. */
export async function isTaken(port: number): Promise<boolean> {
	return (await getPort({ host: HOST, port })) !== port;
}
