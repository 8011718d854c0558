import type { INodeProperties, INodePropertyCollection, INodePropertyOptions } from 'n8n-workflow';
import { HospitalityBooking } from '../../nodes/HospitalityBooking/HospitalityBooking.node';
import { HospitalityBookingTrigger } from '../../nodes/HospitalityBookingTrigger/HospitalityBookingTrigger.node';
import { HospitalityPayment } from '../../nodes/HospitalityPayment/HospitalityPayment.node';
import { makeCredentialType, manifest } from '../support/packageSources';

type Option = NonNullable<INodeProperties['options']>[number];

const isProperty = (option: Option): option is INodeProperties => 'type' in option;
const isCollection = (option: Option): option is INodePropertyCollection => 'values' in option;
const isChoice = (option: Option): option is INodePropertyOptions => 'value' in option;

/** Everything that a person reads on the forms of the package. */
interface Words {
	/** Where it stands, e.g. `Hospitality Booking: Options › System`. */
	place: string;
	property: INodeProperties;
}

const nodes = [new HospitalityBooking(), new HospitalityBookingTrigger(), new HospitalityPayment()].map(
	({ description }) => description,
);
const credentials = manifest.n8n.credentials.map(makeCredentialType);

const all: Words[] = [...nodes, ...credentials].flatMap(({ displayName, properties }) =>
	properties.flatMap((property) => wordsOf(displayName, property)),
);

function wordsOf(above: string, property: INodeProperties): Words[] {
	const place = `${above} › ${property.displayName}`;
	const inner = (property.options ?? []).flatMap((option) =>
		isProperty(option) ? [option] : isCollection(option) ? option.values : [],
	);
	return [{ place, property }, ...inner.flatMap((own) => wordsOf(place, own))];
}

function choicesOf({ place, property }: Words): Array<INodePropertyOptions & { place: string }> {
	return (property.options ?? []).filter(isChoice).map((choice) => ({ ...choice, place }));
}

const choices = all.flatMap(choicesOf);
const operations = choices.filter(({ place }) => place.endsWith(' › Operation'));

/** Every text that a person reads, with its place. */
const texts = [
	...nodes.flatMap(({ displayName, description }) => [{ place: displayName, text: description }]),
	...all.flatMap(({ place, property }) =>
		[property.displayName, property.description, property.hint, property.placeholder].map((text) => ({
			place,
			text,
		})),
	),
	...choices.flatMap(({ place, name, description, action }) =>
		[name, description, action].map((text) => ({ place: `${place}: ${name}`, text })),
	),
].filter((entry): entry is { place: string; text: string } => entry.text !== undefined);

const SMALL_WORDS = /^(a|an|and|as|at|be|by|e\.g\.|for|from|in|incl\.|is|of|on|or|per|the|to|with)$/;

/** Whether each word but the small ones within begins with a capital, a digit or a sign. */
function isTitleCase(text: string): boolean {
	return text
		.split(/[\s(/-]+/)
		.every((word, index) => /^[^a-z]/.test(word) || word === '' || (index > 0 && SMALL_WORDS.test(word)));
}

test('finds the words of all forms', () => {
	expect(all.length).toBeGreaterThan(200);
	expect(operations.length).toBeGreaterThan(20);
});

test('names of parameters and choices are in Title Case', () => {
	const names = [
		...all.map(({ place, property }) => ({ place, name: property.displayName })),
		// Numbers without a name, and the service's own names of fields.
		...choices.filter(({ place, name }) => Number.isNaN(Number(name)) && !place.endsWith(' › Fields')),
	];

	expect(
		names.filter(({ name }) => !isTitleCase(name)).map(({ place, name }) => `${place}: ${name}`),
	).toEqual([]);
});

test('actions are in sentence case, without articles, and name the object', () => {
	const wrong = operations.filter(
		({ action = '' }) => !/^[A-Z][a-z]+( [a-z]+)+$/.test(action) || /\b(a|an|the)\b/.test(action),
	);

	expect(wrong.map(({ action }) => action)).toEqual([]);
});

test('operations that list are called Get Many, with Return All off and Limit 50', () => {
	const lists = operations.filter(({ value }) => value === 'getAll');

	expect(lists.length).toBeGreaterThan(0);
	expect(lists.filter(({ name }) => name !== 'Get Many')).toEqual([]);
	for (const { property } of all.filter(({ property: { name } }) => name === 'returnAll'))
		expect(property.default).toBe(false);
	for (const { property } of all.filter(({ property: { name } }) => name === 'limit'))
		expect(property.default).toBe(50);
});

test('every operation, resource and event says what it does', () => {
	const described = choices.filter(({ place }) => / › (Operation|Resource|Event|Output)$/.test(place));

	expect(described.length).toBeGreaterThan(40);
	expect(described.filter(({ description }) => !description)).toEqual([]);
});

test('descriptions of switches begin with Whether', () => {
	const switches = all.filter(({ property: { type } }) => type === 'boolean');

	expect(switches.length).toBeGreaterThan(20);
	expect(
		switches
			.filter(({ property: { description } }) => !description?.startsWith('Whether '))
			.map(({ place }) => place),
	).toEqual([]);
});

test('placeholders are examples or say what to add or select', () => {
	const placeholders = all.flatMap(({ place, property }) =>
		[property.placeholder, ...(property.modes ?? []).map(({ placeholder }) => placeholder)]
			.filter((text): text is string => text !== undefined)
			.map((text) => `${place}: ${text}`),
	);

	expect(placeholders.length).toBeGreaterThan(50);
	expect(placeholders.filter((text) => !/: (e\.g\. |Add |Select )/.test(text))).toEqual([]);
});

test('what can be chosen from a list comes from the list first, then by ID', () => {
	const locators = all.filter(({ property: { type } }) => type === 'resourceLocator');

	expect(locators.length).toBeGreaterThan(3);
	for (const { property } of locators) {
		expect(property.modes?.map(({ displayName }) => displayName)).toEqual(['From List', 'By ID']);
		expect(property.default).toEqual({ mode: 'list', value: '' });
	}
});

test('Resource comes first, then Operation, and Options last', () => {
	for (const { properties } of nodes.filter(({ group }) => !group.includes('trigger'))) {
		const names = properties.map(({ name }) => name);
		expect(names[0]).toBe('resource');
		expect(names.slice(1, names.lastIndexOf('operation') + 1)).toEqual(
			names.filter((name) => name === 'operation'),
		);
		expect(names.at(-1)).toBe('options');
	}
});

test('texts have no two periods in a row', () => {
	const joined = texts.filter(({ text }) => /[^.]\.\.(?!\.)/.test(text) || /\.\. /.test(text));

	expect(joined.map(({ place, text }) => `${place}: ${text}`)).toEqual([]);
});

test.each(nodes)('under $displayName stands what is chosen, in the words of its form', (node) => {
	const [, shown = ''] = /^=\{\{ \((.+)\)\[.+\] \}\}$/.exec(node.subtitle ?? '') ?? [];
	const of = (name: string) => node.properties.filter((property) => property.name === name);
	const namesOf = (property?: INodeProperties) => (property?.options ?? []).filter(isChoice);
	const [resource] = of('resource');
	const wanted = resource
		? namesOf(resource).flatMap(({ name, value }) =>
				of('operation')
					.filter(({ displayOptions }) => displayOptions?.show?.resource?.includes(value))
					.flatMap(namesOf)
					.map((operation) => [`${value} ${operation.value}`, `${operation.name}: ${name}`]),
			)
		: namesOf(of('event')[0]).map(({ name, value }) => [value, name]);

	expect(JSON.parse(shown)).toEqual(Object.fromEntries(wanted));
});

test('no jargon, one spelling', () => {
	const words = /\b(keys?|endpoint|payload|null|colour|centre|cancelled|organisation|licence)\b/i;

	expect(
		texts
			.filter(({ text }) => words.test(text.replace(/<[^>]+>/g, '')))
			.map(({ place, text }) => `${place}: ${text}`),
	).toEqual([]);
});
