import { existsSync } from 'node:fs';
import { createRequire, registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';
import { transformSync } from '@swc/core';
import type { ICredentialType, INodeProperties, INodeTypeDescription } from 'n8n-workflow';

/** What comes out of an operation or event; see `nodes/shared/values/recordShape.ts`. */
export interface OutputShape {
	kind: 'list' | 'batch' | 'record';
	schema?: string;
	simplified?: Readonly<Record<string, string | ((record: object) => unknown)>>;
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
	/** Output of the trigger's events; empty for the others. */
	events: ReadonlyArray<{ value: string; name: string; description: string; output: OutputShape }>;
}

const STATUSES = [400, 401, 403, 404, 405, 406, 407, 408, 409, 410, 413, 414, 415, 422, 423, 429];
const SERVER_STATUSES = [500, 501, 502, 503, 504];
const CODES = ['ECONNREFUSED', 'ENOTFOUND', 'CERT_HAS_EXPIRED', 'EAI_AGAIN', 'ETIMEDOUT', 'ECONNRESET'];
/** What can be wrong with a call. */
const FAULTS = [
	...[...STATUSES, ...SERVER_STATUSES].map((status) => ({ kind: 'status', status })),
	...CODES.map((code) => ({ kind: 'connection', code })),
	{ kind: 'waited' },
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
	type Service = { resources: readonly ResourceSource[] };
	const { bookingService } = load<{ bookingService: Service }>('HospitalityBooking/resources/index.ts');
	const { paymentService } = load<{ paymentService: Service }>('HospitalityPayment/resources/index.ts');
	const { EVENTS } = load<{ EVENTS: NodeSource['events'] }>('HospitalityBookingTrigger/events.ts');
	const node = (folder: string, rest: Partial<NodeSource>): NodeSource => ({
		folder,
		description: description(folder),
		resources: [],
		events: [],
		...rest,
	});
	return [
		node('HospitalityBooking', { resources: bookingService.resources }),
		node('HospitalityBookingTrigger', { events: EVENTS }),
		node('HospitalityPayment', { resources: paymentService.resources }),
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

type Words = readonly [happened: string, hint: string];

/** What the nodes say to a call that fails, by the heading that the message links to; see `nodes/shared/errors/`. */
export function readErrorWords(): Array<[heading: string, words: Words[]]> {
	const { faultWords } = load<{ faultWords: (fault: object, context: object) => Words }>(
		'shared/errors/words.ts',
	);
	const { topicOf } = load<{ topicOf: (fault: object) => string }>('shared/errors/callFault.ts');
	const { HELP } = load<{ HELP: Record<string, string> }>('shared/errors/help.ts');
	return Object.entries(HELP)
		.map(([topic, heading]): [string, Words[]] => [
			heading,
			FAULTS.filter((fault) => topicOf(fault) === topic).map((fault) => faultWords(fault, { inRun: true })),
		])
		.filter(([, words]) => words.length > 0);
}

/** The package's own function that shapes a record for output; see `nodes/shared/values/recordShape.ts`. */
export function shapeRecord(
	record: unknown,
	shape: OutputShape,
	mode: 'simplified' | 'raw',
): Record<string, unknown> {
	return load<{
		shapeRecord: (...given: [unknown, OutputShape, string, string[]]) => Record<string, unknown>;
	}>('shared/values/recordShape.ts').shapeRecord(record, shape, mode, []);
}
