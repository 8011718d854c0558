import type { TriggerEvent } from '../../../nodes/HospitalityBookingTrigger/events/events';
import { NOW, SECOND, asStored, booking, feedOf, made, namesOf, published } from './support';

const START = '2026-08-01T18:00:00';
const LATER = '2026-08-01T19:00:00';

describe('a booking as it was made is older than any change of it', () => {
	it.each([1, 2, 3])('though it was changed only %i s later', async (seconds) => {
		const trigger = await published(feedOf('bookingPaymentChanged'), {
			records: [booking('other', -600)],
		});
		const unpaid = made('a', 5);
		const paidAt = new Date(Date.parse(unpaid.changeDate) + seconds * SECOND).toISOString();
		const paid = made('a', 5, { changeDate: paidAt, chargePayedAmount: 80 });

		const out = await trigger.pages([[paid], [unpaid], [paid]]);

		expect(namesOf(out)).toEqual(['a', '', '']);
	});
});

describe('the ID of a change does not depend on a later edit', () => {
	it.each<[TriggerEvent, object, object]>([
		['bookingRescheduled', { start: LATER }, { guests: 9 }],
		['bookingPaymentChanged', { chargePayedAmount: 80 }, { guests: 9 }],
		['bookingStatusChanged', { status: 3 }, { guests: 9 }],
		['bookingCanceled', { status: 2 }, { guests: 9 }],
	])('of %s, which a restored backup emits again', async (event, change, edit) => {
		const trigger = await published(feedOf(event), {
			records: [booking('other', -600)],
			booked: [booking('a', -600)],
		});
		const backup = asStored(trigger.own);
		const [[first] = []] = await trigger.pages([[booking('a', 1, change)]]);
		trigger.own = backup;

		const [[again] = []] = await trigger.pages([[booking('a', 12, { ...change, ...edit })]]);

		expect(again?.key).toBe(first?.key);
		expect(first?.key).toHaveLength(11);
	});
});

it.each<[TriggerEvent, object, object]>([
	['bookingRescheduled', { start: START }, { start: LATER }],
	['bookingPaymentChanged', { chargePayedAmount: 0 }, { chargePayedAmount: 80 }],
	['bookingStatusChanged', { status: 1 }, { status: 3 }],
])('A → B → A → B is four events of %s, each with an ID of its own', async (event, a, b) => {
	const trigger = await published(feedOf(event), {
		records: [booking('other', -600)],
		booked: [booking('a', -600, a)],
	});

	const out = await trigger.pages(
		[b, a, b, a].map((as, index) => [booking('a', 1 + 10 * index, as)]),
	);

	expect(namesOf(out)).toEqual(['a', 'a', 'a', 'a']);
	expect(new Set(out.flat().map(({ key }) => key)).size).toBe(4);
	expect(trigger.now).toBeGreaterThan(NOW);
});
