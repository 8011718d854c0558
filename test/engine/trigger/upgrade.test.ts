import { join } from 'node:path';
import { deepCopy, type INodeType } from 'n8n-workflow';

import { GOLDEN_EVENTS, isDueEvent } from '../../../compat/goldenStates.ts';
import { keptReleases, unpack } from '../../../compat/releases.ts';
import { manifest } from '../../support/packageSources';
import { createEngine, type Engine, type Poll } from '../support/engine';
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
	if (event === 'customerChanged') {
		const some = (await service.stored('customers')).slice(0, count);
		for (const { id } of some)
			await service.control('PATCH', `/customers/${id}`, { name: `Changed ${moves++}` });
		return some.map(({ id }) => String(id));
	}
	if (event === 'customerCreated') {
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
	return (items ?? []).map(({ json }) => String(json.guid ?? json.id));
};

/** Every event that a release has, both ways. test/model/upgrade.test.ts has every form of each. */
function casesOf(tarball: string) {
	const { properties } = triggerIn(tarball).description;
	const known = JSON.stringify(properties.find(({ name }) => name === 'event')?.options);
	const events = GOLDEN_EVENTS.filter((event) => known.includes(`"${event}"`));
	return events.flatMap((event) => ['an upgrade', 'the way back'].map((way) => [event, way] as const));
}

describe.each(keptReleases().slice(-1))('between $version and today', ({ tarball }) => {
	it.each(casesOf(tarball))('%s loses nothing and repeats nothing through %s', async (event, way) => {
		const released = await engineWith(tarball);
		const [from, to] = way === 'an upgrade' ? [released, here.engine] : [here.engine, released];
		const parameters = {
			event,
			output: 'raw',
			...(isDueEvent(event) ? { distance: 60, distanceUnit: 'minutes' } : {}),
		};
		const before = from.trigger({ node: 'hospitalityBookingTrigger', parameters });
		const after = to.trigger({ node: 'hospitalityBookingTrigger', parameters });
		await before.activate();
		const first = await happen(event, 2);
		const emitted = namesOf(await before.poll());
		expect(emitted).toHaveLength(2);
		const meanwhile = await happen(event, 2);
		before.deactivate();
		after.stored = deepCopy(before.stored);
		emitted.push(...namesOf(await after.restart()), ...namesOf(await after.poll()));
		const later = await happen(event, 1);
		emitted.push(...namesOf(await after.poll()), ...namesOf(await after.poll()));

		expect(emitted.sort()).toEqual([...first, ...meanwhile, ...later].sort());
	});
});
