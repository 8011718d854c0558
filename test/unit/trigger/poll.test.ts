import { poll } from '../../../nodes/HospitalityBookingTrigger/poll/poll';
import { ModelledHost } from '../../model/host';
import { ModelledService } from '../../model/service';
import { MINUTE, NOW, POLLED, bookingsOf, nameOf } from './support';

/** A trigger on new bookings with 'Re-Emit After Restart', one item a poll. */
function reEmitting() {
	const service = new ModelledService('booking', { zone: 'UTC', form: 'Z', decimals: 0, skewMs: 0 });
	let now = NOW;
	const host = new ModelledHost({
		poll,
		durable: false,
		settings: {
			...POLLED,
			...{ feed: bookingsOf('bookingCreated'), watching: 'bookingCreated' },
			...{ overlapMs: 0, maxItems: 1, reEmit: true },
		},
		list: (query) => service.list(query, now),
		now: () => now,
		pass: (ms) => (now += ms),
	});
	const book = () => {
		now += MINUTE;
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

it("emits the last batch again with 'Re-Emit After Restart' until n8n has taken it, though the workflow was published again meanwhile", async () => {
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
