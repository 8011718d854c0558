import { PublishedTriggers } from '../support/publishedTrigger';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const ZONE = 'Europe/Stockholm';
const EVENTS = ['bookingStartsSoon', 'bookingEnded'];
const BOOKINGS = 7;
const STEP_MS = 30 * MINUTE;

/** Autumn: from 01:00 to 02:00 UTC the clock shows an hour again, and the service does not say which one it means. */
const NIGHTS = [
	{ season: 'autumn', evening: '2026-10-24T23:00:00Z', shownAgain: Date.parse('2026-10-25T01:00:00Z') },
	{ season: 'spring', evening: '2026-03-28T23:00:00Z', shownAgain: Infinity },
];

let n8n: PublishedTriggers;

afterEach(async () => {
	await (n8n as PublishedTriggers | undefined)?.stop();
});

describe('the night in which the clock is changed, local times without an offset, real n8n', () => {
	it.each(NIGHTS)(
		'each booking comes out once when it starts soon and once when it has ended, in time: $season',
		async ({ evening, shownAgain }) => {
			const begin = Date.parse(evening);
			const asRead = (ms: number) => (ms >= shownAgain && ms < shownAgain + HOUR ? ms - HOUR : ms);
			n8n = await PublishedTriggers.start(false, evening);
			await n8n.control('PUT', 'clock', { freezeAt: evening, offset: 'none', timeZone: ZONE });
			await n8n.changeCredential({ timeZone: ZONE });
			for (const event of EVENTS) {
				await n8n.publish(await n8n.create({ event, distance: 60, distanceUnit: 'minutes' }));
			}
			const expected: string[] = [];
			for (let index = 0; index < BOOKINGS; index++) {
				const start = begin + 65 * MINUTE + index * 30 * MINUTE;
				const end = start + 30 * MINUTE;
				const times = { start: new Date(start).toISOString(), end: new Date(end).toISOString() };
				const [guid] = await n8n.book(1, times);
				expected.push(`${guid} bookingStartsSoon ${new Date(asRead(start) - HOUR).toISOString()}`);
				expected.push(`${guid} bookingEnded ${new Date(asRead(end) + HOUR).toISOString()}`);
			}
			const late: string[] = [];
			for (let now = begin + STEP_MS; now <= begin + 7 * HOUR; now += STEP_MS) {
				const before = n8n.arrivals.length;
				n8n.setClock(new Date(now).toISOString());
				await n8n.polls(2 * EVENTS.length);
				for (const { guid, event } of n8n.arrivals.slice(before)) {
					const age = now - Date.parse(event.time);
					if (age < 0 || age > STEP_MS) late.push(`${guid} ${event.type}: ${age / MINUTE} min`);
				}
			}
			expect(n8n.arrivals.map(({ guid, event }) => `${guid} ${event.type} ${event.time}`).sort()).toEqual(
				expected.sort(),
			);
			expect(late).toEqual([]);
		},
	);
});
