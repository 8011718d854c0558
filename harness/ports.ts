import range from 'lodash/range.js';
import getPort from 'get-port';

const HOST = '127.0.0.1';
const HIGHEST_PORT = 65_535;

/** A port of 127.0.0.1 that nobody listens on, chosen by the system; for some seconds it is not given again. */
export function freePort(): Promise<number> {
	return getPort({ host: HOST });
}

/** The first free port of 127.0.0.1 above this one, or the system's choice where there is none. */
export function freePortAfter(port: number): Promise<number> {
	return getPort({ host: HOST, port: range(port + 1, HIGHEST_PORT + 1) });
}

/** Whether somebody already listens on a port of 127.0.0.1, or the system refuses it. */
export async function isTaken(port: number): Promise<boolean> {
	return (await getPort({ host: HOST, port })) !== port;
}
