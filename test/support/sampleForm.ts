import attempt from 'lodash/attempt';
import cloneDeep from 'lodash/cloneDeep';
import get from 'lodash/get';
import memoize from 'lodash/memoize';
import set from 'lodash/set';
import { readDeployment } from '../../nodes/shared/auth/deployment';
import type { Field } from '../../nodes/shared/form/fields';
import { makeField } from '../../nodes/shared/form/makeField';
import { filledIn as valueOf } from '../../nodes/shared/form/values';
import type {
	ItemContext,
	ItemRequest,
	Operation,
	Service,
} from '../../nodes/shared/operation/operation';
import { bookingService } from '../../nodes/HospitalityBooking/resources';
import { paymentService } from '../../nodes/HospitalityPayment/resources';
import { OmittedData } from '../../nodes/shared/operation/omitted';
import { prepareRequest } from '../../nodes/shared/run/request';
import type { Schema } from '../../contract/model';
import {
	bodySchema,
	fieldsOf,
	operation as contractOperation,
	sampleOf,
	typesOf,
} from '../sandbox/support/contract';

export const GUID = '3f2504e0-4f89-41d3-9a0c-0305e82c3301';

export type Form = Record<string, unknown>;

/** An operation of either node. */
export interface Row {
	/** As in the contract: `webBooking.cancel`. */
	id: string;
	service: Service;
	operation: Operation;
	fields: FormField[];
}

/** A field of a query or body, and where it stands on the form. */
export interface FormField extends Field {
	/** Name of its collection; undefined for one that stands open. */
	collection?: string;
	/** `result`: not sent, the node filters by it. */
	in: 'query' | 'body' | 'result';
}

/** Every operation of both nodes. */
export const rows: readonly Row[] = [bookingService, paymentService].flatMap((service) =>
	service.resources.flatMap(({ value: resource, operations }) =>
		operations.map((operation) => {
			const id = `${resource}.${operation.value}`;
			return { id, service, operation, fields: formFieldsOf(id, operation) };
		}),
	),
);

function formFieldsOf(id: string, { query = [], body, output }: Operation): FormField[] {
	const sent = ['include', ...contractOperation(id).parameters.map(({ name }) => name)];
	const related = output.related ? [makeField(output.related.field)] : [];
	return [
		...related.map((field): FormField => ({ ...field, in: 'query' })),
		...query.flatMap(({ collection, fields }) =>
			fields.map((field): FormField => {
				return {
					...field,
					collection: collection?.name,
					in: sent.includes(field.path) ? 'query' : 'result',
				};
			}),
		),
		...(body?.sections ?? []).flatMap(({ collection, fields }) =>
			fields.map((field): FormField => ({ ...field, collection: collection?.name, in: 'body' })),
		),
	];
}

/** The form of an operation with a value in every field. */
export function fullForm(row: Row): Form {
	return cloneDeep(filledIn(row));
}

const filledIn = memoize(
	({ operation: { pathFields = [], parameters = [], body }, fields }: Row): Form => {
		const form: Form = { options: {} };
		for (const { property, serialize } of pathFields) {
			form[property.name] = String(attempt(() => serialize('7', 'UTC'))) === '7' ? '7' : GUID;
		}
		for (const { property } of parameters) form[property.name] = property.default;
		for (const field of fields) {
			if (field.in !== 'result') setField(form, field, sampleValue(field, body?.example));
		}
		for (const [path, other] of Object.entries(body?.sameIds ?? {})) {
			const field = fields.find((one) => one.path === path);
			const same = other === 'path' ? pathFields[0]?.property.name : other;
			if (field && same !== undefined && same in form) setField(form, field, form[same]);
		}
		if ('include' in form) {
			Object.assign(form, { output: 'raw', include: ['includeTableArticles'] });
		}
		if ('endTime' in form) {
			Object.assign(form, { getBy: 'period', endTime: '2031-05-02T18:00:00Z' });
		}
		return form;
	},
);

/**
 * Every field of the contract filled in, as JSON, each with a value of its own, so that one that lands in another place is
 * seen; the IDs as on the form.
 */
export function fullBody(row: Row): Form {
	const { pathFields = [], body: { sections = [], sameIds = {}, repeatsId } = {} } = row.operation;
	const schema = bodySchema(contractOperation(row.id)) ?? {};
	const body = cloneDeep(sampleOf(schema)) as Form;
	for (const [index, { path, schema: own }] of fieldsOf(schema).entries()) {
		const value = distinctValue(path.join('.'), index, own);
		if (value !== undefined) set(body, path, value);
	}
	const form = fullForm(row);
	const pathId = form[pathFields[0]?.property.name ?? ''];
	for (const { path, property, serialize, namesRecord } of sections.flatMap(
		({ fields }) => fields,
	)) {
		if (namesRecord) set(body, path, serialize(form[property.name], 'UTC'));
	}
	for (const [path, other] of Object.entries(sameIds)) {
		set(body, path, other === 'path' ? pathId : get(body, other));
	}
	if (repeatsId !== undefined) {
		body[repeatsId] = typeof body[repeatsId] === 'number' ? Number(pathId) : pathId;
	}
	return body;
}

/** Undefined where the sample of the contract stays: objects, lists of objects and codes. */
function distinctValue(place: string, index: number, schema: Schema): unknown {
	const [type] = typesOf(schema);
	if (schema.enum) return undefined;
	if (schema.format === 'date-time') {
		const [hour, minute] = [index % 24, index % 60].map((part) => String(part).padStart(2, '0'));
		return `2031-05-01T${hour}:${minute}:00Z`;
	}
	if (schema.format === 'uuid') {
		return `00000000-0000-4000-8000-${String(index + 1).padStart(12, '0')}`;
	}
	if (type === 'string') return `${place} é`;
	if (type === 'integer') return 1000 + index;
	if (type === 'number') return 1000.25 + index;
	if (type !== 'array' || schema.items === undefined) return undefined;
	const [entry] = typesOf(schema.items);
	if (entry === 'string') return [`${place} one`, `${place} two`];
	return entry === 'integer' ? [2000 + index, 3000 + index] : undefined;
}

/** The form with each value of a body where its field stands. */
export function formOfBody(row: Row, body: Form): Form {
	const form = fullForm(row);
	for (const field of row.fields.filter((own) => own.in === 'body')) {
		setField(form, field, asFilledIn(field, get(body, field.path)));
	}
	return form;
}

/** A value as a person fills it in: lists with commas, lists of objects as rows, maps as rows of name and value. */
function asFilledIn({ property, entries = [] }: Field, value: unknown): unknown {
	if (property.type === 'json') return JSON.stringify(value);
	if (property.type === 'resourceLocator') return { __rl: true, mode: 'id', value };
	if (Array.isArray(value)) {
		if (value.every((entry) => typeof entry !== 'object')) return value.join(', ');
		const [first, ...rest] = value.map((one: Form) =>
			Object.fromEntries(
				entries.map((own) => [own.property.name, asFilledIn(own, get(one, own.path))]),
			),
		);
		return property.type === 'resourceMapper'
			? { mappingMode: 'defineBelow', value: first, schema: [] }
			: { entry: [first, ...rest] };
	}
	if (typeof value !== 'object' || value === null) return value;
	return { entry: Object.entries(value).map(([name, own]) => ({ name, value: own as unknown })) };
}

/** Sets a field where it stands on the form. */
export function setField(form: Form, { collection, property }: FormField, value: unknown): void {
	if (collection === undefined) form[property.name] = value;
	else form[collection] = { ...(form[collection] as Form | undefined), [property.name]: value };
}

/** The form with another value in a field. */
export function withValue(row: Row, field: FormField, value: unknown): Form {
	const form = fullForm(row);
	setField(form, field, value);
	return form;
}

const CANDIDATES = [
	true,
	GUID,
	7,
	'2031-05-01T18:00:00Z',
	{ entry: [{ name: 'name', value: 'x' }] },
];

/**
 * A value that the field takes.
 *
 * @param example of the body, for a JSON parameter
 */
export function sampleValue(
	{ path, property, entries, serialize }: Field,
	example?: unknown,
): unknown {
	if (property.type === 'json') return get(example, path);
	const rowOf = (inner: readonly Field[]) =>
		Object.fromEntries(inner.map((each) => [each.property.name, sampleValue(each)]));
	if (property.type === 'resourceMapper' && entries) {
		return {
			mappingMode: 'defineBelow',
			value: { ...rowOf(entries), articleId: GUID },
			schema: [],
		};
	}
	if (entries) return { entry: [rowOf(entries)] };
	const listed = (property.options ?? []).flatMap((option) =>
		'value' in option ? [option.value] : [],
	);
	const taken = [...listed, ...CANDIDATES].find(
		(value) => !(attempt(() => serialize(value, 'UTC')) instanceof Error),
	);
	if (taken === undefined) throw new Error(`No value for ${property.displayName}`);
	return property.type === 'multiOptions' ? [taken] : taken;
}

/** Of a run. */
export const SETTINGS = { concurrencyLimit: 1, giveUpAfterMs: 0, timeout: 300_000 };

/** @param evaluated what the form comes to, where it has expressions */
export function itemOf(
	{ operation }: Row,
	form: Form,
	timeZone = 'UTC',
	evaluated = form,
): ItemContext {
	return {
		node: { parameters: form, type: 'hospitalityBooking' },
		itemIndex: 0,
		action: operation.action,
		omitted: new OmittedData(),
		account: { timeZone, statusRoles: {}, deployment: readDeployment({}) },
		getParameter: (name: string) => valueOf(get(evaluated, name)),
	} as unknown as ItemContext;
}

/** The request that a form comes to; parameters as for {@link itemOf}. */
export async function prepare(
	row: Row,
	...rest: [form: Form, timeZone?: string, evaluated?: Form]
): Promise<ItemRequest> {
	return prepareRequest(itemOf(row, ...rest), row.operation, SETTINGS);
}

/** How a person recognizes the record that an operation changes, filled in as {@link fullForm} does. */
export const RECORDS: Readonly<Record<string, string>> = {
	'article.batchUpdate': `'Company ID' ${GUID}, 'Brand ID' ${GUID}`,
	'articleGroup.update': "'Article Group ID' 7",
	'campaign.update': "'Campaign ID' 7",
	'checkoutBooking.cancelToBeInvoiced': `'Alias' ${GUID}`,
	'checkoutBooking.checkIn': "'Booking Number, Else Root ID' 7",
	'checkoutBooking.checkOut': "'Booking Number, Else Root ID' 7",
	'contact.connectToCustomer': "'Contact ID' 7",
	'contact.sendGuestMessage': `'Entity ID' ${GUID}`,
	'contactFilter.update': "'Contact Filter ID' 7",
	'department.update': "'Department ID' 7",
	'subscription.cancel': `'Subscription Plan ID' ${GUID}`,
	'survey.updateContent': `'Survey ID' ${GUID}`,
	'webBooking.cancel': `'Booking Number or GUID' ${GUID}`,
	'webBooking.update': `'Booking Number or GUID' ${GUID}`,
	'webBooking.updatePayment': `'Booking Number or GUID' ${GUID}`,
};
