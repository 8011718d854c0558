import { existsSync } from 'node:fs';
import { createRequire, registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';
import { transformSync } from '@swc/core';
import type { INodeProperties, INodeTypeDescription } from 'n8n-workflow';

/** What comes out of an operation or event; see `nodes/shared/booking/recordShape.ts`. */
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
	pathFields?: ReadonlyArray<{ placeholder: string; property: INodeProperties }>;
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

const STATUSES = [400, 401, 403, 404, 405, 409, 429, 500, 502, 503, 504];
const CODES = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'ETIMEDOUT', 'ECONNRESET', 'CERT_HAS_EXPIRED'];

const PACKAGE_SOURCE = /\/nodes\/.+\.ts$/;

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

/** What the nodes say to a response that is not 2xx and to a connection that fails; see `nodes/shared/errors/words.ts`. */
export function readErrorWords(): Array<readonly [happened: string, hint: string]> {
	const { faultWords } = load<{
		faultWords: (fault: object, context: object) => readonly [happened: string, hint: string];
	}>('shared/errors/words.ts');
	return [
		...STATUSES.map((status) => ({ kind: 'status', status })),
		...CODES.map((code) => ({ kind: 'connection', code })),
	].map((fault) => faultWords(fault, { inRun: true }));
}

/** The package's own function that shapes a record for output; see `nodes/shared/booking/recordShape.ts`. */
export function shapeRecord(
	record: unknown,
	shape: OutputShape,
	mode: 'simplified' | 'raw',
): Record<string, unknown> {
	return load<{
		shapeRecord: (...given: [unknown, OutputShape, string, string[]]) => Record<string, unknown>;
	}>('shared/booking/recordShape.ts').shapeRecord(record, shape, mode, []);
}
