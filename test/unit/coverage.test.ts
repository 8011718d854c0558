import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { INodeProperties } from 'n8n-workflow';
import {
	contractSchema,
	createAjv,
	parseContract,
	readOperations,
	resolveSchema,
	schemaName,
	type Operation as ContractOperation,
	type Schema,
} from '../../contract/model';
import { bookingService } from '../../nodes/HospitalityBooking/resources';
import { HospitalityBooking } from '../../nodes/HospitalityBooking/HospitalityBooking.node';
import { EVENTS } from '../../nodes/HospitalityBookingTrigger/events';
import { HospitalityPayment } from '../../nodes/HospitalityPayment/HospitalityPayment.node';
import { paymentService } from '../../nodes/HospitalityPayment/resources';
import type { Field } from '../../nodes/shared/operation/fields';
import type { Operation } from '../../nodes/shared/operation/operation';
import { root } from '../support/packageSources';
import { COMPANY, INVOICE_ADDRESS, under as placesUnder } from '../engine/support/body';
import { formOf } from '../support/forms';
import { rows } from '../support/sampleForm';

const PERSON =
	'allowStoringForever city email fax fname id lname mobile newsletter phone returning streetaddress zipcode';
const under = (at: string, names: string) => placesUnder(at, names).join(' ');

/** Required on the form where the contract leaves it open, or the other way round, and why. */
const REQUIRED_BY_CHOICE: Record<string, string> = {
	'webBooking.getAll startTime': "either both times or 'changedFrom': the form asks for what 'Get By' needs",
	'webBooking.getAll endTime': "either both times or 'changedFrom': the form asks for what 'Get By' needs",
	'webBooking.getAll changedFrom':
		"either both times or 'changedFrom': the form asks for what 'Get By' needs",
	'webBooking.update bookingGuid': 'there is no change without a booking',
	'webBooking.update ruleId': 'a time to book is made of a rule and a start',
	'webBooking.update start': 'a time to book is made of a rule and a start',
	'webBooking.update sectionId': 'a time to remove is made of a section and a start',
	'webBooking.update startTime': 'a time to remove is made of a section and a start',
	'checkoutBooking.checkOut bookingRootId': 'there is no change without a booking',
	'contact.connectToCustomer contactId': 'there is no connection without both ends',
	'contact.connectToCustomer customerId': 'there is no connection without both ends',
	'subscription.get Id': 'there is no subscription without a plan',
	'subscription.cancel Id': 'there is no subscription without a plan',
};

/**
 * What becomes of an optional field that is on the form and comes out empty, by operation. `refused`: leaving it out
 * would do or return more. `leftOut`: it would not.
 */
const WHEN_EMPTY: Record<string, { refused?: string; leftOut?: string }> = {
	'webBooking.getAll': { refused: 'unitIds articleCategoryIds' },
	'webBooking.update': {
		refused:
			'disableAllConfirmationMessages disableEmailConfirmationMessage disableSmsConfirmationMessage replaceTimes',
		leftOut: [
			'bookingStatus eventTag guestsChildren invoiceMarking isInquiry isPending isWaitList lang logMessage',
			'markings message payMethod removeTimes',
			...[PERSON, 'deliveryInfo lastGrab'].map((names) => under('contact', names)),
			...[COMPANY, INVOICE_ADDRESS].map((names) => under('customer', names)),
		].join(' '),
	},
	'webBooking.updatePayment': {
		leftOut: [
			'chargeAuthorizedAmount chargeId chargePayedAmount chargeRefundedAmount chargeShouldPayAmount',
			'chargeShouldPayAmountVat chargeShouldPayVat guid payMethod',
		].join(' '),
	},
	'webBooking.cancel': {
		refused: 'disableAllConfirmationMessages disableEmailConfirmationMessage disableSmsConfirmationMessage',
		leftOut: 'logMessage',
	},
	'checkoutBooking.checkIn': { leftOut: 'cashierName' },
	'checkoutBooking.checkOut': { refused: 'tableArticleIds', leftOut: 'cashierName' },
	'contact.connectToCustomer': {
		leftOut: [
			'binaryFlags contactFirstName contactLastName customerFriendlyId customerName id',
			under('contact', PERSON),
			under('contact', 'agreementLevel binaryFlags contactFilterData customerCustomerNumber customerId'),
			under('contact', 'customerName customerNumber filterData fullname guestIdentifier hidden information'),
			under('contact', 'invoiceReference invoicingFee invoicingPaymentTerms isAnonymized lastChangedBy'),
			under('contact', 'lastChangedUtc lastUsed orgNr tempId title'),
			...['customer', 'contact.customer'].flatMap((at) =>
				[
					COMPANY,
					INVOICE_ADDRESS,
					'binaryFlags ediNumber hidden invoicingFee invoicingPaymentTerms marking',
				].map((names) => under(at, names)),
			),
		].join(' '),
	},
	'contact.sendGuestMessage': {
		leftOut: [
			'passcode',
			under('message', 'containerId createdDate emailAddress id identifier locale loyaltyEnabled msisdn'),
			under('message', 'name system updatedDate'),
			under('properties', 'action entity entityId'),
		].join(' '),
	},
	'customer.getAll': { refused: 'changedFromUtc' },
	'contactFilter.update': { leftOut: 'hidden id items itemsString name type' },
	'survey.updateContent': { leftOut: 'confirmationText description' },
	'surveyRecipient.getAll': { refused: 'status surveyId' },
	'campaign.update': {
		leftOut: [
			'_ availableRewards availableTiers availableVouchers benefits campaignId description displayName endDate id',
			'imageMap maxNumberOfOutcomes name requirements startDate status uploadImages',
			under('marketing', 'enabled imageMap sortOrder uploadImages'),
		].join(' '),
	},
	'articleGroup.update': {
		leftOut: [
			'accountCostOfGoods accountNumber accountVat00 accountVat06 accountVat12 accountVat25 centralKey changeDate',
			'color colorIndex hidden id isRestaurants name notRelevantForCheckout onePerGuest sortOrder type',
		].join(' '),
	},
	'department.update': { leftOut: 'changeStatus hidden id name' },
};

interface Entry {
	id: string;
	node: string;
	resource: string;
	operation: Operation;
	properties: INodeProperties[];
}

const contract = parseContract(readFileSync(join(root, 'contract', 'openapi.yaml'), 'utf8'));
const ajv = createAjv(contract);
const documented = readOperations(contract).filter(({ service }) => service !== 'auth');

const entries: Entry[] = [
	{ node: 'HospitalityBooking', service: bookingService, type: new HospitalityBooking() },
	{ node: 'HospitalityPayment', service: paymentService, type: new HospitalityPayment() },
].flatMap(({ node, service, type }) =>
	service.resources.flatMap(({ value: resource, operations }) =>
		operations.map((operation) => ({
			id: `${resource}.${operation.value}`,
			node,
			resource,
			operation,
			properties: formOf(type.description.properties, { resource, operation: operation.value }),
		})),
	),
);

function documentedAs(id: string): ContractOperation {
	const found = documented.find((operation) => operation.id === id);
	if (!found) throw new Error(`The contract has no operation ${id}.`);
	return found;
}

function resolved(schema: Schema): Schema {
	return resolveSchema(contract, schema);
}

/** Whether a form would have to nest rows in rows, or cannot know the fields: then it may be one JSON parameter. */
function isDeepList(schema: Schema): boolean {
	const entry = schema.items && resolved(schema.items);
	return Object.values(entry?.properties ?? {}).some((property) => {
		const { items, properties } = resolved(property);
		return items !== undefined || properties !== undefined;
	});
}

/** Fields of a schema, dotted, lists as `[]`; a schema within itself is not followed. */
function placesOf(schema: Schema, at = '', within: string[] = []): string[] {
	const name = schemaName(schema);
	if (name !== undefined && within.includes(name)) return [];
	const path = name === undefined ? within : [...within, name];
	const { properties, items } = resolved(schema);
	if (items) return placesOf(items, `${at}[]`, path);
	if (!properties) return [];
	return Object.entries(properties).flatMap(([own, value]) => {
		const place = at === '' ? own : `${at}.${own}`;
		return [place, ...placesOf(value, place, path)];
	});
}

/** The places that a value fills in, in the notation of `placesOf`. */
function filledPlaces(value: unknown, at = ''): string[] {
	if (Array.isArray(value)) return value.flatMap((entry) => filledPlaces(entry, `${at}[]`));
	if (typeof value !== 'object' || value === null) return [];
	return Object.entries(value).flatMap(([own, inner]) => {
		const place = at === '' ? own : `${at}.${own}`;
		return [place, ...filledPlaces(inner, place)];
	});
}

const sorted = (values: readonly unknown[]) => [...values].map(String).sort();

/** The values that a list on the form offers; undefined for one that is loaded, and for other parameters. */
function listedValues({ type, typeOptions, options }: INodeProperties): unknown[] | undefined {
	const isListed = /options$/i.test(type) && !typeOptions?.loadOptionsMethod;
	return isListed ? options?.map((option) => 'value' in option && option.value) : undefined;
}

/** What a field of the form does not do that the contract asks for. */
function problemsOfField(id: string, at: string, field: Field, schema: Schema, required: boolean): string[] {
	const { property, entries: rows } = field;
	const allowed = listedValues(property);
	const { items, properties, enum: codes } = resolved(schema);
	const entry = items && resolved(items);
	const problems: string[] = [];
	const documentedCodes = codes ?? entry?.enum;
	if (documentedCodes && JSON.stringify(sorted(documentedCodes)) !== JSON.stringify(sorted(allowed ?? [])))
		problems.push(`${at} allows ${allowed?.join(' ')} instead of ${documentedCodes.join(' ')}`);
	if (!documentedCodes && allowed) problems.push(`${at} allows some values only; the contract any`);
	if ((property.required === true) !== required && !(`${id} ${at}` in REQUIRED_BY_CHOICE))
		problems.push(`${at} is ${required ? 'not ' : ''}required on the form`);
	if (property.type === 'json') {
		if (!isDeepList(resolved(schema))) problems.push(`${at} is JSON, which a form could show`);
		problems.push(...problemsOfExample(at, field, schema));
	} else if (entry?.properties) {
		if (!rows) problems.push(`${at} is a list of objects without rows`);
		else problems.push(...problemsOfFields(id, rows, entry, '', true).map((problem) => `${at}: ${problem}`));
	} else if (properties) {
		problems.push(`${at} is an object and no field`);
	}
	return problems;
}

/** Whether a JSON parameter is empty, with an example that shows every field and keeps to the contract. */
function problemsOfExample(at: string, { example, property }: Field, schema: Schema): string[] {
	const validate = ajv.compile(contractSchema(schema));
	const filled = filledPlaces(example);
	const absent = placesOf(schema).filter((place) => !filled.includes(place));
	return [
		...(property.default === '' ? [] : [`${at} is filled in when the form opens`]),
		...(validate(example) ? [] : [`${at}: the example is refused: ${ajv.errorsText(validate.errors)}`]),
		...(absent.length > 0 ? [`${at}: the example does not show ${absent.join(', ')}`] : []),
	];
}

/** @param fields of the form, by their place in the body below `prefix` */
function problemsOfFields(
	id: string,
	fields: readonly Field[],
	schema: Schema,
	prefix: string,
	isRequired: boolean,
): string[] {
	const { properties = {}, required = [] } = resolved(schema);
	return Object.entries(properties).flatMap(([name, own]) => {
		const at = prefix === '' ? name : `${prefix}.${name}`;
		const needed = isRequired && required.includes(name);
		const field = fields.find((candidate) => candidate.at === at);
		if (field) return problemsOfField(id, at, field, own, needed);
		if (resolved(own).properties) return problemsOfFields(id, fields, own, at, needed);
		return [`${at} cannot be set`];
	});
}

test('the nodes have the operations of the contract and no other', () => {
	const call = ({ method, path }: { method: string; path: string }) => `${method} ${path}`;

	expect(documented.length).toBeGreaterThan(0);
	expect(entries.map(({ id, operation }) => `${id} ${call(operation)}`).sort()).toEqual(
		documented.map((operation) => `${operation.id} ${call(operation)}`).sort(),
	);
});

describe.each(entries)('$id', ({ id, node, resource, operation, properties }) => {
	const { parameters, requestBody, responses } = documentedAs(id);
	const body = requestBody?.content?.['application/json']?.schema;
	const bodyFields = operation.body?.sections.flatMap(({ fields }) => fields) ?? [];
	const queryFields = operation.query?.flatMap(({ fields }) => fields) ?? [];

	test('has a required parameter for each value of its path', () => {
		const inPath = parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name);

		expect(operation.pathFields?.map(({ placeholder }) => placeholder) ?? []).toEqual(inPath);
		for (const { property } of operation.pathFields ?? []) {
			expect(property.required).toBe(true);
			expect(properties).toContainEqual(expect.objectContaining({ name: property.name }));
		}
	});

	test('can set each query parameter, with the same allowed values', () => {
		const own = operation.parameters ?? [];
		const choices = own.flatMap(({ type, options = [] }) =>
			type === 'multiOptions' ? options.map((option) => ('value' in option ? option.value : '')) : [],
		);
		const problems = parameters
			.filter((parameter) => parameter.in === 'query')
			.flatMap(({ name, schema, required = false }) => {
				const field = queryFields.find(({ at }) => at === name);
				if (field) return problemsOfField(id, name, field, schema, required);
				const property = own.find((candidate) => candidate.name === name);
				const isAsRequired = `${id} ${name}` in REQUIRED_BY_CHOICE || property?.required === required;
				if (property) return isAsRequired ? [] : [`${name} is required or not`];
				return choices.includes(name) ? [] : [`${name} cannot be set`];
			});

		expect(problems).toEqual([]);
	});

	test('sends no query parameter of its own making', () => {
		const names = parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name);

		expect(queryFields.map(({ at }) => at).filter((at) => !names.includes(at))).toEqual([]);
	});

	test('sends the system header exactly where it is documented', () => {
		const isDocumented = parameters.some(({ name }) => name === 'system');
		const takesSystem = node === 'HospitalityBooking' && operation.takesSystem !== false;

		expect(takesSystem).toBe(isDocumented);
	});

	test('can set each field of the body, required and allowed as documented', () => {
		expect(operation.body?.schema).toBe(body && schemaName(body));
		expect(body ? problemsOfFields(id, bodyFields, body, '', true) : []).toEqual([]);
	});

	test('has no field that the contract does not have', () => {
		const places = body ? placesOf(body) : [];

		expect(bodyFields.map(({ at }) => at).filter((at) => !places.includes(at))).toEqual([]);
	});

	test('shows each field on its form', () => {
		const sections = [
			...(operation.body?.sections ?? []).map(({ name, fields }) => ({ name, fields })),
			...(operation.query ?? []).map(({ collection, fields }) => ({ name: collection?.name, fields })),
		];
		const absent = sections.flatMap(({ name, fields }) => {
			const shown = (
				name === undefined ? properties : properties.find((property) => property.name === name)?.options
			)?.map((property) => ('name' in property ? property.name : ''));
			return fields
				.filter(({ property }) => !shown?.includes(property.name))
				.map(({ property }) => `${name ?? ''} ${property.displayName}`);
		});

		expect(absent).toEqual([]);
	});

	test('keeps its fields in order: those that stand open, then the collections', () => {
		const sections = operation.body?.sections ?? [];
		const wanted = sections.flatMap(({ name, fields }) =>
			name === undefined ? fields.map(({ property }) => property.name) : [name],
		);
		const shown = [...new Set(properties.map(({ name }) => name))].filter((name) => wanted.includes(name));

		expect(shown).toEqual(wanted);
		expect(sections.map(({ name }) => name === undefined)).toEqual(
			sections.map(({ name }) => name === undefined).sort((one, other) => Number(other) - Number(one)),
		);
	});

	test('has an example of its body that keeps to the contract', () => {
		if (!operation.body || !body) return;
		const { example, json } = operation.body;
		const whole = json?.toBody ? json.toBody(example as Record<string, unknown>) : example;
		const validate = ajv.compile(contractSchema(body));

		expect(validate(whole) ? [] : validate.errors).toEqual([]);
	});

	test('shows every field of the answer in its preview', () => {
		const answer = successOf(responses);
		const { type, properties: shown } = readPreview(
			`${node}/__schema__/v1.0.0/${resource}/${operation.value}`,
		);
		const record = answer && (resolved(answer).items ?? wholeRecord(id, answer));

		expect(type).toBe('object');
		expect(absentFrom({ properties: shown }, record)).toEqual([]);
		if (!answer) expect(shown).toEqual({ success: { type: 'boolean' } });
		expect(Object.keys(shown ?? {})).toEqual(
			expect.arrayContaining(Object.keys(operation.output.simplified ?? {})),
		);
	});

	test("offers 'Output' where a record has more than 10 fields, those within it included, and only there", () => {
		const answer = successOf(responses);
		const record = answer && (resolved(answer).items ?? wholeRecord(id, answer));
		const places = (record ? placesOf(record) : []).filter((place) => !place.includes('[]'));
		const values = places.filter((place) => !places.some((other) => other.startsWith(`${place}.`)));
		const choices = properties.find(({ name }) => name === 'output')?.options ?? [];

		expect(choices.map((choice) => ('value' in choice ? choice.value : ''))).toEqual(
			values.length > 10 ? ['simplified', 'raw', 'selected'] : [],
		);
	});
});

/** The body of an operation's success. */
function successOf(responses: ContractOperation['responses']): Schema | undefined {
	const success = Object.entries(responses).find(([status]) => status.startsWith('2'))?.[1];
	return success?.content?.['application/json']?.schema;
}

/** The batch of articles becomes one item an article. */
function wholeRecord(id: string, answer: Schema): Schema {
	return id === 'article.batchUpdate' ? (resolved(answer).properties?.items?.items ?? answer) : answer;
}

interface Preview {
	type?: string;
	properties?: Record<string, Preview>;
	items?: Preview;
}

function readPreview(path: string): Preview {
	const file = join(root, 'nodes', `${path}.json`);
	if (!existsSync(file)) throw new Error(`${path}.json is missing: run \`npm run generate\`.`);
	return JSON.parse(readFileSync(file, 'utf8')) as Preview;
}

/** Fields of a schema that a preview does not show, or not as what they are. */
function absentFrom(preview: Preview, schema?: Schema, at = '', within: string[] = []): string[] {
	if (!schema) return [];
	const name = schemaName(schema);
	if (name !== undefined && within.includes(name)) return [];
	const path = name === undefined ? within : [...within, name];
	const { properties, items, type } = resolved(schema);
	if (items) {
		return preview.items ? absentFrom(preview.items, items, `${at}[]`, path) : [`${at}: no entries`];
	}
	if (!properties) {
		const types = [type].flat();
		return preview.type !== undefined && types.includes(preview.type) ? [] : [`${at}: ${preview.type}`];
	}
	return Object.entries(properties).flatMap(([own, value]) => {
		const inner = preview.properties?.[own];
		return inner ? absentFrom(inner, value, `${at}.${own}`, path) : [`${at}.${own}`];
	});
}

test('the preview of the trigger shows every field of every event', () => {
	const preview = readPreview('HospitalityBookingTrigger/__schema__/v1.0.0');

	expect(EVENTS.length).toBeGreaterThan(0);
	for (const { output } of EVENTS) {
		const schema = { $ref: `#/components/schemas/${String(output.schema)}` };
		expect(
			placesOf(schema).filter((place) => !place.includes('.') && !place.includes('[')).length,
		).toBeGreaterThan(5);
		const absent = Object.keys(resolved(schema).properties ?? {}).filter(
			(name) => !(name in (preview.properties ?? {})),
		);
		expect(absent).toEqual([]);
		expect(Object.keys(preview.properties ?? {})).toEqual(
			expect.arrayContaining(Object.keys(output.simplified ?? {})),
		);
	}
});

test('every exception about required fields still applies', () => {
	const made = Object.keys(REQUIRED_BY_CHOICE).filter((choice) => {
		const [id, at] = choice.split(' ');
		const operation = entries.find((entry) => entry.id === id)?.operation;
		const fields = operation?.body?.sections.flatMap((section) => section.fields) ?? [];
		const inRows = fields.flatMap((field) => field.entries ?? []);
		return (
			[...fields, ...inRows].some((field) => field.at === at && field.property.required) ||
			operation?.parameters?.some(({ name, required }) => name === at && required)
		);
	});

	expect(made).toEqual(Object.keys(REQUIRED_BY_CHOICE));
});

/** Another customer's password is asked for with the customer: test/engine/customer/authenticate.test.ts. */
const optional = rows.filter(({ id }) => id !== 'customer.authenticate');

test.each(optional)(
	'decides what becomes of each optional field that comes out empty: $id',
	({ id, fields }) => {
		const placesWhere = (narrows?: true) => [
			...new Set(
				fields.filter((field) => !field.property.required && field.narrows === narrows).map(({ at }) => at),
			),
		];
		const { refused = '', leftOut = '' } = WHEN_EMPTY[id] ?? {};
		const names = (text: string) => text.split(' ').filter(Boolean).sort();

		expect(placesWhere(true).sort()).toEqual(names(refused));
		expect(placesWhere().sort()).toEqual(names(leftOut));
	},
);
