import { type INodeProperties, updateDisplayOptions } from 'n8n-workflow';

import { type Field, sortedByName } from './fields';
import { exampleHint } from './jsonField';

/** A part of the form for a body: fields at the top level, or a collection of optional ones. */
export interface BodySection<F = Field> {
	/** Title of the collection; without one the fields stand at the top level. */
	title?: string;
	/** Parameter name of the collection. */
	name?: string;
	description?: string;
	fields: readonly F[];
	/** Whether the fields name the record: they stand above 'Values' and are needed either way. */
	namesRecord?: true;
}

/** The body of an operation. */
export interface BodyPart {
	/** Request schema in `contract/openapi.yaml` that every body is checked against before it is sent. */
	schema: string;
	sections: readonly BodySection[];
	/** Example for 'Using JSON', shown below it. */
	example: unknown;
	/** For an update: the fields that name the record. A body with nothing else changes nothing and is refused. */
	identifiedBy?: readonly string[];
	/** Where 'Using JSON' takes something other than the body itself. */
	json?: {
		description: string;
		/** @returns the body */
		toBody(json: Record<string, unknown>): Record<string, unknown>;
	};
}

const USING_FIELDS = 'fields';
export const USING_JSON = 'json';

/** Fields of the body that name the record, above 'Values'. The JSON may hold them instead. */
export function record<F>(...fields: readonly F[]): BodySection<F> {
	return { fields, namesRecord: true };
}

/** Fields at the top level of the form. */
export function topLevel<F>(...fields: readonly F[]): BodySection<F> {
	return { fields };
}

/** Related optional fields, in a collection. */
export function collection<F>(
	title: string,
	name: string,
	fields: readonly F[],
	description?: string,
): BodySection<F> {
	return { title, name, fields, description };
}

/** The parameters of a body: the record, 'Values', then the fields or the JSON. */
export function bodyProperties({ sections, example, json }: BodyPart): INodeProperties[] {
	if (sections.length === 0) return [];
	const own = sections.filter(({ namesRecord }) => !namesRecord).flatMap(sectionProperties);
	const mode: INodeProperties = {
		displayName: 'Values',
		name: 'bodyMode',
		type: own.length > 0 ? 'options' : 'hidden',
		noDataExpression: true,
		options: [
			{ name: 'Using Fields Below', value: USING_FIELDS },
			{ name: 'Using JSON', value: USING_JSON },
		],
		default: USING_FIELDS,
		description: 'How to give the values to send',
	};
	const whole: INodeProperties = {
		displayName: 'JSON',
		name: 'jsonBody',
		type: 'json',
		typeOptions: { rows: 12 },
		default: '',
		required: true,
		description: `${json?.description ?? 'All values to send, as one JSON object'}. It is checked before anything is sent.`,
		hint: exampleHint(example),
	};
	const records = sections.filter(({ namesRecord }) => namesRecord).flatMap(({ fields }) => fields);
	return [
		...shownFor(USING_FIELDS, ...records.map(({ property }) => property)),
		...shownFor(USING_JSON, ...records.map(orInJson)),
		mode,
		...shownFor(USING_FIELDS, ...own),
		...shownFor(USING_JSON, whole),
	];
}

function shownFor(bodyMode: string, ...properties: INodeProperties[]): INodeProperties[] {
	return updateDisplayOptions({ show: { bodyMode: [bodyMode] } }, properties);
}

/** A record that the JSON may name instead, so that n8n must not ask for it. */
function orInJson({ at, property }: Field): INodeProperties {
	const description = `${property.description?.replace(/\.$/, '')}. May stay empty where the JSON holds it as '${at}'.`;
	return { ...property, required: false, description };
}

function sectionProperties({ title, name, fields, description }: BodySection): INodeProperties[] {
	const properties = fields.map(({ property }) => property);
	if (title === undefined || name === undefined) return properties;
	return [
		{
			displayName: title,
			name,
			type: 'collection',
			placeholder: 'Add Field',
			default: {},
			description,
			options: sortedByName(properties),
		},
	];
}
