import { bookingFeed } from '../../../nodes/HospitalityBookingTrigger/feeds/bookings';
import { poll } from '../../../nodes/HospitalityBookingTrigger/poll/poll';
import { ModelledHost } from '../../model/host';
import { ModelledService } from '../../model/service';

const NO_FILTERS = { unitIds: [], unitParameter: 'unitIds', statuses: [], leaveOutStatuses: [] };
const BEGIN = Date.parse('2026-10-24T12:00:00Z');

/** A trigger on new bookings with 'Re-Emit After Restart', one item a poll. */
function reEmitting() {
	const service = new ModelledService('booking', { zone: 'UTC', form: 'Z', decimals: 0, skewMs: 0 });
	let now = BEGIN;
	const host = new ModelledHost({
		poll,
		durable: false,
		settings: {
			feed: bookingFeed('bookingCreated', NO_FILTERS, []),
			node: 'Trigger',
			watching: 'bookingCreated',
			account: 'https://booking.example',
			zone: 'UTC',
			overlapMs: 0,
			maxItems: 1,
			maxAgeMs: 0,
			startAt: null,
			anew: false,
			reEmit: true,
		},
		list: (query) => service.list(query, now),
		now: () => now,
		pass: (ms) => (now += ms),
	});
	const book = () => {
		now += 60_000;
		service.create(now, 0);
	};
	const emitted = () =>
		host.runs
			.filter(({ dropped }) => !dropped)
			.flatMap(({ records }) =>
				records.map(({ record, again }) => `${nameOf(record)}${again ? ' again' : ''}`),
			);
	return { book, host, emitted };
}

const nameOf = (record: unknown) => (record as { guid: string }).guid;

describe("'Re-Emit After Restart'", () => {
	it('emits the last batch again until n8n has taken it, though the workflow was published again meanwhile', async () => {
		const { book, host, emitted } = reEmitting();
		await host.activate('none');
		book();
		book();
		await host.pollOnce('none', 'crash between writes');
		await host.pollOnce('none', 'superseded');
		await host.pollOnce('connection', 'none');
		for (let polls = 0; polls < 4; polls++) await host.pollOnce('none', 'none');
		expect(emitted()).toEqual(['1 again', '2']);
	});
});
