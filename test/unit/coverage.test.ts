import {
	contractSchema,
	createAjv,
	resolveSchema,
	schemaName,
	type Operation as ContractOperation,
	type Schema,
} from '../../contract/model';
import { HospitalityBooking } from '../../nodes/HospitalityBooking/HospitalityBooking.node';
import { HospitalityPayment } from '../../nodes/HospitalityPayment/HospitalityPayment.node';
import { ALL_NAMES, type Field } from '../../nodes/shared/operation/fields';
import { COMPANY, INVOICE_ADDRESS, under as placesUnder } from '../engine/support/body';
import {
	bodySchema,
	contract,
	operation as contractOperation,
	operations,
} from '../sandbox/support/contract';
import { formOf } from '../support/forms';
import { rows } from '../support/sampleForm';

const PERSON =
	'allowStoringForever city email fax fname id lname mobile newsletter phone returning streetaddress zipcode';
const under = (at: string, names: string) => placesUnder(at, names).join(' ');

/**
 * What becomes of an optional field that is on the form and comes out empty, by operation. `refused`: leaving it out
 * would do or return more. `leftOut`: it would not.
 */
const WHEN_EMPTY: Record<string, { refused?: string; leftOut?: string }> = {
	'webBooking.getAll': {
		refused: 'unitIds articleCategoryIds',
		leftOut: [
			'includeContact includeCustomer includeInternalContact includeMarkings includeNonTableArticles',
			'includePayMethod includeTableArticles',
		].join(' '),
	},
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
	/** Which customer is meant is chosen on the form: test/engine/customer/authenticate.test.ts. */
	'customer.authenticate': { leftOut: 'CustomerId Password' },
};

const ajv = createAjv(contract);
const NODES = { HospitalityBooking: new HospitalityBooking(), HospitalityPayment: new HospitalityPayment() };

const entries = rows.map((row) => {
	const [resource = '', value = ''] = row.id.split('.');
	const node =
		row.service.credential === 'hospitalityBookingApi' ? 'HospitalityBooking' : 'HospitalityPayment';
	const { properties } = NODES[node].description;
	return { ...row, node, resource, properties: formOf(properties, { resource, operation: value }) };
});

function resolved(schema: Schema): Schema {
	return resolveSchema(contract, schema);
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
function filledBy({ at, property, entries: inner }: Field): string[] {
	if (at === ALL_NAMES)
		return (property.options ?? []).flatMap((option) => ('value' in option ? String(option.value) : []));
	return [at, ...(inner ?? []).map((each) => `${at}[].${each.at}`)];
}

const sorted = (values: readonly unknown[]) => [...values].map(String).sort();
const names = (text = '') => text.split(' ').filter(Boolean);

test('the nodes have the operations of the contract and no other', () => {
	const documented = operations.filter(({ service }) => service !== 'auth').map(({ id }) => id);

	expect(sorted(entries.map(({ id }) => id))).toEqual(sorted(documented));
});

describe.each(entries)('$id', ({ id, operation, fields, properties }) => {
	const { parameters, responses, ...documented } = contractOperation(id);
	const body = bodySchema({ parameters, responses, ...documented });
	const values = [
		...parameters
			.filter((parameter) => parameter.in === 'query')
			.map(({ name, schema }) => [name, schema] as const),
		...(body ? valuesOf(body) : []),
	];

	test('has every request field of the contract on its form exactly once', () => {
		const inPath = parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name);
		const json = fields.filter(({ property }) => property.type === 'json').map(({ at }) => at);
		const wanted = values.flatMap(([place, { items }]) => {
			const rowsOf = items && !json.includes(place) ? valuesOf(items) : [];
			return [place, ...rowsOf.map(([inner]) => `${place}[].${inner}`)];
		});

		expect(operation.pathFields?.map(({ at }) => at) ?? []).toEqual(inPath);
		expect(sorted(fields.flatMap(filledBy))).toEqual(sorted(wanted));
	});

	test('decides what becomes of each optional field that comes out empty', () => {
		const optional = fields.filter(({ property }) => !property.required);
		const { refused, leftOut } = WHEN_EMPTY[id] ?? {};
		const places = (narrows?: true) =>
			new Set(
				optional
					.filter((each) => each.narrows === narrows)
					.flatMap((each) => filledBy(each).filter((at) => !at.includes('['))),
			);

		expect(sorted([...places(true)])).toEqual(sorted(names(refused)));
		expect(sorted([...places()])).toEqual(sorted(names(leftOut)));
	});

	test('shows an example below each JSON parameter that matches the contract and has every field', () => {
		for (const field of fields.filter(({ property }) => property.type === 'json')) {
			const schema = values.find(([place]) => place === field.at)?.[1] ?? {};
			expect(isDeepList(schema)).toBe(true);
			expect(ajv.validate(contractSchema(schema), field.example)).toBe(true);
			expect(filledPlaces(field.example)).toEqual(expect.arrayContaining(placesOf(schema)));
		}
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
