import './packageSources.ts';
import { mkdirSync, writeFileSync } from 'node:fs';

import mapValues from 'lodash/mapValues.js';

import {
	type ContractDocument,
	type Schema,
	resolveSchema,
	schemaName,
} from '../contract/model.ts';
import type { OutputShape } from '../nodes/shared/output/recordShape.ts';

/** A schema in the form that n8n's editor reads: one type each, no references. */
interface Preview {
	type: string;
	properties?: Record<string, Preview>;
	items?: Preview;
}

const NODES = new URL('../nodes/', import.meta.url);

/**
 * Writes what n8n's editor shows as "Usually outputs the following fields": one file per operation, and one for the
 * trigger.
 *
 * The editor looks them up by node, version, resource and operation, not by Output mode or trigger event. A preview
 * therefore has the fields of the default mode, 'Simplified', or all fields if there is no 'Output'.
 */
export async function writePreviews(contract: ContractDocument): Promise<void> {
	// They need the files that are generated before.
	const { simplifiedShaper, shapeRaw } = await import('../nodes/shared/output/recordShape.ts');
	const { bookingService } = await import('../nodes/HospitalityBooking/resources/index.ts');
	const { eventRows } = await import('../nodes/HospitalityBookingTrigger/events/events.ts');
	const { paymentService } = await import('../nodes/HospitalityPayment/resources/index.ts');
	/** Some values of Simplified are computed from several fields: the types are read from an example. */
	const exampleOutput = ({ schema, simplified, headers = [], ...shape }: OutputShape): object => {
		// The output for a response without a body.
		if (schema === undefined) return { success: true };
		const record = exampleOf(contract, { $ref: `#/components/schemas/${schema}` }) as object;
		const context = { timeZone: 'UTC', language: 'en-GB', statusRoles: {} };
		const shaper = simplified ? simplifiedShaper({ ...shape, simplified }, context) : shapeRaw;
		const shaped = shaper(record);
		return { ...shaped, ...Object.fromEntries(headers.map((name) => [name, 'text'])) };
	};
	for (const [folder, { resources }] of Object.entries({
		HospitalityBooking: bookingService,
		HospitalityPayment: paymentService,
	})) {
		for (const { value: resource, operations } of resources) {
			for (const { value: operation, output } of operations) {
				write(`${folder}/__schema__/v1.0.0/${resource}`, operation, exampleOutput(output));
			}
		}
	}
	// Added to events that are found by comparison with what was last seen.
	const times = { start: '', end: '' };
	const changes = { fields: ['start'], before: times, now: times };
	const outputs = eventRows().map(({ kind }) => exampleOutput(kind.output));
	write(
		'HospitalityBookingTrigger/__schema__',
		'v1.0.0',
		Object.assign({}, ...outputs, { changes }) as object,
	);
}

function write(folder: string, name: string, output: object): void {
	mkdirSync(new URL(folder, NODES), { recursive: true });
	const text = `${JSON.stringify({ ...previewOfValue(output), version: 1 }, null, '\t')}\n`;
	writeFileSync(new URL(`${folder}/${name}.json`, NODES), text);
}

function previewOfValue(value: unknown): Preview {
	if (Array.isArray(value)) {
		return {
			type: 'array',
			items: value.length > 0 ? previewOfValue(value[0]) : { type: 'string' },
		};
	}
	if (value === null || value === undefined) return { type: 'string' };
	if (typeof value === 'object') {
		return { type: 'object', properties: mapValues({ ...value }, previewOfValue) };
	}
	return { type: Number.isInteger(value) ? 'integer' : typeof value };
}

/** An example value of each type. */
const VALUES: Record<string, unknown> = { integer: 1, number: 0.5, boolean: true, object: {} };

/** @param within names of the schemas around it: a schema that contains itself is shown to one level */
function exampleOf(
	contract: ContractDocument,
	schema: Schema,
	within: readonly string[] = [],
): unknown {
	const name = schemaName(schema);
	if (name !== undefined && within.includes(name)) return {};
	const path = name === undefined ? within : [...within, name];
	const { properties, items, type, format } = resolveSchema(contract, schema);
	if (properties) return mapValues(properties, (own) => exampleOf(contract, own, path));
	if (items) return [exampleOf(contract, items, path)];
	const plain = [type].flat().find((one) => one !== 'null') ?? '';
	return VALUES[plain] ?? (format === 'date-time' ? '2026-12-24T18:00:00Z' : 'text');
}
