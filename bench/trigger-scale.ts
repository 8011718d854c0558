import { createRequire } from 'node:module';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { projectRoot } from '../harness/paths.ts';
import { median } from './report.ts';

/** How long one poll takes by the number of changed bookings in the answer, and what it keeps. */
export interface TriggerScale {
	/** Milliseconds of a poll of 25,000 changed bookings: median. */
	half: number;
	/** Milliseconds of a poll of 50,000. */
	whole: number;
	/** Time of twice the records, as a multiple: target at most 2.3. */
	ratio: number;
	/** Bytes of state with 10,000 changes within the overlap: target below 262,144. */
	stateBytes: number;
}

interface PollModule {
	poll: (world: object, settings: object) => Promise<unknown[] | null>;
}

interface BookingsModule {
	bookingFeed: (event: string, filters: object, include: string[]) => object;
}

const ROUNDS = 7;
const HALF = 25_000;
const START = Date.UTC(2026, 5, 1);
const HOUR = 3_600_000;

/**
 * Polls answers of 25,000 and of 50,000 changed bookings, in turns, from the text of the answer to the items and the
 * state as n8n stores it. Needs `dist/` to be built.
 */
export async function measureTriggerScale(): Promise<TriggerScale> {
	const half = answer(HALF);
	const whole = answer(2 * HALF);
	const times: Record<'half' | 'whole', number[]> = { half: [], whole: [] };
	await timePoll(half, HALF);
	for (let round = 0; round < ROUNDS; round++) {
		times.half.push((await timePoll(half, HALF)).ms);
		times.whole.push((await timePoll(whole, 2 * HALF)).ms);
	}
	const [halfMs, wholeMs] = [median(times.half), median(times.whole)];
	const { stateBytes } = await timePoll(answer(10_000, 60_000), 10_000);
	return { half: halfMs, whole: wholeMs, ratio: wholeMs / halfMs, stateBytes };
}

/** A text as the service would send it: bookings changed evenly within a period. */
function answer(count: number, periodMs = HOUR): string {
	return JSON.stringify(
		Array.from({ length: count }, (_, index) => {
			const changeDate = new Date(START + HOUR + Math.floor((index / count) * periodMs)).toISOString();
			const history = [{ changeDate: new Date(START).toISOString(), status: 1, statusName: 'Reserved' }];
			const contact = { id: index, fname: 'Guest', lname: String(index), email: `guest${index}@example.com` };
			const guid = `00000000-0000-4000-8000-${index.toString(16).padStart(12, '0')}`;
			const createdDate = new Date(START).toISOString();
			return {
				guid,
				createdDate,
				changeDate,
				status: 1,
				guests: 2,
				message: '',
				history,
				contact,
				articles: [],
			};
		}),
	);
}

async function timePoll(text: string, count: number): Promise<{ ms: number; stateBytes: number }> {
	const load = createRequire(import.meta.url);
	const folder = join(projectRoot(), 'dist', 'nodes', 'HospitalityBookingTrigger');
	const { poll } = load(join(folder, 'poll.js')) as PollModule;
	const { bookingFeed } = load(join(folder, 'feeds', 'bookings.js')) as BookingsModule;
	const filters = { unitIds: [], unitParameter: 'unitIds', statuses: [], leaveOutStatuses: [] };
	const settings = {
		feed: bookingFeed('bookingChanged', filters, []),
		watching: 'bench',
		zone: 'UTC',
		overlapMs: 120_000,
		maxAgeMs: 0,
		maxItems: count,
		startAt: START,
		anew: false,
		reEmit: false,
	};
	let stateBytes = 0;
	const world = {
		id: 'bench',
		readEarly: false,
		publishing: false,
		budgetMs: 300_000,
		load: () => undefined,
		save: (state: unknown) => (stateBytes = Buffer.byteLength(JSON.stringify({ polling: state }))),
		fetch: () => Promise.resolve(JSON.parse(text) as unknown),
		present: (records: Array<{ record: unknown }>) => records.map(({ record }) => ({ json: record })),
		warn: (message: string) => {
			throw new Error(message);
		},
		now: () => START + 2 * HOUR,
	};
	const begun = performance.now();
	const items = await poll(world, settings);
	const ms = performance.now() - begun;
	if (items?.length !== count) throw new Error(`The poll emitted ${items?.length ?? 0} of ${count} bookings`);
	return { ms, stateBytes };
}
