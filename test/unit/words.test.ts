import type { INodeProperties, INodePropertyCollection, INodePropertyOptions } from 'n8n-workflow';
import { HospitalityBooking } from '../../nodes/HospitalityBooking/HospitalityBooking.node';
import { HospitalityBookingTrigger } from '../../nodes/HospitalityBookingTrigger/HospitalityBookingTrigger.node';
import { HospitalityPayment } from '../../nodes/HospitalityPayment/HospitalityPayment.node';
import { makeCredentialType, manifest } from '../support/packageSources';

type Option = NonNullable<INodeProperties['options']>[number];

const isProperty = (option: Option): option is INodeProperties => 'type' in option;
const isCollection = (option: Option): option is INodePropertyCollection => 'values' in option;
const isChoice = (option: Option): option is INodePropertyOptions => 'value' in option;

/** A parameter on one of the forms, and where it stands, e.g. `Hospitality Booking › Options › System`. */
interface Placed {
	place: string;
	property: INodeProperties;
}

/** What a person reads there. */
interface Text {
	place: string;
	text: string | undefined;
}

const nodes = [new HospitalityBooking(), new HospitalityBookingTrigger(), new HospitalityPayment()].map(
	({ description }) => description,
);
const credentials = manifest.n8n.credentials.map(makeCredentialType);

const all: Placed[] = [...nodes, ...credentials].flatMap(({ displayName, properties }) =>
	properties.flatMap((property) => placed(displayName, property)),
);

function placed(above: string, property: INodeProperties): Placed[] {
	const place = `${above} › ${property.displayName}`;
	const inner = (property.options ?? []).flatMap((option) =>
		isProperty(option) ? [option] : isCollection(option) ? option.values : [],
	);
	return [{ place, property }, ...inner.flatMap((own) => placed(place, own))];
}

const choices = all.flatMap(({ place, property }) =>
	(property.options ?? [])
		.filter(isChoice)
		.map((choice) => ({ ...choice, place: `${place}: ${choice.name}` })),
);
const isIn = (lists: RegExp) => choices.filter(({ place }) => lists.test(place));
const operations = isIn(/ › Operation: /);
const ofType = (type: string) => all.filter(({ property }) => property.type === type);

/** The texts of parameters, or of choices, that are said by one of their members. */
const said = (...names: Array<'displayName' | 'description' | 'hint' | 'placeholder'>): Text[] =>
	all.flatMap(({ place, property }) => names.map((name) => ({ place, text: property[name] })));
const saidBy = (of: typeof choices, ...names: Array<'name' | 'description' | 'action'>): Text[] =>
	of.flatMap((choice) => names.map((name) => ({ place: choice.place, text: choice[name] })));

const texts: Text[] = [
	...nodes.map(({ displayName, description }) => ({ place: displayName, text: description })),
	...said('displayName', 'description', 'hint', 'placeholder'),
	...saidBy(choices, 'name', 'description', 'action'),
];

const SMALL_WORDS = /^(a|an|and|as|at|be|by|e\.g\.|for|from|in|incl\.|is|of|on|or|per|the|to|with)$/;
const JARGON = /\b(keys?|endpoint|payload|null|colour|centre|cancelled|organisation|licence)\b/i;

/** Whether each word but the small ones within begins with a capital, a digit or a sign. */
function isTitleCase(text: string): boolean {
	return text
		.split(/[\s(/-]+/)
		.every((word, index) => /^[^a-z]/.test(word) || word === '' || (index > 0 && SMALL_WORDS.test(word)));
}

test.each<[rule: string, among: Text[], isKept: (text: string) => boolean]>([
	[
		'names of parameters are in Title Case',
		all
			.filter(({ property }) => property.type !== 'notice')
			.map(({ place, property }) => ({ place, text: property.displayName })),
		isTitleCase,
	],
	[
		'names of choices are in Title Case, but for numbers without a name and the names of fields',
		saidBy(isIn(/(?<! › Fields): .*\D/), 'name'),
		isTitleCase,
	],
	[
		'actions are in sentence case, without articles, and name the object',
		saidBy(operations, 'action'),
		(text) => /^[A-Z][a-z]+( [a-z]+)+$/.test(text) && !/\b(a|an|the)\b/.test(text),
	],
	[
		'operations that list are called Get Many',
		saidBy(
			operations.filter(({ value }) => value === 'getAll'),
			'name',
		),
		(text) => text === 'Get Many',
	],
	[
		'every operation, resource, event and output says what it is',
		saidBy(isIn(/ › (Operation|Resource|Event|Output): /), 'description'),
		(text) => text !== '',
	],
	[
		'descriptions of switches begin with Whether',
		ofType('boolean').map(({ place, property }) => ({ place, text: property.description })),
		(text) => text.startsWith('Whether '),
	],
	[
		'descriptions of one sentence have no full stop',
		said('description'),
		(text) => !/^[^.]*\.$/.test(text.replace(/e\.g\./g, '')),
	],
	[
		'placeholders are examples or say what to add or select',
		all
			.flatMap(({ place, property }) =>
				[property, ...(property.modes ?? [])].map(({ placeholder }) => ({ place, text: placeholder })),
			)
			.filter(({ text }) => text !== undefined),
		(text) => /^(e\.g\. |Add |Select )/.test(text),
	],
	[
		'a JSON parameter shows an example below that is not taken for a value',
		all
			.filter(({ property: { type, name } }) => type === 'notice' || (type === 'json' && name !== 'jsonBody'))
			.map(({ place, property }) => ({ place, text: property.hint ?? property.displayName })),
		(text) =>
			/^(Example, not sent: <code>|e\.g\. <code>|The node's documentation has an example$)/.test(text),
	],
	['texts have no two periods in a row', texts, (text) => !/[^.]\.\.(?!\.)|\.\. /.test(text)],
	['no jargon, one spelling', texts, (text) => !JARGON.test(text.replace(/<[^>]+>/g, ''))],
])('%s', (_, among, isKept) => {
	expect(among).not.toEqual([]);
	expect(among.filter(({ text = '' }) => !isKept(text))).toEqual([]);
});

test('what can be chosen from a list comes from the list first, then by ID', () => {
	const locators = ofType('resourceLocator');

	expect(locators.length).toBeGreaterThan(3);
	for (const { property } of locators) {
		expect(property.modes?.map(({ displayName }) => displayName)).toEqual(['From List', 'By ID']);
		expect(property.default).toEqual({ mode: 'list', value: '' });
	}
});

test('each parameter of a collection has a name of its own', () => {
	for (const { property } of ofType('collection')) {
		for (const name of ['name', 'displayName'] as const) {
			const names = (property.options ?? []).filter(isProperty).map((option) => option[name]);
			expect(names).toEqual([...new Set(names)]);
		}
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
