import { existsSync } from 'node:fs';
import { createRequire, registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';
import { transformSync } from '@swc/core';
import groupBy from 'lodash/groupBy.js';
import mapValues from 'lodash/mapValues.js';
import type { ICredentialType, INodeProperties, INodeTypeDescription } from 'n8n-workflow';

import { readMessages } from './messages.ts';

type Words = readonly [happened: string, hint: string];
type StatusWords = Readonly<Record<number, Words>>;

/** What comes out of an operation or event; see `nodes/shared/booking/recordShape.ts`. */
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

/** A node as it stands in the sources. */
export interface NodeSource {
	/** Its folder in `nodes/`, e.g. `HospitalityBooking`. */
	folder: string;
	description: INodeTypeDescription;
	/** Empty for the trigger. */
	resources: readonly ResourceSource[];
	/** What a status means to all operations, where the general words name the wrong things. */
	statusWords?: StatusWords;
	/** Output of the trigger's events; empty for the others. */
	events: ReadonlyArray<{ value: string; name: string; description: string; output: OutputShape }>;
}

const STATUSES = [400, 401, 403, 404, 405, 406, 408, 409, 410, 413, 414, 415, 418, 422, 423, 425, 429];
const SERVER_STATUSES = [500, 501, 502, 503, 504];
const CODES = [
	...['ECONNREFUSED', 'ENOTFOUND', 'CERT_HAS_EXPIRED', 'EAI_AGAIN', 'ETIMEDOUT', 'ECONNRESET'],
	...['EHOSTUNREACH', 'HPE_INVALID_CONSTANT'],
];
/** What can be wrong with a call. */
const FAULTS = [
	...[...STATUSES, ...SERVER_STATUSES].map((status) => ({ kind: 'status', status })),
	...CODES.map((code) => ({ kind: 'connection', code })),
	{ kind: 'status', status: 407, proxy: 'own' },
	{ kind: 'connection', code: 'ECONNREFUSED', proxy: 'own' },
	{ kind: 'connection', code: 'ECONNREFUSED', proxy: 'n8n' },
	{ kind: 'waited' },
	{ kind: 'pause', status: 429, pauseMs: 60_000 },
	{ kind: 'redirect', status: 302, address: '' },
	{ kind: 'body', reason: 'format', status: 200, problem: 'is empty' },
	{ kind: 'body', reason: 'format', status: 200, problem: 'breaks off or is not valid JSON' },
	{ kind: 'body', reason: 'noData', status: 200, problem: 'is something other than data' },
];

const PACKAGE_SOURCE = /\/(?:nodes|credentials)\/.+\.ts$/;

/** The package's own sources are CommonJS for n8n: compiled on the way in, so that nothing has to be built first. */
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

function load<T>(path: string): T {
	return require(`../nodes/${path}`) as T;
}

function description(folder: string): INodeTypeDescription {
	const exported = load<Record<string, new () => { description: INodeTypeDescription }>>(
		`${folder}/${folder}.node.ts`,
	);
	const Type = exported[folder];
	if (!Type) throw new Error(`nodes/${folder}/${folder}.node.ts exports no ${folder}`);
	return new Type().description;
}

/** The nodes as they stand in the sources. What `npm run generate` compiles from the contract must be there. */
export function readNodes(): NodeSource[] {
	type Service = Pick<NodeSource, 'resources' | 'statusWords'>;
	const { bookingService } = load<{ bookingService: Service }>('HospitalityBooking/resources/index.ts');
	const { paymentService } = load<{ paymentService: Service }>('HospitalityPayment/resources/index.ts');
	const { EVENTS } = load<{ EVENTS: NodeSource['events'] }>('HospitalityBookingTrigger/events.ts');
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

/** The credentials as they stand in the sources, in the order in which the package lists them. */
export function readCredentials(): ICredentialType[] {
	return ['HospitalityBookingApi', 'HospitalityPaymentApi'].map((name) => {
		const exported = load<Record<string, new () => ICredentialType>>(`../credentials/${name}.credentials.ts`);
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
	const { faultWords } = load<{ faultWords: (fault: object, context: object) => Words }>(
		'shared/errors/words.ts',
	);
	const { topicOf } = load<{ topicOf: (fault: object) => string }>('shared/errors/callFault.ts');
	const { HELP, anchorOf } = load<{ HELP: Record<string, string>; anchorOf: (message: string) => string }>(
		'shared/errors/help.ts',
	);
	const own = nodes.flatMap(({ resources, statusWords }) => [
		statusWords,
		...resources.flatMap(({ operations }) => operations.map((operation) => operation.statusWords)),
	]);
	const ofCalls = [
		...FAULTS.map((fault) => ({ about: topicOf(fault), words: faultWords(fault, { inRun: true }) })),
		...own.flatMap((statusWords = {}) =>
			Object.entries(statusWords).map(([status, [happened, hint]]) => ({
				about: topicOf({ kind: 'status', status: Number(status) }),
				words: [`${happened} (${status})`, hint] as const,
			})),
		),
	].map(({ about, words: [happened, hint] }) => ({ about, happened: withoutTime(happened), hints: [hint] }));
	const rows = [...ofCalls, ...readMessages()].map((message) => ({
		...message,
		anchor: anchorOf(message.happened),
	}));
	const byText = Object.values(groupBy(rows, ({ about, happened }) => `${about} ${happened}`));
	const merged = byText.flatMap((same) =>
		same.slice(0, 1).map((one) => ({ ...one, hints: [...new Set(same.flatMap(({ hints }) => hints))] })),
	);
	return mapValues(
		groupBy(merged, ({ about }) => HELP[about]),
		(all) => all.map(({ anchor, happened, hints }) => ({ anchor, happened, hints })),
	);
}

/** A pause ends at another time with each run. */
const withoutTime = (text: string) => text.replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/, '…');

/** The package's own function that shapes a record for output; see `nodes/shared/booking/recordShape.ts`. */
export function shapeRecord(
	record: unknown,
	shape: OutputShape,
	mode: 'simplified' | 'raw',
): Record<string, unknown> {
	return load<{
		shapeRecord: (...given: [unknown, OutputShape, string, string[], object]) => Record<string, unknown>;
	}>('shared/booking/recordShape.ts').shapeRecord(record, shape, mode, [], {
		timeZone: 'UTC',
		statusRoles: {},
	});
}
