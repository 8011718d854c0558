import { mkdirSync, rmSync, writeFileSync } from 'node:fs';

import mapValues from 'lodash/mapValues.js';

import { type ContractDocument, type Schema, resolveSchema, schemaName } from '../contract/contract.ts';
import { exampleOf, plainType } from './examples.ts';
import { type NodeSource, type OutputShape, shapeRecord } from './nodeSources.ts';

/** A schema in the form that n8n's editor reads: one type each, no references. */
interface Preview {
	type: string;
	properties?: Record<string, Preview>;
	items?: Preview;
}

const NODES = new URL('../nodes/', import.meta.url);
/** What an answer without a body becomes. */
const SUCCESS: Preview = { type: 'object', properties: { success: { type: 'boolean' } } };

/**
 * Writes what n8n's editor shows as "Usually outputs the following fields": one file an operation, and one for the
 * trigger.
 *
 * The editor asks by node, version, resource and operation; it cannot tell Output modes apart, nor trigger events. So
 * a preview has the fields of the mode that is set unless changed, 'Simplified'; where there is no 'Output', all.
 */
export function writePreviews(contract: ContractDocument, nodes: readonly NodeSource[]): void {
	for (const { folder, resources, events } of nodes) {
		rmSync(new URL(`${folder}/__schema__`, NODES), { recursive: true, force: true });
		for (const { value: resource, operations } of resources) {
			for (const { value: operation, output } of operations) {
				write(`${folder}/__schema__/v1.0.0/${resource}`, operation, previewOf(contract, [output]));
			}
		}
		if (events.length > 0) {
			const preview = previewOf(contract, [...new Set(events.map(({ output }) => output))]);
			write(`${folder}/__schema__`, 'v1.0.0', withChanges(preview));
		}
	}
}

function write(folder: string, name: string, preview: Preview): void {
	mkdirSync(new URL(folder, NODES), { recursive: true });
	const text = `${JSON.stringify({ ...preview, version: 1 }, null, '\t')}\n`;
	writeFileSync(new URL(`${folder}/${name}.json`, NODES), text);
}

/** @param outputs of one operation, or of all events of a trigger */
function previewOf(contract: ContractDocument, outputs: readonly OutputShape[]): Preview {
	const fields = outputs.map((output) => simplifiedFields(contract, output) ?? rawFields(contract, output));
	return { type: 'object', properties: Object.assign({}, ...fields) as Record<string, Preview> };
}

/** What the trigger adds where an event is told by what was last seen. */
function withChanges({ properties, ...preview }: Preview): Preview {
	const changes = previewOfValue({ fields: ['start'], before: { start: '', end: '' } });
	return { ...preview, properties: { ...properties, changes } };
}

function rawFields(contract: ContractDocument, { schema }: OutputShape): Record<string, Preview> {
	if (schema === undefined) return SUCCESS.properties ?? {};
	return toPreview(contract, { $ref: `#/components/schemas/${schema}` }).properties ?? {};
}

/** Their types are read off an example: some are put together from several fields. */
function simplifiedFields(
	contract: ContractDocument,
	output: OutputShape,
): Record<string, Preview> | undefined {
	if (!output.simplified || output.schema === undefined) return undefined;
	const record = exampleOf(contract, { $ref: `#/components/schemas/${output.schema}` });
	return mapValues(shapeRecord(record, output, 'simplified'), previewOfValue);
}

function previewOfValue(value: unknown): Preview {
	if (Array.isArray(value))
		return { type: 'array', items: value.length > 0 ? previewOfValue(value[0]) : { type: 'string' } };
	if (value === null || value === undefined) return { type: 'string' };
	if (typeof value === 'object')
		return { type: 'object', properties: mapValues({ ...value }, previewOfValue) };
	return { type: Number.isInteger(value) ? 'integer' : typeof value };
}

/** @param within names of the schemas around it: one that holds itself is shown to one level */
function toPreview(contract: ContractDocument, schema: Schema, within: readonly string[] = []): Preview {
	const name = schemaName(schema);
	const path = name === undefined ? within : [...within, name];
	const { properties, items, type } = resolveSchema(contract, schema);
	if (name !== undefined && within.includes(name)) return { type: 'object', properties: {} };
	if (properties)
		return { type: 'object', properties: mapValues(properties, (own) => toPreview(contract, own, path)) };
	if (items) return { type: 'array', items: toPreview(contract, items, path) };
	return plainType(type) === 'object' ? { type: 'object', properties: {} } : { type: plainType(type) };
}
