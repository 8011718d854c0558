import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { deepCopy, type IDataObject, type INodeParameters, type INodeType } from 'n8n-workflow';

import { type GoldenState, isDueEvent } from '../../../compat/goldenStates.ts';
import { keptReleases, unpack } from '../../../compat/releases.ts';
import { manifest } from '../../support/packageSources';
import { createEngine, type Engine, type Poll, type PollingWorkflow } from '../support/engine';
import { bookingCredential, useService } from '../support/service';

const MINUTE = 60_000;
const TYPE = `${manifest.name}.hospitalityBookingTrigger`;

const here = useService({ bookings: 20, customers: 8 });

/** The trigger of a kept release. */
function triggerIn(tarball: string): INodeType {
	const file = join(
		unpack(tarball),
		'dist/nodes/HospitalityBookingTrigger/HospitalityBookingTrigger.node.js',
	);
	// eslint-disable-next-line @typescript-eslint/no-require-imports -- the path is known at run time only
	const { HospitalityBookingTrigger: Type } = require(file) as {
		HospitalityBookingTrigger: new () => INodeType;
	};
	return new Type();
}

/** An engine with the trigger of a kept release in place of today's, as n8n has it once the package is replaced. */
async function engineWith(tarball: string): Promise<Engine> {
	const engine = await createEngine({
		credentials: { hospitalityBookingApi: bookingCredential(here.service.info) },
	});
	const nodeType = triggerIn(tarball);
	nodeType.description.name = TYPE;
	engine.nodeTypes.add(TYPE, nodeType);
	return engine;
}

const minutesFromNow = (minutes: number) => new Date(Date.now() + minutes * MINUTE).toISOString();

let moves = 0;

/** Makes the event happen for `count` records, and returns their names. */
async function happen(event: string, count: number): Promise<string[]> {
	const { service } = here;
	if (event === 'surveyAnswered') {
		const recipients = await service.stored('recipients');
		const open = recipients.filter(({ status }) => status !== 4).slice(0, count);
		for (const { id } of open) await service.control('PATCH', `/recipients/${id}`, { status: 4 });
		return open.map(({ id }) => id);
	}
	if (event.startsWith('customer')) {
		const names: string[] = [];
		for (let index = 0; index < count; index++)
			names.push(String((await service.control<{ id: number }>('POST', '/customers', {})).id));
		return names;
	}
	if (event === 'bookingRescheduled') {
		const coming = (await service.stored('bookings')).filter(({ web }) => web.start > minutesFromNow(60));
		const names: string[] = [];
		for (; names.length < count; moves++) {
			const guid = String(coming[moves % coming.length]?.web.guid);
			await service.control('PATCH', `/bookings/${guid}`, { end: minutesFromNow(400_000 + moves) });
			names.push(guid);
		}
		return names;
	}
	const starts = event === 'bookingEnded' ? -120 : 20;
	const booking = isDueEvent(event)
		? { start: minutesFromNow(starts), end: minutesFromNow(starts + 30) }
		: event === 'bookingPaymentChanged'
			? { chargePayedAmount: 90 }
			: {};
	const made = await service.book(count, booking);
	if (event === 'bookingUpdated' || event === 'bookingStatusChanged') {
		for (const { guid } of made) {
			await new Promise((resolve) => setTimeout(resolve, 5));
			await service.control('PATCH', `/bookings/${guid}`, { status: 3, message: 'Later' });
		}
	}
	return made.map(({ guid }) => guid);
}

const namesOf = ({ items, error }: Poll): string[] => {
	if (error) throw error;
	return (items ?? []).map(({ json }) => {
		const again = (json.event as IDataObject | undefined)?.again === true;
		return `${String(json.guid ?? json.id)}${again ? ' again' : ''}`;
	});
};

async function pollAll(trigger: PollingWorkflow, polls = 5): Promise<string[]> {
	const names: string[] = [];
	for (let poll = 0; poll < polls; poll++) names.push(...namesOf(await trigger.poll()));
	return names;
}

const WAYS = ['an upgrade', 'the way back'] as const;
const FORMS: Array<[string, INodeParameters]> = [
	['everything at once', {}],
	['one item a poll', { maxItems: 1 }],
	['re-emitting', { reEmit: true }],
];
/** Each form comes to several events; with golden states test/unit/trigger/state.test.ts has every form of each. */
const formFor = (index: number) => FORMS[index % FORMS.length] ?? ['everything at once', {}];

/** Every event that a release has, both ways. */
function casesOf(folder: string, tarball: string) {
	const states = JSON.parse(readFileSync(join(folder, 'states.json'), 'utf8')) as GoldenState[];
	const { properties } = triggerIn(tarball).description;
	const known = JSON.stringify(properties.find(({ name }) => name === 'event')?.options);
	const events = states.map(({ event }) => event).filter((event) => known.includes(`"${event}"`));
	return [...new Set(events)].flatMap((event, index) =>
		WAYS.map((way, side) => [event, way, ...formFor(index + side)] as const),
	);
}

describe.each(keptReleases().slice(-1))('between $version and today', ({ folder, tarball }) => {
	it.each(casesOf(folder, tarball))(
		'%s loses nothing and repeats nothing through %s, %s',
		async (event, way, _what, options) => {
			const released = await engineWith(tarball);
			const [from, to] = way === 'an upgrade' ? [released, here.engine] : [here.engine, released];
			const parameters = {
				event,
				output: 'raw',
				...(isDueEvent(event) ? { distance: 60, distanceUnit: 'minutes' } : {}),
				options,
			};
			const before = from.trigger({ node: 'hospitalityBookingTrigger', parameters });
			const after = to.trigger({ node: 'hospitalityBookingTrigger', parameters });
			await before.activate();
			const first = await happen(event, 2);
			const emitted = namesOf(await before.poll());
			const isOneByOne = 'maxItems' in options;
			expect(emitted).toHaveLength(isOneByOne ? 1 : 2);
			const meanwhile = await happen(event, 2);
			before.deactivate();
			after.stored = deepCopy(before.stored);
			emitted.push(...namesOf(await after.restart()), ...(await pollAll(after)));
			const later = await happen(event, 1);
			emitted.push(...(await pollAll(after, 2)));

			const again = 'reEmit' in options ? first.map((name) => `${name} again`) : [];
			expect(emitted.sort()).toEqual([...first, ...meanwhile, ...later, ...again].sort());
		},
	);
});
