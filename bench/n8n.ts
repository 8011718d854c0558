import { createServer } from 'node:http';
import { mkdtempSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { isDeepStrictEqual } from 'node:util';
import mapValues from 'lodash/mapValues.js';
import merge from 'lodash/merge.js';
import sortBy from 'lodash/sortBy.js';
import { OWNER } from '../dev/demo/stack.ts';
import { installN8n } from '../dev/n8nVersions.ts';
import { startN8n } from '../dev/n8n.ts';
import type { JsonObject, WorkflowNode } from '../dev/n8nClient.ts';
import { buildPackage } from '../dev/package.ts';
import { NODE_UNDER_TEST, outputOf, packageNode, publishRunner } from '../dev/runner.ts';
import { bookingCredential, startSandbox } from '../dev/sandbox.ts';
import { quantile, report } from './report.ts';

const BOOKINGS = '/api/booking/v1/WebBooking/WebBookings';
const ROUNDS = 5;
/** These are not timed: a fresh n8n takes longer over them. */
const WARM_UP = 2;
const ITEMS = 1_000;
const GUID = '3f2504e0-4f89-41d3-9a0c-0305e82c3301';

/** Real n8n with the package, a service that responds from memory, and both sides' credentials for it. */
export type Bench = Awaited<ReturnType<typeof startBench>>;

type Side = 'ours' | 'theirs';

/** Answers every call with one booking of the sandbox, and keeps what it was sent. */
async function startService(booking: unknown) {
	const service = { url: '', calls: new Array<object>() };
	const token = { access_token: 'a-token', token_type: 'Bearer', expires_in: 3600 };
	const server = createServer((request, response) => {
		const { method, url = '' } = request;
		const answer = (body: unknown) =>
			response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
		if (url === '/connect/token') return answer(token);
		void text(request).then((sent) => {
			const { pathname, searchParams } = new URL(url, service.url);
			service.calls.push({
				method,
				pathname,
				query: [...searchParams],
				body: sent && JSON.parse(sent),
			});
			answer(method === 'GET' ? [booking] : booking);
		});
	});
	await new Promise<void>((resolve) =>
		server.listen({ port: 0, host: '127.0.0.1', backlog: 4096 }, resolve),
	);
	server.unref();
	service.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	return service;
}

/** Builds and packs the package, and starts n8n with it. */
export async function startBench() {
	await installN8n();
	const sandbox = await startSandbox({ control: true });
	const tarball = await buildPackage();
	const [booking] = await sandbox.control<Array<{ web: object }>>('GET', '/state/bookings');
	const service = await startService(booking?.web);
	const { client } = await startN8n({
		home: mkdtempSync(join(tmpdir(), 'hospitality-booking-bench-')),
		tarball,
	});
	await client.signIn(OWNER);
	const { clientId, clientSecret, system } = sandbox.info;
	const own = await client.createCredential('Ours', 'hospitalityBookingApi', {
		...bookingCredential(sandbox.info),
		baseUrl: service.url,
		authUrl: service.url,
	});
	const their = await client.createCredential('Theirs', 'oAuth2Api', {
		grantType: 'clientCredentials',
		authentication: 'body',
		scope: 'publicAPI',
		accessTokenUrl: `${service.url}/connect/token`,
		clientId,
		clientSecret,
	});
	return {
		client,
		service,
		ours: (operation: string, parameters: JsonObject) =>
			packageNode(
				'hospitalityBooking',
				{ resource: 'webBooking', operation, output: 'raw', ...parameters },
				own,
			),
		/** HTTP Request as the editor makes it today. */
		theirs: (parameters: JsonObject): WorkflowNode => ({
			...packageNode('', {}, their),
			type: 'n8n-nodes-base.httpRequest',
			typeVersion: 4.5,
			parameters: {
				authentication: 'genericCredentialType',
				genericAuthType: 'oAuth2Api',
				url: service.url + BOOKINGS,
				sendHeaders: true,
				headerParameters: { parameters: [{ name: 'system', value: system }] },
				options: {},
				...parameters,
			},
		}),
	};
}

/** Runs both nodes over items in turns. @returns of each the seconds of a run, what came out and what was sent */
async function measure(
	{ client, service }: Bench,
	nodes: Record<Side, WorkflowNode>,
	items: object[],
) {
	const runners = {
		ours: await publishRunner(client, nodes.ours),
		theirs: await publishRunner(client, nodes.theirs),
	};
	const all = mapValues(nodes, () => ({ seconds: new Array<number>(), output: [{}], calls: [{}] }));
	for (let round = -WARM_UP; round < ROUNDS; round++) {
		for (const side of ['ours', 'theirs'] as const) {
			service.calls = [];
			const execution = await runners[side].run(items);
			const run = execution.runs[NODE_UNDER_TEST]?.[0];
			if (execution.status !== 'success' || !run) {
				throw new Error(execution.error?.message ?? `The execution ended as ${execution.status}.`);
			}
			if (round >= 0) all[side].seconds.push(run.executionTime / 1000);
			all[side].output = outputOf(execution).map(({ json }) => json);
			all[side].calls = service.calls;
		}
	}
	for (const runner of Object.values(runners)) await runner.end();
	return mapValues(all, (measured) => ({ ...measured, seconds: quantile(measured.seconds, 0.5) }));
}

/** @returns two lists in the same order, whichever they came in */
function inOrder(...lists: [object[], object[]]): [object[], object[]] {
	const [one, other] = lists.map((list) => sortBy(list, (each) => JSON.stringify(each)));
	return [one ?? [], other ?? []];
}

/** The 20 fields of an update, by the collection of the form that they are in; those of a guest are in `contact`. */
const FIELDS: Record<string, Record<string, string | number | boolean>> = {
	open: { timeSetDate: '2026-12-24T18:00:00Z', guests: 4 },
	details: {
		guestsChildren: 1,
		bookingStatus: 2,
		eventTag: 'wedding',
		lang: 'en',
		message: 'A table by the window',
		isInquiry: false,
		isWaitList: false,
	},
	guest: {
		fname: 'Anna',
		lname: 'Lind',
		email: 'anna@example.com',
		mobile: '+46 70 123 45 67',
		zipcode: '111 30',
		city: 'Stockholm',
	},
	invoice: { payMethod: 'Invoice', invoiceMarking: 'Project 7' },
	messages: { logMessage: 'Changed on the phone', disableSmsConfirmationMessage: true },
};

/** The same items through this node and through n8n's HTTP Request. @throws when the two send or put out anything else */
export async function benchRequests(bench: Bench): Promise<void> {
	const from = '2026-12-24T00:00:00Z';
	const to = '2026-12-25T00:00:00Z';
	const list = (startTime: string, endTime: string) => ({
		ours: bench.ours('getAll', {
			getBy: 'period',
			startTime,
			endTime,
			include: [],
			returnAll: true,
		}),
		theirs: bench.theirs({
			sendQuery: true,
			queryParameters: {
				parameters: Object.entries({ startTime, endTime }).map(([name, value]) => ({
					name,
					value,
				})),
			},
		}),
	});
	const fromItem = (name: string) => `={{ $json.${name} }}`;
	const { open, ...collections } = mapValues(FIELDS, (fields) =>
		mapValues(fields, (_, name) => fromItem(name)),
	);
	const webBookingId = { __rl: true, mode: 'id', value: fromItem('id') };
	const body = Object.entries(FIELDS).flatMap(([collection, fields]) =>
		Object.keys(fields).map((name) => ({
			name: collection === 'guest' ? `contact.${name}` : name,
			value: fromItem(name),
		})),
	);
	body.push({ name: 'bookingGuid', value: fromItem('id') }, { name: 'times', value: '={{ [] }}' });
	const jobs = [
		{
			name: 'GET, values from the item',
			most: 0.22,
			...list('={{ $json.from }}', '={{ $json.to }}'),
		},
		{ name: 'GET, values fixed', most: 0.28, ...list(from, to) },
		{
			name: 'Update of 20 fields, values from the item',
			most: 0.1,
			ours: bench.ours('update', { webBookingId, times: {}, ...open, ...collections }),
			theirs: bench.theirs({
				method: 'PUT',
				sendBody: true,
				contentType: 'json',
				specifyBody: 'keypair',
				bodyParameters: { parameters: body },
			}),
		},
	];
	// Another booking for each item: changes of one are sent one after the other.
	const items = Array.from({ length: ITEMS }, (_, index) => ({
		id: GUID.slice(0, -4) + String(index).padStart(4, '0'),
		from,
		to,
		...(merge({}, ...Object.values(FIELDS)) as object),
	}));
	for (const { name, most, ...nodes } of jobs) {
		const { ours, theirs } = await measure(bench, nodes, items);
		for (const what of ['calls', 'output'] as const) {
			if (!isDeepStrictEqual(...inOrder(ours[what], theirs[what]))) {
				throw new Error(
					`"${name}": other ${what}:\n${JSON.stringify([ours[what][0], theirs[what][0]])}`,
				);
			}
		}
		const seconds = `${ours.seconds.toFixed(2)} s, ${theirs.seconds.toFixed(2)} s`;
		report(name, ours.seconds / theirs.seconds, most, seconds);
	}
}
