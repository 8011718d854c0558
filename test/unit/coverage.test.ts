import get from 'lodash/get';
import uniqBy from 'lodash/uniqBy';
import type { INodePropertyOptions } from 'n8n-workflow';
import {
	contractSchema,
	createAjv,
	resolveSchema,
	type Operation as ContractOperation,
	type Schema,
} from '../../contract/model';
import { HospitalityBooking } from '../../nodes/HospitalityBooking/HospitalityBooking.node';
import { HospitalityPayment } from '../../nodes/HospitalityPayment/HospitalityPayment.node';
import type { Field } from '../../nodes/shared/form/fields';
import type { Section } from '../../nodes/shared/form/rows';
import { isRecord } from '../../nodes/shared/values/record';
import {
	bodySchema,
	contract,
	fieldsOf,
	operation as contractOperation,
	operations,
} from '../sandbox/support/contract';
import { formOf } from '../support/forms';
import { fullForm, prepare, rows } from '../support/sampleForm';

/**
 * What becomes of an optional field that is on the form and comes out empty, by operation. `refused`: leaving it out
 * would do or return more. `omitted`: it would not; so it is for all else of a body, which stays as it is in the record.
 */
const SILENCED =
	'disableAllConfirmationMessages disableEmailConfirmationMessage disableSmsConfirmationMessage';
const WHEN_EMPTY: Record<string, { refused?: string; omitted?: string }> = {
	'webBooking.getAll': {
		refused: 'unitIds articleCategoryIds',
		omitted:
			'startTime endTime includeContact includeCustomer includeInternalContact includeMarkings includeNonTableArticles includePayMethod includeTableArticles',
	},
	'webBooking.update': { refused: `${SILENCED} replaceTimes` },
	'webBooking.cancel': { refused: SILENCED },
	'campaign.update': { omitted: '_' },
	'checkoutBooking.checkIn': { omitted: 'cashierName' },
	'checkoutBooking.checkOut': { refused: 'tableArticleIds' },
	'contact.sendGuestMessage': { omitted: 'passcode' },
	'customer.getAll': { refused: 'changedFromUtc' },
	'surveyRecipient.getAll': { refused: 'status surveyId' },
};

const ajv = createAjv(contract);
const [booking, payment] = [new HospitalityBooking(), new HospitalityPayment()].map(
	({ description }) => description,
);

const entries = rows.map((row) => {
	const [resource = '', operation = ''] = row.id.split('.');
	const node = row.service.credential === 'hospitalityBookingApi' ? booking : payment;
	return { ...row, resource, properties: formOf(node?.properties ?? [], { resource, operation }) };
});

function resolved(schema: Schema): Schema {
	return resolveSchema(contract, schema);
}

/** Whether a value has something at a place, of a list in any entry. */
function isFilledIn(value: unknown, [step, ...rest]: Array<string | number>): boolean {
	if (step === undefined) return true;
	if (Array.isArray(value)) return value.some((entry) => isFilledIn(entry, rest));
	return isRecord(value) && step in value && isFilledIn(value[step], rest);
}

/** Whether a form would have to nest rows in rows: then it may be one JSON parameter. */
function isDeepList({ items }: Schema): boolean {
	const properties = items && resolved(items).properties;
	return Object.values(properties ?? {}).some((each) => {
		const inner = resolved(each);
		return inner.items !== undefined || inner.properties !== undefined;
	});
}

/** The values that a schema has, objects within it by their fields. */
function valuesOf(schema: Schema, at = ''): Array<[place: string, schema: Schema]> {
	return Object.entries(resolved(schema).properties ?? {}).flatMap(([name, own]) => {
		const place = at === '' ? name : `${at}.${name}`;
		return resolved(own).properties ? valuesOf(own, place) : [[place, resolved(own)]];
	});
}

/** The places that a field of the form fills, those of its rows within it included. */
function filledBy({ path, property, entries: inner }: Field): string[] {
	if (path === 'include') {
		return (property.options ?? []).flatMap((option) =>
			'value' in option ? String(option.value) : [],
		);
	}
	return [path, ...(inner ?? []).map((each) => `${path}[].${each.path}`)];
}

const sorted = (values: readonly unknown[]) => [...values].map(String).sort();
const names = (text = '') => text.split(' ').filter(Boolean);

test('the nodes have the operations of the contract and no other', () => {
	const documented = operations.filter(({ service }) => service !== 'auth').map(({ id }) => id);

	expect(sorted(entries.map(({ id }) => id))).toEqual(sorted(documented));
});

describe.each(entries)('$id', ({ id, operation, fields, properties }) => {
	const documented = contractOperation(id);
	const { parameters, responses } = documented;
	const body = bodySchema(documented);
	const values = [
		...parameters
			.filter((parameter) => parameter.in === 'query')
			.map(({ name, schema }) => [name, schema] as const),
		...(body ? valuesOf(body) : []),
	];

	test('has every request field of the contract on its form exactly once', () => {
		const inPath = parameters
			.filter((parameter) => parameter.in === 'path')
			.map(({ name }) => name);
		const json = fields.filter(({ property }) => property.type === 'json').map(({ path }) => path);
		const wanted = values.flatMap(([place, { items }]) => {
			const rowsOf = items && !json.includes(place) ? valuesOf(items) : [];
			return [place, ...rowsOf.map(([inner]) => `${place}[].${inner}`)];
		});

		expect(operation.pathFields?.map(({ path }) => path) ?? []).toEqual(inPath);
		const { repeatsId } = operation.body ?? {};
		const sent = fields.filter((field) => field.in !== 'result');
		const filled = [...sent.flatMap(filledBy), ...(repeatsId === undefined ? [] : [repeatsId])];
		expect(sorted(filled)).toEqual(sorted(wanted));
	});

	test('declares the call that it makes', async () => {
		const row = rows.find((one) => one.id === id) as (typeof rows)[number];
		const form = fullForm(row);
		const choices = properties.find(({ name }) => name === 'operation')
			?.options as INodePropertyOptions[];
		const { routing } = choices.find(({ value }) => value === operation.value) ?? {};
		const { method, path } = await prepare(row, form);

		const declared = String(routing?.request?.url).replace(/^=/, '');
		const filled = declared.replaceAll(
			/\{\{ encodeURIComponent\(\$parameter\["(\w+)"\]\) \}\}/g,
			(_, name: string) => encodeURIComponent(String(form[name])),
		);
		expect([routing?.request?.method, filled]).toEqual([method, path]);
	});

	test('decides what becomes of each optional field that comes out empty', () => {
		const optional = fields.filter((field) => !field.property.required && field.in !== 'result');
		const { refused, omitted } = WHEN_EMPTY[id] ?? {};
		const placesOfFields = (chosen: typeof fields) => sorted(chosen.flatMap(filledBy));

		expect(placesOfFields(optional.filter(({ mustNotBeEmpty }) => mustNotBeEmpty))).toEqual(
			sorted(names(refused)),
		);
		const inQuery = optional.filter((field) => field.in === 'query' && !field.mustNotBeEmpty);
		expect(placesOfFields(inQuery)).toEqual(sorted(names(omitted)));
	});

	test('shows its own parameters and no other, each once, and of a body either fields or JSON', () => {
		const { pathFields = [], parameters: more = [], query = [], body: part, output } = operation;
		const namesOf = (sections: readonly Section[]) =>
			sections.flatMap(({ collection, fields: own }) =>
				collection ? [collection.name] : own.map(({ property: { name } }) => name),
			);
		const own = [
			'resource',
			'operation',
			'options',
			...[...pathFields, ...more].map(({ property }) => property.name),
			...new Set(namesOf(query)),
			...(part ? ['bodyMode'] : []),
			...(output.kind === 'list' ? ['returnAll', 'limit'] : []),
			...(output.simplified ? ['output', 'outputFields'] : []),
			...(output.related ? [output.related.field.path] : []),
		];
		const sections = part?.sections ?? [];
		const inJson = part
			? [
					'jsonBody',
					'jsonExample',
					...namesOf(sections.filter(({ fields: [first] }) => first?.namesRecord)),
				]
			: [];
		const shownIn = (bodyMode: string) => formOf(properties, { bodyMode }).map(({ name }) => name);

		for (const { type, options = [] } of properties) {
			if (type === 'collection') {
				for (const name of ['name', 'displayName'] as const) {
					expect(uniqBy(options, name)).toHaveLength(options.length);
				}
			}
		}
		expect(sorted(shownIn('fields'))).toEqual(sorted([...own, ...namesOf(sections)]));
		expect(sorted(shownIn('json'))).toEqual(sorted([...own, ...inJson]));
	});

	test('asks for the record, then the body, then what comes out, of which Simplified has at most 18 fields', () => {
		const { pathFields = [], body: part, output } = operation;
		const order = properties.map(({ name }) => name);
		const places = [
			...pathFields.map(({ property }) => property.name),
			...(part ? ['bodyMode'] : []),
			...(output.simplified ? ['output', 'outputFields'] : []),
			...(output.related ? [output.related.field.path] : []),
			'options',
		].map((name) => order.indexOf(name));

		expect(places).not.toContain(-1);
		expect(places).toEqual([...places].sort((one, other) => one - other));
		expect(Object.keys(output.simplified ?? {}).length).toBeLessThanOrEqual(18);
	});

	test("offers 'Output' where a record has more than 10 fields, those within it included, and only there", () => {
		const answer = successOf(responses);
		const record = answer && (resolved(answer).items ?? wholeRecord(id, answer));
		const leaves = (record ? fieldsOf(record) : []).filter(
			({ path, schema }) => !path.includes(0) && !schema.properties,
		);
		const choices = properties.find(({ name }) => name === 'output')?.options ?? [];

		expect(choices.map((choice) => ('value' in choice ? choice.value : ''))).toEqual(
			leaves.length > 10 ? ['simplified', 'raw', 'selected'] : [],
		);
	});
});

const asJson = entries.flatMap(({ id, operation, fields }) =>
	fields
		.filter(({ property }) => property.type === 'json')
		.map(({ path }) => ({ id, at: path, example: get(operation.body?.example, path) as unknown })),
);

test.each(asJson)(
	'$id shows below its JSON parameter $at an example that matches the contract and has every field',
	({ id, at, example }) => {
		const [, schema = {}] =
			valuesOf(bodySchema(contractOperation(id)) ?? {}).find(([own]) => own === at) ?? [];
		expect(isDeepList(schema)).toBe(true);
		expect(ajv.validate(contractSchema(schema), example)).toBe(true);
		expect(fieldsOf(schema).filter(({ path }) => !isFilledIn(example, path))).toEqual([]);
	},
);

/** The body of an operation's success. */
function successOf(responses: ContractOperation['responses']): Schema | undefined {
	const success = Object.entries(responses).find(([status]) => status.startsWith('2'))?.[1];
	return success?.content?.['application/json']?.schema;
}

/** The batch of articles becomes one item an article. */
function wholeRecord(id: string, answer: Schema): Schema {
	return id === 'article.batchUpdate'
		? (resolved(answer).properties?.items?.items ?? answer)
		: answer;
}
