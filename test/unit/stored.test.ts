// What stored workflows rest on, and what a person reads beside each field, compared with what is committed. Before 0.1.0 any of it may
// change: npx jest test/unit/stored -u. Read the lines that change.
import type { INodeProperties, INodePropertyCollection, INodePropertyOptions } from 'n8n-workflow';
import { EVENTS, type TriggerEvent } from '../../nodes/HospitalityBookingTrigger/events/events';
import type { Field } from '../../nodes/shared/form/fields';
import type { Section } from '../../nodes/shared/form/rows';
import { makeCredentialType, makeNode, manifest } from '../support/packageSources';
import { type Row, rows } from '../support/sampleForm';
import { at, feedOf, Polled } from './trigger/support';

type Entry = INodeProperties | INodePropertyOptions | INodePropertyCollection;

/** A line for each parameter: where it is shown, its name, type, default and choices. */
function parametersOf(entry: Entry, place = ''): string[] {
	if ('values' in entry) {
		return entry.values.flatMap((one) => parametersOf(one, `${place}${entry.name}.`));
	}
	if (!('type' in entry) || entry.type === 'notice') return [];
	const { name, type, default: initial, options = [], displayOptions: { show = {} } = {} } = entry;
	const shown = ['resource', 'operation', 'event'].flatMap((key) =>
		show[key] ? [show[key].join(' ')] : [],
	);
	const isGroup = type === 'collection' || type === 'fixedCollection';
	const choices =
		isGroup || options.length > 100
			? []
			: options.flatMap((option) => ('value' in option ? [option.value] : []));
	const line = `${shown.join(' / ')} ${place}${name}: ${type} = ${JSON.stringify(initial)} ${choices.join(', ')}`;
	const inner = isGroup
		? options.flatMap((option) => parametersOf(option, `${place}${name}.`))
		: [];
	return [line.trim(), ...inner];
}

const lines = (properties: INodeProperties[]) =>
	properties.flatMap((one) => parametersOf(one)).join('\n');

test.each(manifest.n8n.nodes)('keeps the parameters of %s', (path) => {
	expect(lines(makeNode(path).description.properties)).toMatchSnapshot();
});

test.each(manifest.n8n.credentials)('keeps the fields of %s', (path) => {
	expect(lines(makeCredentialType(path).properties)).toMatchSnapshot();
});

test.each(Object.keys(EVENTS) as TriggerEvent[])('keeps the state of %s', async (event) => {
	const times = {
		createdDate: at(-30),
		changeDate: at(-20),
		lastChangedUtc: at(-20),
		respondedTime: at(-20),
	};
	const record = {
		guid: 'b1',
		id: 1,
		status: 4,
		start: at(30),
		end: at(50),
		history: [],
		...times,
	};
	const trigger = new Polled(feedOf(event));
	trigger.records = trigger.booked = [record];
	await trigger.poll(true);
	await trigger.polls(1);
	expect(trigger.own).toMatchSnapshot();
});

/** By operation, what a person reads beside a field, where its value goes, and what each choice is called. */
function labelsOf({
	operation: { pathFields = [], parameters = [], query = [], body },
	fields,
}: Row): string[] {
	const isSent = ({ path }: Field) => fields.some((one) => one.path === path && one.in === 'query');
	const isResult = (field: Field) => !isSent(field);
	return [
		...pathFields.flatMap((field) => fieldLines(field, 'path ')),
		...parameters.map(({ property }) =>
			lineOf(property, property.displayName, `form ${property.name}`),
		),
		...query.flatMap((section) => sectionLines(section, 'query ', isSent)),
		...query.flatMap((section) => sectionLines(section, 'result ', isResult)),
		...(body?.sections ?? []).flatMap((section) => sectionLines(section, 'body ')),
	];
}

function lineOf({ options = [] }: INodeProperties, label: string, place: string): string {
	const choices = options.flatMap((one) =>
		'value' in one && one.name !== String(one.value) ? [`${one.name} = ${String(one.value)}`] : [],
	);
	return `${label} → ${place}${choices.length > 0 ? ` (${choices.join(', ')})` : ''}`;
}

function sectionLines(
	{ collection, fields }: Section,
	place: string,
	isShown = (_: Field) => true,
): string[] {
	const label = collection ? `${collection.displayName} › ` : '';
	return fields.filter(isShown).flatMap((field) => fieldLines(field, place, label));
}

function fieldLines({ path, property, entries = [] }: Field, place: string, label = ''): string[] {
	const name = label + property.displayName;
	return [
		lineOf(property, name, place + path),
		...entries.flatMap((entry) => fieldLines(entry, `${place}${path}[].`, `${name} › `)),
	];
}

test.each(rows)('each label writes the field that it names: $id', (row) => {
	expect(labelsOf(row).join('\n')).toMatchSnapshot();
});
