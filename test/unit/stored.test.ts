// What stored workflows rest on, compared with what is committed. Before 0.1.0 any of it may change: npx jest test/unit/stored -u.
import type { INodeProperties, INodePropertyCollection, INodePropertyOptions } from 'n8n-workflow';
import { EVENTS, type TriggerEvent } from '../../nodes/HospitalityBookingTrigger/feeds/events';
import { makeCredentialType, makeNode, manifest } from '../support/packageSources';
import { at, feedOf, Polled } from './trigger/support';

type Entry = INodeProperties | INodePropertyOptions | INodePropertyCollection;

/** A line for each parameter: where it is shown, its name, type, default and choices. */
function parametersOf(entry: Entry, place = ''): string[] {
	if ('values' in entry) return entry.values.flatMap((one) => parametersOf(one, `${place}${entry.name}.`));
	if (!('type' in entry) || entry.type === 'notice') return [];
	const { name, type, default: initial, options = [], displayOptions: { show = {} } = {} } = entry;
	const shown = ['resource', 'operation', 'event'].flatMap((key) => (show[key] ? [show[key].join(' ')] : []));
	const isGroup = type === 'collection' || type === 'fixedCollection';
	const choices =
		isGroup || options.length > 100
			? []
			: options.flatMap((option) => ('value' in option ? [option.value] : []));
	const line = `${shown.join(' / ')} ${place}${name}: ${type} = ${JSON.stringify(initial)} ${choices.join(', ')}`;
	const inner = isGroup ? options.flatMap((option) => parametersOf(option, `${place}${name}.`)) : [];
	return [line.trim(), ...inner];
}

const lines = (properties: INodeProperties[]) => properties.flatMap((one) => parametersOf(one)).join('\n');

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
	const record = { guid: 'b1', id: 1, status: 4, start: at(30), end: at(50), history: [], ...times };
	const trigger = new Polled(feedOf(event));
	trigger.records = trigger.booked = [record];
	await trigger.poll(true);
	await trigger.polls(1);
	expect(trigger.own).toMatchSnapshot();
});
