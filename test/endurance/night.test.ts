import type { Arrival } from '../support/changeRecorder';
import { until } from '../support/progress';
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

interface Due {
	guid: string;
	type: string;
	/** Milliseconds since 1970. */
	at: number;
}

let n8n: PublishedTriggers;

const nameOf = ({ guid, type, at }: Due) => `${guid} ${type} ${new Date(at).toISOString()}`;
const nameOfArrival = ({ guid, event }: Arrival) => `${guid} ${event.type} ${event.time}`;

/** What n8n started an execution with before it was due, or later than one step of its clock afterwards. */
async function outOfTime(): Promise<string[]> {
	const ages = await Promise.all(
		n8n.arrivals.map(async (arrival) => {
			const age = (await n8n.startOf(arrival.execution)) - Date.parse(arrival.event.time);
			return { name: nameOfArrival(arrival), age };
		}),
	);
	return ages
		.filter(({ age }) => age < 0 || age > STEP_MS)
		.map(({ name, age }) => `${name}: ${Math.round(age / MINUTE)} min`);
}

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
			await n8n.sandbox.control('PUT', '/clock', { freezeAt: evening, offset: 'none', timeZone: ZONE });
			await n8n.changeCredential({ timeZone: ZONE });
			for (const event of EVENTS) {
				await n8n.publish(await n8n.create({ event, distance: 60, distanceUnit: 'minutes' }));
			}
			const expected: Due[] = [];
			for (let index = 0; index < BOOKINGS; index++) {
				const start = begin + 65 * MINUTE + index * 30 * MINUTE;
				const end = start + 30 * MINUTE;
				const times = { start: new Date(start).toISOString(), end: new Date(end).toISOString() };
				const [guid = ''] = await n8n.book(1, times);
				expected.push({ guid, type: 'bookingStartsSoon', at: asRead(start) - HOUR });
				expected.push({ guid, type: 'bookingEnded', at: asRead(end) + HOUR });
			}
			for (let now = begin + STEP_MS; now <= begin + 7 * HOUR; now += STEP_MS) {
				const clock = new Date(now).toISOString();
				const due = expected.filter(({ at }) => at <= now).map(nameOf);
				n8n.setClock(clock);
				await until(`what is due at ${clock} has come out`, () => {
					const came = new Set(n8n.arrivals.map(nameOfArrival));
					return due.every((name) => came.has(name));
				});
				await n8n.polls(2 * EVENTS.length);
			}
			expect(n8n.arrivals.map(nameOfArrival).sort()).toEqual(expected.map(nameOf).sort());
			expect(await outOfTime()).toEqual([]);
		},
	);
});
