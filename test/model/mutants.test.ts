import type { Feed } from '../../nodes/HospitalityBookingTrigger/feeds/feed';
import { hashKey } from '../../nodes/HospitalityBookingTrigger/feeds/hashes';
import { type PollHost, type PollSettings, poll } from '../../nodes/HospitalityBookingTrigger/poll/poll';
import {
	type ChangePosition,
	type DuePosition,
	type State,
	type StoredState,
	readState,
	sealed,
} from '../../nodes/HospitalityBookingTrigger/state/stored';
import { playDue } from './dueHistory';
import { playChanges, playDifferences } from './history';
import type { Poll } from './host';

const HISTORIES = 10_000;
const SEED = 20261120;

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

const stateOf = (stored: StoredState) => readState(stored, stored.node) as State;

const inHost = (hostOf: (host: Host) => Partial<Host>) => broken(() => ({}), hostOf);

/** The trigger where a part of what it keeps is gone by the next poll. */
const forgetting = (change: (position: Position) => Partial<Position>) =>
	inHost(({ save }) => ({
		save: (stored: StoredState) => {
			const state = stateOf(stored);
			const position = state.position as Position;
			save(sealed({ ...state, position: { ...position, ...change(position) } }));
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

const CHANGES: Array<[name: string, broken: Poll]> = [
	['the overlap', broken(() => ({ overlapMs: 0 }))],
	['what has been dealt with', forgetting(() => ({ seen: {} }))],
	['that a position never goes back', forgetting(({ from }) => ({ since: 0, seen: {}, from }))],
	['one poll at a time', inHost(({ id }) => ({ id: `${id} ${++calls}` }))],
	[
		'the copy of a publication',
		inHost(({ load }) => ({ load: () => ({ ...load(), published: undefined }) })),
	],
	[
		'the wait for what n8n is about to store',
		inHost(({ mode }) => ({ mode: mode === 'scheduler' ? 'timer' : mode })),
	],
	['the name of the node that a state belongs to', broken(() => ({ node: 'Trigger' }))],
	['the server that a state belongs to', broken(() => ({ account: 'any' }))],
	['the filters that a state belongs to', broken(() => ({ watching: 'all' }))],
	[
		'the difference between no response and an empty list',
		inHost(({ fetch }) => ({ fetch: async (...call) => (await fetch(...call)) ?? [] })),
	],
	[
		'the time n8n gives a poll',
		inHost(({ fetch }) => ({
			fetch: async (path, query, deadline) => await fetch(path, query, deadline + 1e9),
		})),
	],
	['publishing in a transient outage', inHost(() => ({ mode: 'timer' }))],
	['what a restart may have dropped', broken(() => ({ reEmit: false }))],
	[
		'the state being changed last',
		inHost(({ fetch, load, save }) => ({
			fetch: async (...call) => {
				const page = await fetch(...call);
				const stored = load().own as StoredState | undefined;
				const records = Array.isArray(page) ? page : [];
				const from = new Date(Date.now() + 1e12).toISOString();
				if (stored && records.length > 0) {
					const own = stateOf(stored);
					save(sealed({ ...own, position: { ...own.position, from } as Position }));
				}
				return page;
			},
		})),
	],
];

const DIFFERENCES: typeof CHANGES = [
	['what was last seen', forgetting(() => ({ known: undefined }))],
	[
		'learning at the beginning what is there',
		inHost(({ fetch }) => ({
			fetch: async (path, query, deadline) => (query.endTime ? [] : await fetch(path, query, deadline)),
		})),
	],
	[
		'what a booking began with',
		reading((one) => ({ ...one, compared: { ...(one as { compared?: object }).compared, made: undefined } })),
	],
];

const DUE: typeof CHANGES = [
	["the credential's time zone", broken(() => ({ zone: 'Europe/Stockholm' }))],
	['the age limit', broken(({ maxAgeMs }) => ({ maxAgeMs: 100 * maxAgeMs }))],
	['what has come out, and what was due at the beginning', forgetting(() => ({ seen: {} }))],
	['what waits for room', forgetting(() => ({ held: {} }))],
	['when the trigger looked last', forgetting(() => ({ lookedAt: 0 }))],
	[
		'the time from what stands for a due booking',
		reading((one) => ({ ...one, key: hashKey((one as { record: { guid: string } }).record.guid) })),
	],
	['the booking that was entered after it had started', reading((one) => ({ ...one, createdAt: null }))],
	['what a restart may have dropped', broken(() => ({ reEmit: false }))],
];

describe.each([
	{ kind: 'changes', play: playChanges, mutants: CHANGES },
	{ kind: 'differences', play: playDifferences, mutants: DIFFERENCES },
	{ kind: 'due bookings', play: playDue, mutants: DUE },
])('the model of $kind notices when the trigger is broken', ({ play, mutants }) => {
	it.each(mutants)('by taking out %s', async (name, mutant) => {
		const { verdict, histories } = await play(HISTORIES, SEED, mutant, false);
		process.stdout.write(`model: without ${name}, history ${histories}: ${verdict}\n`);
		expect(verdict).toBeDefined();
	});
});
