import { randomBytes } from 'node:crypto';
import { createConnection } from 'node:net';
import { Client } from 'pg';
import { Redis } from 'ioredis';

const HOST = '127.0.0.1';
const POSTGRES_PORT = 5432;
const REDIS_PORT = 6379;

/** A PostgreSQL database and a Redis key prefix of our own on servers that run on this machine. */
export interface QueueServices {
	postgres: { host: string; port: number; user: string; database: string };
	redis: { host: string; port: number; prefix: string };
	/** Runs SQL in the database, e.g. to read what n8n has stored. */
	query(sql: string, values?: unknown[]): Promise<Array<Record<string, unknown>>>;
	/** Drops the database and the keys. */
	remove(): Promise<void>;
}

function answers(port: number): Promise<boolean> {
	return new Promise((resolve) => {
		const socket = createConnection({ host: HOST, port, timeout: 2_000 });
		const end = (open: boolean) => {
			socket.destroy();
			resolve(open);
		};
		socket.once('connect', () => end(true));
		socket.once('timeout', () => end(false));
		socket.once('error', () => end(false));
	});
}

/** @returns which of the two servers that queue mode needs do not answer on this machine */
export async function missingServers(): Promise<string[]> {
	return [
		...((await answers(POSTGRES_PORT)) ? [] : [`PostgreSQL on ${HOST}:${POSTGRES_PORT}`]),
		...((await answers(REDIS_PORT)) ? [] : [`Redis on ${HOST}:${REDIS_PORT}`]),
	];
}

/**
 * Makes a database and chooses a key prefix that nobody else uses. PostgreSQL has to let the user `postgres` in without
 * a password from this machine.
 *
 * @throws when a server does not answer or does not let us in
 */
export async function createQueueServices(): Promise<QueueServices> {
	const name = `hospitality_${randomBytes(6).toString('hex')}`;
	const server = { host: HOST, port: POSTGRES_PORT, user: 'postgres' };
	await administer(server, `CREATE DATABASE ${name}`);
	const client = new Client({ ...server, database: name });
	await client.connect();
	return {
		postgres: { ...server, database: name },
		redis: { host: HOST, port: REDIS_PORT, prefix: name },
		query: async (sql, values) => (await client.query(sql, values)).rows as Array<Record<string, unknown>>,
		async remove() {
			await client.end();
			await administer(server, `DROP DATABASE ${name} WITH (FORCE)`);
			await removeKeys(name);
		},
	};
}

async function administer(server: { host: string; port: number; user: string }, sql: string): Promise<void> {
	const client = new Client({ ...server, database: 'postgres' });
	await client.connect();
	try {
		await client.query(sql);
	} finally {
		await client.end();
	}
}

async function removeKeys(prefix: string): Promise<void> {
	const redis = new Redis({ host: HOST, port: REDIS_PORT });
	try {
		const keys = await redis.keys(`*${prefix}*`);
		if (keys.length > 0) await redis.del(...keys);
	} finally {
		redis.disconnect();
	}
}
