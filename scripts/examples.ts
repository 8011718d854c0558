import mapValues from 'lodash/mapValues.js';

import { type ContractDocument, type Schema, resolveSchema, schemaName } from '../contract/contract.ts';

/** Believable values by field name, where the contract has no example; the first rule that fits is taken. */
const TEXTS: Array<[name: RegExp, value: string]> = [
	[/^(guid|bookingGuid|menuGuid)$/i, '3f2504e0-4f89-41d3-9a0c-0305e82c3301'],
	[/^(globalBookingNumber|bookingNumber|longBookingNumber)$/, 'B-10482'],
	[/fname|firstName/i, 'Anna'],
	[/lname|lastName/i, 'Berg'],
	[/(created|changed|updated)By$/i, 'Robin'],
	[/email/i, 'anna.berg@example.com'],
	[/phone|mobile|msisdn|fax/i, '+46701234567'],
	[/street/i, 'Harbour Road 4'],
	[/zipcode/i, '411 04'],
	[/city/i, 'Gothenburg'],
	[/orgNr/i, '556677-8899'],
	[/customerNumber/i, 'C-1001'],
	[/currency/i, 'SEK'],
	[/color|hexValue/i, '#2f6f8f'],
	[/statusName/, 'Confirmed'],
	[/Status$/, 'Active'],
	[/^Order(Number)?$/, 'O-2041'],
	[/AuthenticationToken/, '***'],
	[/PlanId|^Id$/, 'plan-1001'],
	[/message|text|comment/i, 'A window table, please'],
	[/description/i, 'Served with bread and butter'],
	[/name/i, 'Harbour House'],
	[/id$/i, '1001'],
];

/** What a field `name` says, by the schema it stands in. */
const NAMES: Array<[schema: RegExp, name: string]> = [
	[/Article|Menu/, 'Toast Skagen'],
	[/Customer/, 'Harbour Events'],
	[/Recipient/, 'Anna Berg'],
];

const NUMBERS: Array<[name: RegExp, value: number]> = [
	[/bookingRootId/i, 10231],
	[/guests/, 4],
	[/^Amount$/, 249],
	[/inclVat|IncVat|InclVat/i, 185],
	[/vat$|vatPercent/i, 25],
	[/id$|number$/i, 1001],
	[/max/i, 10],
];

const TIMES: Array<[name: RegExp, value: string]> = [
	[/end/i, '2026-12-24T20:30:00Z'],
	[/created/i, '2026-12-01T09:12:00Z'],
	[/change/i, '2026-12-02T14:05:31Z'],
	[/sentTime/, '2026-12-25T09:00:00Z'],
	[/openedTime/, '2026-12-25T17:20:00Z'],
	[/respondedTime/, '2026-12-25T17:24:00Z'],
	[/./, '2026-12-24T18:00:00Z'],
];

/**
 * A record as the service could return it.
 *
 * @param schema from the contract; its names decide which values stand for it, so that the same contract gives the same
 * @param within names of the schemas around it: one that holds itself is not repeated
 */
export function exampleOf(
	contract: ContractDocument,
	schema: Schema,
	field = '',
	within: readonly string[] = [],
): unknown {
	const name = schemaName(schema);
	if (name !== undefined && within.includes(name)) return undefined;
	const path = name === undefined ? within : [...within, name];
	const { properties, items, type, format, example, enum: allowed } = resolveSchema(contract, schema);
	if (properties) return mapValues(properties, (value, own) => exampleOf(contract, value, own, path));
	// What an operation returns is a success.
	if (items && /Errors$/.test(field)) return [];
	if (items) {
		const entry = exampleOf(contract, items, field, path);
		return entry === undefined ? [] : [entry];
	}
	if (example !== undefined) return example;
	if (allowed) return allowed[0];
	switch (plainType(type)) {
		case 'integer':
			return pick(NUMBERS, field) ?? 1;
		case 'number':
			return pick(NUMBERS, field) ?? 125.5;
		case 'boolean':
			return field === 'IsAuthenticated';
		case 'object':
			return {};
		default:
			if (format === 'date-time') return exampleTime(field);
			if (format === 'date') return '2026-12-24';
			if (format === 'uuid') return '3f2504e0-4f89-41d3-9a0c-0305e82c3301';
			return exampleText(path.at(-1) ?? '', field);
	}
}

function exampleText(schema: string, field: string): string {
	const name = /^name$|FacingName$/.test(field) ? pick(NAMES, schema) : undefined;
	return name ?? pick(TEXTS, field) ?? 'text';
}

/** A date and time that fits the name of a field or parameter. */
function exampleTime(field: string): string | undefined {
	return pick(TIMES, field);
}

/** The type of a schema, its `null` aside. */
export function plainType(type: Schema['type']): string {
	return [type].flat().find((one) => one !== 'null') ?? 'string';
}

function pick<T>(rules: Array<[RegExp, T]>, field: string): T | undefined {
	return rules.find(([name]) => name.test(field))?.[1];
}
