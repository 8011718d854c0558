import { once } from 'node:events';
import { type IncomingMessage, type Server, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import uniq from 'lodash/uniq';
import { NODE_UNDER_TEST, packageNode, publishRunner } from '../../harness/runner.ts';
import { credentialsAt, sendJson } from '../engine/support/server';
import { connect } from './support/stack';

const RESTART_MS = 3_000;
/** What a call takes, so that a run is under way while something happens to it. */
const CALL_MS = 50;

type Respond = (response: ServerResponse, count: number) => Promise<void> | void;

/** A service that can go away and come back, and knows which changes it has received. */
class Service {
	readonly changes: string[] = [];
	tokens = 0;
	private server: Server | undefined;
	private port = 0;

	constructor(
		private readonly change: Respond,
		private readonly token: Respond = () => undefined,
	) {}

	async start(): Promise<string> {
		this.server = createServer((request, response) => void this.respond(request, response));
		this.server.listen(this.port, '127.0.0.1');
		await once(this.server, 'listening');
		this.port = (this.server.address() as AddressInfo).port;
		return `http://127.0.0.1:${this.port}`;
	}

	/** Ends as a process that is killed does: calls in flight have no response. */
	stop(): void {
		this.server?.close();
		this.server?.closeAllConnections();
	}

	private async respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
		await text(request);
		if (request.url === '/connect/token') {
			await this.token(response, ++this.tokens);
			if (!response.headersSent && response.socket?.writableLength === 0)
				sendJson(response, { access_token: `token ${this.tokens}`, expires_in: 2 });
			return;
		}
		const [, id = ''] = /WebBookings\/([^/]+)\/Cancel/.exec(request.url ?? '') ?? [];
		const count = this.changes.push(id);
		await sleep(CALL_MS);
		await this.change(response, count);
		if (!response.headersSent) sendJson(response, {});
	}
}

const idOf = (item: number) => `3f2504e0-4f89-41d3-9a0c-${String(item).padStart(12, '0')}`;

/** Cancels bookings in real n8n. @returns what failed, by the booking, and what succeeded */
async function cancelAll(service: Service, count: number, concurrencyLimit: number) {
	const { client } = connect();
	const { hospitalityBookingApi } = credentialsAt(await service.start());
	const credential = await client.createCredential('Outage', 'hospitalityBookingApi', hospitalityBookingApi);
	const form = {
		...{ resource: 'webBooking', operation: 'cancel', webBookingId: '={{ $json.id }}' },
		options: { concurrencyLimit },
	};
	const node = packageNode('hospitalityBooking', form, credential, { onError: 'continueErrorOutput' });
	const { run, end } = await publishRunner(client, node);
	const execution = await run(Array.from({ length: count }, (_, item) => ({ id: idOf(item) })));
	await end();
	service.stop();
	const [succeeded = [], failed = []] = execution.runs[NODE_UNDER_TEST]?.[0]?.data?.main ?? [];
	return {
		succeeded: succeeded?.length,
		failed: (failed ?? []).map(({ json }) => {
			const error = String(json.error);
			return { id: idOf(Number(/\[item (\d+)\]/.exec(error)?.[1])), error };
		}),
	};
}

/** Each was sent, and none twice. */
function expectSentOnce({ changes }: Service, count: number): void {
	expect([...changes].sort()).toEqual(Array.from({ length: count }, (_, item) => idOf(item)));
}

describe('An outage in real n8n costs time, not items:', () => {
	it('a token endpoint that says 503 once in the middle of 100 cancels fails none', async () => {
		const service = new Service(
			() => undefined,
			(response, asked) => (asked === 2 ? sendJson(response, {}, 503) : undefined),
		);

		expect(await cancelAll(service, 100, 2)).toEqual({ succeeded: 100, failed: [] });
		expectSentOnce(service, 100);
		expect(service.tokens).toBeGreaterThan(2);
	});

	it('a token endpoint that switches protocols and falls silent is given up and asked again', async () => {
		const service = new Service(
			() => undefined,
			(response, asked) => {
				if (asked === 1)
					response.socket?.write(
						'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
					);
			},
		);

		expect(await cancelAll(service, 3, 3)).toEqual({ succeeded: 3, failed: [] });
		expectSentOnce(service, 3);
	});

	it('a service that is killed and back after 3 s fails only what was on its way to it', async () => {
		const atOnce = 10;
		const service = new Service(async (_, count) => {
			if (count !== 60) return;
			service.stop();
			await sleep(RESTART_MS);
			await service.start();
		});
		const { succeeded, failed } = await cancelAll(service, 200, atOnce);

		expect(uniq(service.changes)).toEqual(service.changes);
		expect(succeeded).toBe(200 - failed.length);
		expect(failed.map(({ id }) => id)).toContain(service.changes[59]);
		expect(failed.length).toBeLessThanOrEqual(atOnce);
		for (const { error } of failed) expect(error).toContain('may have been made');
	});
});
