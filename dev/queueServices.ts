import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { Redis } from 'ioredis';
import type { Servers } from './servers.ts';

const HOST = '127.0.0.1';

/** A PostgreSQL database and a Redis key prefix of our own on servers that run on this machine. */
export interface QueueServices {
	postgres: { host: string; port: number; user: string; database: string };
	redis: { host: string; port: number; prefix: string };
	/** Runs SQL in the database, e.g. to read what n8n has stored. */
	query(sql: string, values?: unknown[]): Promise<Array<Record<string, unknown>>>;
	/** Drops the database and the keys. */
	remove(): Promise<void>;
}

/** Creates a database and a key prefix that nothing else uses. */
export async function createQueueServices({
	postgresPort,
	redisPort,
}: Pick<Servers, 'postgresPort' | 'redisPort'>): Promise<QueueServices> {
	const name = `hospitality_${randomBytes(6).toString('hex')}`;
	const server = { host: HOST, port: postgresPort, user: 'postgres' };
	await administer(server, `CREATE DATABASE ${name}`);
	const client = new Client({ ...server, database: name });
	await client.connect();
	return {
		postgres: { ...server, database: name },
		redis: { host: HOST, port: redisPort, prefix: name },
		query: async (sql, values) => (await client.query(sql, values)).rows as Array<Record<string, unknown>>,
		async remove() {
			await client.end();
			await administer(server, `DROP DATABASE ${name} WITH (FORCE)`);
			await removeKeys(redisPort, name);
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

async function removeKeys(port: number, prefix: string): Promise<void> {
	const redis = new Redis({ host: HOST, port });
	try {
		const keys = await redis.keys(`*${prefix}*`);
		if (keys.length > 0) await redis.del(...keys);
	} finally {
		redis.disconnect();
	}
}
