import type { INodeParameters } from 'n8n-workflow';

import { EVENTS } from '../../../nodes/HospitalityBookingTrigger/events';
import type { Poll, PollingWorkflow } from '../support/engine';
import { bookingCredential, useService } from '../support/service';

interface Booking {
	guid: string;
}

const here = useService({ bookings: 20, customers: 8 });

const waitFor = (event: string, parameters: INodeParameters = {}): PollingWorkflow =>
	here.engine.trigger({
		node: 'hospitalityBookingTrigger',
		parameters: { event, output: 'raw', ...parameters },
	});
const book = async (count = 1, booking: object = {}) =>
	await here.service.control<Booking[]>('POST', '/bookings', { count, booking });
const guidsOf = (bookings: Booking[]) => bookings.map(({ guid }) => guid).sort();
const guids = ({ items, error }: Poll) => {
	if (error) throw error;
	return (items ?? []).map(({ json }) => String(json.guid)).sort();
};

describe('a poll gets its place within its time', () => {
	it('while calls of another trigger of the account hang, however many', async () => {
		const trigger = waitFor('bookingCreated');
		await trigger.activate();
		await here.service.control('POST', '/faults', {
			path: '/api/booking/v1/Survey/',
			fault: { kind: 'delay', ms: 20_000 },
		});
		const hanging = Array.from({ length: 6 }, (_, index) => {
			const answers = waitFor('surveyAnswered');
			answers.rename(`Answers ${index}`);
			answers.budgetMs = 12_000;
			return answers.activate().catch(() => undefined);
		});
		for (let polls = 0; polls < 8; polls++) {
			const made = await book(1);
			const begun = Date.now();
			expect(guids(await trigger.poll())).toEqual(guidsOf(made));
			expect(Date.now() - begun).toBeLessThan(5000);
			await new Promise((resolve) => setTimeout(resolve, 1000));
		}
		await Promise.all(hanging);
	}, 60_000);
});

describe('what is stored', () => {
	it('with durable cursors holds what comes between publishing and the first scheduled poll, also over a restart', async () => {
		const trigger = waitFor('bookingCreated');
		await trigger.activate();
		// n8n does not store what the publication left in the node's own state.
		for (const key of Object.keys(trigger.stored)) if (key.startsWith('node:')) trigger.stored[key] = {};
		const made = await book(3);
		expect(guids(await trigger.restart())).toEqual(guidsOf(made));
	});

	it('fails the poll in words where it cannot be read, and stays as it is', async () => {
		const trigger = waitFor('bookingCreated');
		await trigger.activate();
		const [key = ''] = Object.keys(trigger.stored).filter((name) => name.startsWith('node:'));
		trigger.deactivate();
		trigger.stored[key] = { polling: 'text' };
		await expect(trigger.activate()).rejects.toThrow("The trigger's stored state cannot be read");
		trigger.stored[key] = { polling: { version: 3 } };
		await expect(trigger.activate()).rejects.toThrow('a later version of this package');
		expect(trigger.stored[key]).toEqual({ polling: { version: 3 } });
	});

	it('begins anew under another name, and again when the node is renamed back', async () => {
		const trigger = waitFor('bookingCreated');
		await trigger.activate();
		const [first] = await book(1);
		expect(guids(await trigger.poll())).toEqual([first?.guid]);
		trigger.rename('Another');
		await book(1);
		expect(guids(await trigger.restart())).toEqual([]);
		const [second] = await book(1);
		expect(guids(await trigger.poll())).toEqual([second?.guid]);
		trigger.rename('Trigger');
		await book(1);
		expect(guids(await trigger.restart())).toEqual([]);
		const [third] = await book(1);
		expect(guids(await trigger.poll())).toEqual([third?.guid]);
	});

	it('goes on where an empty filter is added, and begins anew on another server', async () => {
		const trigger = waitFor('bookingCreated');
		await trigger.activate();
		const made = await book(2);
		expect(guids(await trigger.reconfigure({ filters: { unitIds: '', statuses: [] } }))).toEqual(
			guidsOf(made),
		);
		const credential = bookingCredential(here.service.info);
		await here.engine.credentials.add('hospitalityBookingApi', 'hospitalityBookingApi', {
			...credential,
			baseUrl: String(credential.baseUrl).replace('127.0.0.1', 'localhost'),
		});
		await book(1);
		expect(guids(await trigger.poll())).toEqual([]);
		const more = await book(1);
		expect(guids(await trigger.poll())).toEqual(guidsOf(more));
	});
});

describe('the form', () => {
	it("refuses a 'Max Age' with which nothing would come out", async () => {
		const trigger = waitFor('bookingEnded', { distance: 0, options: { maxAge: 0 } });
		await expect(trigger.activate()).rejects.toThrow("'Max Age (Hours)'");
	});

	it("asks for no inverted period where 'Time After End' is longer than before", async () => {
		const trigger = waitFor('bookingEnded', { distance: 0, options: { maxAge: 1 } });
		await trigger.activate();
		await here.service.forgetRequests();
		await trigger.reconfigure({ distance: 40 });
		const { query = {} } = (await here.service.requests()).at(-1) ?? {};
		expect(Date.parse(String(query.startTime))).toBeLessThan(Date.parse(String(query.endTime)));
	});
});

describe('a filter on the form', () => {
	const OF_BOOKINGS = ['unitIds', 'statuses', 'leaveOutStatuses', 'customerId', 'minGuests', 'maxGuests'];
	const FILTERS = EVENTS.flatMap(({ value }) => {
		if (value.startsWith('customer')) return [];
		return (value === 'surveyAnswered' ? ['surveyId'] : OF_BOOKINGS).map(
			(filter) => [value, filter] as const,
		);
	});
	const LABELS: Record<string, string> = {
		unitIds: 'Unit IDs',
		statuses: 'Status Names or IDs',
		leaveOutStatuses: 'Exclude Status Names or IDs',
		customerId: 'Customer',
		minGuests: 'Min Guests',
		maxGuests: 'Max Guests',
		surveyId: 'Survey',
	};

	it.each(FILTERS)('of %s whose expression comes out empty is refused by name: %s', async (event, filter) => {
		for (const expression of ['={{ undefined }}', '={{ null }}', "={{ '' }}", '={{ [] }}']) {
			const value = filter.endsWith('Id') ? { __rl: true, mode: 'id', value: expression } : expression;
			const trigger = waitFor(event, { filters: { [filter]: value } });
			await expect(trigger.activate()).rejects.toThrow(`'${LABELS[filter]}' is empty`);
		}
	});

	it('that is left empty lets everything through', async () => {
		const trigger = waitFor('bookingCreated', { filters: { unitIds: '', statuses: [] } });
		await trigger.activate();
		const made = await book(2);
		expect(guids(await trigger.poll())).toEqual(guidsOf(made));
	});
});
