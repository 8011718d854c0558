import { existsSync } from 'node:fs';
import { createRequire, registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';
import { transformSync } from '@swc/core';
import groupBy from 'lodash/groupBy.js';
import isEqual from 'lodash/isEqual.js';
import mapValues from 'lodash/mapValues.js';
import type { ICredentialType, INodeProperties, INodeTypeDescription } from 'n8n-workflow';

import { readMessages } from './messages.ts';

type Words = readonly [happened: string, hint: string];
type StatusWords = Readonly<Record<number, Words>>;

/** The output of an operation or event; see `nodes/shared/booking/recordShape.ts`. */
export interface OutputShape {
	kind: 'list' | 'batch' | 'record';
	schema?: string;
	simplified?: Readonly<Record<string, string | ((record: object, context: object) => unknown)>>;
}

/** What the tools read of an operation; see `nodes/shared/operation/operation.ts`. */
export interface OperationSource {
	value: string;
	name: string;
	action: string;
	description: string;
	method: string;
	path: string;
	pathFields?: ReadonlyArray<{ at: string; property: INodeProperties }>;
	body?: { schema: string; example: unknown };
	output: OutputShape;
	takesSystem?: boolean;
	statusWords?: StatusWords;
}

/** What the tools read of a resource. */
export interface ResourceSource {
	value: string;
	name: string;
	description: string;
	operations: readonly OperationSource[];
}

/** A node, read from the sources. */
export interface NodeSource {
	/** Its folder in `nodes/`, e.g. `HospitalityBooking`. */
	folder: string;
	description: INodeTypeDescription;
	/** Empty for the trigger. */
	resources: readonly ResourceSource[];
	/** Messages for statuses that the general messages would describe wrongly, for all operations. */
	statusWords?: StatusWords;
	/** Output of the trigger's events; empty for the others. */
	events: ReadonlyArray<{ value: string; name: string; description: string; output: OutputShape }>;
}

const statuses = (...all: number[]) => all.map((status) => ({ kind: 'status', status }));
const codes = (...all: string[]) => all.map((code) => ({ kind: 'connection', code }));
/** What can be wrong with a call, by headings of docs/troubleshooting.md. */
const FAULTS: Record<string, object[]> = {
	'The values of a call': statuses(400, 404, 409, 410, 413, 414, 418, 422, 423),
	'The account': statuses(401, 403),
	'Too many calls': [
		...statuses(429),
		{ kind: 'status', status: 429, retryAfterMs: 60_000, isUnsent: true },
		{ kind: 'waited' },
	],
	'The address': [
		...statuses(405, 406, 415, 501),
		{ kind: 'redirect', status: 302, address: '' },
		{ kind: 'redirect', status: 302, address: '…' },
		...codes('ECONNREFUSED', 'ENOTFOUND', 'CERT_HAS_EXPIRED', 'EHOSTUNREACH', 'HPE_INVALID_CONSTANT'),
	],
	'The service or the network': [
		...statuses(408, 425, 500, 502, 503, 504),
		...codes('EAI_AGAIN', 'ETIMEDOUT', 'ECONNRESET'),
	],
	'A proxy': [
		{ kind: 'status', status: 407, proxy: 'own' },
		...['own', 'n8n'].map((proxy) => ({ kind: 'connection', code: 'ECONNREFUSED', proxy })),
	],
	'The response': [
		{ kind: 'body', reason: 'size', status: 200, problem: 'is larger than … MB' },
		{ kind: 'body', reason: 'format', status: 200, problem: 'is empty' },
		{ kind: 'body', reason: 'format', status: 200, problem: 'breaks off or is not valid JSON' },
		{ kind: 'body', reason: 'noData', status: 200, problem: 'is something other than data' },
	],
};

const PACKAGE_SOURCE = /\/(?:nodes|credentials)\/.+\.ts$/;

/** The package's sources are CommonJS for n8n: compiled on import, without a build. */
registerHooks({
	resolve(specifier, context, nextResolve) {
		if (!specifier.startsWith('.') || !PACKAGE_SOURCE.test(context.parentURL ?? ''))
			return nextResolve(specifier, context);
		const target = new URL(specifier, context.parentURL);
		const file = [`${target.href}.ts`, `${target.href}/index.ts`].find((url) => existsSync(new URL(url)));
		return nextResolve(file === undefined ? specifier : fileURLToPath(file), context);
	},
	load(url, context, nextLoad) {
		if (url.includes('/node_modules/') || !PACKAGE_SOURCE.test(url)) return nextLoad(url, context);
		const { source } = nextLoad(url, { ...context, format: 'module' });
		const { code } = transformSync(String(source), {
			filename: fileURLToPath(url),
			jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
			module: { type: 'commonjs' },
		});
		return { format: 'commonjs', source: code, shortCircuit: true };
	},
});

const require = createRequire(import.meta.url);

/** @returns what a source file exports, e.g. of `shared/http/response.ts` */
export function loadSource<T>(path: string): T {
	return require(`../nodes/${path}`) as T;
}

function description(folder: string): INodeTypeDescription {
	const exported = loadSource<Record<string, new () => { description: INodeTypeDescription }>>(
		`${folder}/${folder}.node.ts`,
	);
	const Type = exported[folder];
	if (!Type) throw new Error(`nodes/${folder}/${folder}.node.ts exports no ${folder}`);
	return new Type().description;
}

/** Reads the nodes from the sources. Needs the files that `npm run generate` compiles from the contract. */
export function readNodes(): NodeSource[] {
	type Service = Pick<NodeSource, 'resources' | 'statusWords'>;
	const { bookingService } = loadSource<{ bookingService: Service }>('HospitalityBooking/resources/index.ts');
	const { paymentService } = loadSource<{ paymentService: Service }>('HospitalityPayment/resources/index.ts');
	const { EVENTS } = loadSource<{ EVENTS: NodeSource['events'] }>('HospitalityBookingTrigger/events.ts');
	const node = (
		folder: string,
		{ resources = [], events = [], statusWords }: Partial<NodeSource>,
	): NodeSource => ({
		folder,
		description: description(folder),
		resources,
		events,
		statusWords,
	});
	return [
		node('HospitalityBooking', bookingService),
		node('HospitalityBookingTrigger', { events: EVENTS }),
		node('HospitalityPayment', paymentService),
	];
}

/** Reads the credentials from the sources, in the order in which the package lists them. */
export function readCredentials(): ICredentialType[] {
	return ['HospitalityBookingApi', 'HospitalityPaymentApi'].map((name) => {
		const exported = loadSource<Record<string, new () => ICredentialType>>(
			`../credentials/${name}.credentials.ts`,
		);
		const Type = exported[name];
		if (!Type) throw new Error(`credentials/${name}.credentials.ts exports no ${name}`);
		return new Type();
	});
}

/** A message of the nodes as docs/troubleshooting.md lists it. */
export interface MessageRow {
	/** Where the message's link leads. */
	anchor: string;
	happened: string;
	hints: string[];
}

/** What the nodes say when something fails, by headings of docs/troubleshooting.md; see `nodes/shared/errors/`. */
export function readMessageTable(nodes: readonly NodeSource[]): Record<string, MessageRow[]> {
	const { faultWords } = loadSource<{ faultWords: (fault: object, context: object) => Words }>(
		'shared/errors/words.ts',
	);
	const { anchorOf } = loadSource<{ anchorOf: (message: string) => string }>('shared/errors/help.ts');
	const own = nodes.flatMap(({ resources, statusWords }) => [
		statusWords,
		...resources.flatMap(({ operations }) => operations.map((operation) => operation.statusWords)),
	]);
	const headingOf = (status: number) =>
		Object.keys(FAULTS).find((heading) =>
			FAULTS[heading]?.some((fault) => isEqual(fault, statuses(status)[0])),
		);
	const ofCalls = [
		...Object.entries(FAULTS).flatMap(([heading, faults]) =>
			faults.map((fault) => ({ heading, words: faultWords(fault, { inRun: true }) })),
		),
		...own.flatMap((statusWords = {}) =>
			Object.entries(statusWords).map(([status, [happened, hint]]) => ({
				heading: headingOf(Number(status)) ?? 'The values of a call',
				words: [`${happened} (${status})`, hint] as const,
			})),
		),
	].map(({ heading, words: [happened, hint] }) => ({
		heading,
		happened: withoutTime(happened),
		hints: [hint],
	}));
	const rows = [...ofCalls, ...readMessages()].map((message) => ({
		...message,
		anchor: anchorOf(message.happened),
	}));
	const byText = Object.values(groupBy(rows, ({ heading, happened }) => `${heading} ${happened}`));
	const merged = byText.flatMap((same) =>
		same.slice(0, 1).map((one) => ({ ...one, hints: [...new Set(same.flatMap(({ hints }) => hints))] })),
	);
	return mapValues(groupBy(merged, 'heading'), (all) =>
		all.map(({ anchor, happened, hints }) => ({ anchor, happened, hints })),
	);
}

/** The end of a pause differs with each run. */
const withoutTime = (text: string) => text.replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/, '…');

/** The package's own function that shapes a record for output; see `nodes/shared/booking/recordShape.ts`. */
export function shapeRecord(
	record: unknown,
	shape: OutputShape,
	mode: 'simplified' | 'raw',
): Record<string, unknown> {
	return loadSource<{
		shapeRecord: (...given: [unknown, OutputShape, string, string[], object]) => Record<string, unknown>;
	}>('shared/booking/recordShape.ts').shapeRecord(record, shape, mode, [], {
		timeZone: 'UTC',
		statusRoles: {},
	});
}
