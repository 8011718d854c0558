import getPort from 'get-port';

const HOST = '127.0.0.1';

/** A free port of 127.0.0.1, chosen by the system and not given out again for some seconds. */
export function freePort(): Promise<number> {
	return getPort({ host: HOST });
}

/** Whether a port of 127.0.0.1 is taken or not allowed. */
export async function isTaken(port: number): Promise<boolean> {
	return (await getPort({ host: HOST, port })) !== port;
}
