import mapValues from 'lodash/mapValues';
import type { DueFeed, Feed } from '../../nodes/HospitalityBookingTrigger/feeds/feed';
import { hashKey } from '../../nodes/HospitalityBookingTrigger/keys';
import { type PollHost, type PollSettings, poll } from '../../nodes/HospitalityBookingTrigger/poll/poll';
import type {
	ChangePosition,
	DuePosition,
	StoredState,
} from '../../nodes/HospitalityBookingTrigger/state/stored';
import { playDue } from './dueHistory';
import { playChanges, playDifferences } from './history';
import type { Poll } from './host';

const HISTORIES = 10_000;
const SEED = 20261120;

const LOST = /^Lost/;
const REPEATED = /^Repeated/;
const WRONG = /^Not an event/;
const LOST_OR_WRONG = /^(Lost|Not an event)/;
const ANY = /^(Lost|Repeated|Not an event)/;

type Position = ChangePosition & DuePosition;
type Host = PollHost<never>;

/** The trigger in a world that differs: with other settings, another host, or another state than it has left. */
function broken(
	settingsOf: (settings: PollSettings) => Partial<PollSettings>,
	hostOf: (host: Host) => Partial<Host> = () => ({}),
): Poll {
	return async (host, settings) =>
		await poll(
			{ ...host, ...(hostOf(host as unknown as Host) as Partial<typeof host>) },
			{ ...settings, ...settingsOf(settings) },
		);
}

const inHost = (hostOf: (host: Host) => Partial<Host>) => broken(() => ({}), hostOf);

/** The trigger where a part of what it keeps is gone by the next poll. */
const forgetting = (change: (position: Position) => Partial<Position>) =>
	inHost(({ save }) => ({
		save: (state: StoredState) => {
			const position = state.position as Position;
			save({ ...state, position: { ...position, ...change(position) } });
		},
	}));

/** The trigger where what is read off each record differs. */
const reading = (change: (observation: object) => object) =>
	broken(({ feed }) => ({
		feed: {
			...feed,
			observe: (page: unknown[], zone: string) => {
				const { observed, notices } = feed.observe(page, zone);
				return { observed: observed.map(change), notices };
			},
		} as unknown as Feed,
	}));

let calls = 0;

const CHANGES: Array<[name: string, broken: Poll, verdict: RegExp]> = [
	['the overlap', broken(() => ({ overlapMs: 0 })), LOST],
	['what has been dealt with', forgetting(() => ({ seen: '' })), REPEATED],
	['that a position never goes back', forgetting(({ from }) => ({ since: 0, seen: '', from })), REPEATED],
	['one poll at a time', inHost(({ id }) => ({ id: `${id} ${++calls}` })), REPEATED],
	[
		'the copy of a publication',
		inHost(({ load }) => ({ load: () => ({ ...load(), published: undefined }) })),
		LOST,
	],
	[
		'the wait for what n8n is about to store',
		inHost(({ mode }) => ({ mode: mode === 'scheduler' ? 'timer' : mode })),
		REPEATED,
	],
	['the name of the node that a state belongs to', broken(() => ({ node: 'Trigger' })), ANY],
	['the server that a state belongs to', broken(() => ({ account: 'any' })), LOST_OR_WRONG],
	['the filters that a state belongs to', broken(() => ({ watching: 'all' })), ANY],
	[
		'the difference between no response and an empty list',
		inHost(({ fetch }) => ({ fetch: async (...call) => (await fetch(...call)) ?? [] })),
		WRONG,
	],
	[
		'the time n8n gives a poll',
		inHost(({ fetch }) => ({
			fetch: async (path, query, deadline) => await fetch(path, query, deadline + 1e9),
		})),
		/^Outlasted/,
	],
	[
		'publishing in a transient outage',
		inHost(() => ({ mode: 'timer' })),
		/^(Publishing was stopped|Outlasted)/,
	],
	['what a restart may have dropped', broken(() => ({ reEmit: false })), LOST],
	[
		'the state being changed last',
		inHost(({ fetch, load, save }) => ({
			fetch: async (...call) => {
				const page = await fetch(...call);
				const own = load().own as StoredState | undefined;
				const records = Array.isArray(page) ? page : [];
				const from = new Date(Date.now() + 1e12).toISOString();
				if (own && records.length > 0) save({ ...own, position: { ...own.position, from } as Position });
				return page;
			},
		})),
		ANY,
	],
];

const DIFFERENCES: typeof CHANGES = [
	['what was last seen', forgetting(() => ({ known: undefined })), ANY],
	[
		'learning at the beginning what is there',
		inHost(({ fetch }) => ({
			fetch: async (path, query, deadline) => (query.endTime ? [] : await fetch(path, query, deadline)),
		})),
		LOST,
	],
	[
		'what a booking began with',
		reading((one) => ({ ...one, compared: { ...(one as { compared?: object }).compared, made: undefined } })),
		ANY,
	],
];

const DUE: typeof CHANGES = [
	['the corrected time zone', broken(() => ({ zone: 'Europe/Stockholm' })), ANY],
	['the age limit', broken(({ maxAgeMs }) => ({ maxAgeMs: 100 * maxAgeMs })), WRONG],
	['what has come out, and what was due at the beginning', forgetting(() => ({ seen: '' })), ANY],
	['what waits for room', forgetting(() => ({ held: '' })), LOST],
	['when the trigger looked last', forgetting(() => ({ lookedAt: 0 })), WRONG],
	[
		'the booking that was entered after it had started',
		reading((one) => ({ ...one, createdAt: null })),
		WRONG,
	],
	['what a restart may have dropped', broken(() => ({ reEmit: false })), LOST],
];

const rows = Object.entries(
	mapValues({ CHANGES, DIFFERENCES, DUE }, (mutants) =>
		mutants.map(([name, mutant, verdict]) => ({ name, mutant, verdict })),
	),
).flatMap(([kind, mutants]) =>
	mutants.map((one) => ({
		...one,
		play: { CHANGES: playChanges, DIFFERENCES: playDifferences, DUE: playDue }[kind] ?? playDue,
	})),
);

describe('the model notices when the trigger is broken', () => {
	it.each(rows)('by taking out $name', async ({ play, name, mutant, verdict: expected }) => {
		const { verdict, histories, failure } = await play(HISTORIES, SEED, mutant, false);
		process.stdout.write(`model: without ${name}, history ${histories}: ${verdict}\n`);
		expect(verdict ?? failure).toMatch(expected);
	});

	/** What waits for room comes out whenever there is some: then it is the new time that is wrong. */
	it('by taking a moved booking for the same', async () => {
		const same = broken(({ feed }) => ({
			feed: {
				...feed,
				observe: (page: unknown[], zone: string) => {
					const { observed, notices } = (feed as DueFeed).observe(page, zone);
					const byName = observed.map((one) => ({ ...one, key: hashKey(feed.nameOf(one.record)) }));
					return { observed: byName, notices };
				},
			} as Feed,
		}));
		const found = new Set<string | undefined>();
		for (let seed = SEED; seed < SEED + 10; seed++) {
			const { verdict } = await playDue(HISTORIES, seed, same, false);
			found.add(/^(Lost|Not an event now):/.exec(verdict ?? '')?.[1]);
		}
		expect([...found].toSorted()).toEqual(['Lost', 'Not an event now']);
	});
});
