import { transformSync } from '@swc/core';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

import * as help from '../../nodes/shared/errors/help';
import * as response from '../../nodes/shared/http/response';
import * as formValues from '../../nodes/shared/operation/formValues';
import * as recentMap from '../../nodes/shared/values/recentMap';
import * as record from '../../nodes/shared/values/record';
import { hashKey } from '../../nodes/HospitalityBookingTrigger/state/seen';
import type { DueFeed } from '../../nodes/HospitalityBookingTrigger/feeds/feed';
import { runDueHistories } from './dueHistory';
import { runAgain, runDifferences, runHistories } from './history';
import type { Poll } from './host';
import { poll as realPoll } from '../../nodes/HospitalityBookingTrigger/poll/poll';

const FOLDER = join(__dirname, '../../nodes/HospitalityBookingTrigger');
const SHARED = join(__dirname, '../../nodes/shared');
const HISTORIES = 10_000;
const SEED = 20261120;

/** The files of the state machine, each after those that it imports. */
const FILES = [
	'timestamps',
	'state/seen',
	'state/lastSeen',
	'state/stored',
	'follow/step',
	'follow/changes',
	'follow/due',
	'poll/poll',
] as const;

interface Mutant {
	name: string;
	file: (typeof FILES)[number];
	find: string;
	replace: string;
	/** What the model must find. */
	verdict: RegExp;
}

const LOST = /^Lost/;
const REPEATED = /^Repeated/;
const WRONG = /^Not an event/;

const MUTANTS: Mutant[] = [
	{
		name: 'the overlap',
		file: 'timestamps',
		find: 'const overlap = Math.max(overlapMs, SECOND);',
		replace: 'const overlap = SECOND;',
		verdict: LOST,
	},
	{
		name: 'what has been dealt with',
		file: 'follow/changes',
		find: 'seen: packSeen(seen),',
		replace: "seen: '',",
		verdict: REPEATED,
	},
	{
		name: 'the handling of equal timestamps',
		file: 'timestamps',
		find: 'const overlap = Math.max(overlapMs, SECOND);',
		replace: 'const overlap = overlapMs;',
		verdict: LOST,
	},
	{
		name: 'the rule for daylight-saving changes',
		file: 'timestamps',
		find: 'return isNearDaylightSavingChange(ms, zone)',
		replace: 'return false',
		verdict: LOST,
	},
	{
		name: 'the doubt about timestamps ahead of n8n’s clock',
		file: 'follow/changes',
		find: 'changed && changed.ms <= now ? [changed] : []',
		replace: 'changed ? [changed] : []',
		verdict: LOST,
	},
	{
		name: 'the doubt about timestamps that no other record confirms',
		file: 'follow/changes',
		find: '[WITNESSES - 1]',
		replace: '[0]',
		verdict: LOST,
	},
	{
		name: 'the doubt about n8n’s clock where it is behind the service',
		file: 'follow/changes',
		find: ' && !observed.some(({ changed }) => changed && changed.wall >= wallOf(from))',
		replace: '',
		verdict: LOST,
	},
	{
		name: 'the state being changed last',
		file: 'poll/poll',
		find: 'const step = follower.advance(position, page, now, standing);',
		replace:
			'const step = follower.advance(position, page, now, standing);\n\tsave({ position: step.position }, null);',
		verdict: LOST,
	},
	{
		name: 'one poll at a time',
		file: 'poll/poll',
		find: 'if (memory.running) {',
		replace: 'if (host.id === undefined) {',
		verdict: REPEATED,
	},
	{
		name: 'keeping what a publication came to with the workflow',
		file: 'poll/poll',
		find: 'const stored = host.load().map(',
		replace: 'const stored = host.load().slice(0, 1).map(',
		verdict: LOST,
	},
	{
		name: 'the wait for what n8n is about to store',
		file: 'poll/poll',
		find: 'if (host.readEarly && isBeingStored) return null;',
		replace: '',
		verdict: REPEATED,
	},
	{
		name: 'counting that wait from the end of the poll',
		file: 'poll/poll',
		find: 'memory.emitted = { from: mark, at: host.now(), isAgain };',
		replace: 'memory.emitted = { from: mark, at: now, isAgain };',
		verdict: REPEATED,
	},
	{
		name: 'the name of the node that a state belongs to',
		file: 'poll/poll',
		find: '(state.node ?? node) === node &&',
		replace: '',
		verdict: /^(Lost|Not an event)/,
	},
	{
		name: 'the server that a state belongs to',
		file: 'poll/poll',
		find: '(state.account ?? account) === account',
		replace: 'true',
		verdict: /^(Lost|Not an event)/,
	},
	{
		name: 'the filters that a state belongs to',
		file: 'poll/poll',
		find: 'state.watching === watching &&',
		replace: '',
		verdict: /^(Lost|Not an event)/,
	},
	{
		name: 'waiting for what the limit held back',
		file: 'follow/changes',
		find: 'earlier(watermarkOf(observed, now), waiting[0]?.changed)',
		replace: 'watermarkOf(observed, now)',
		verdict: LOST,
	},
	{
		name: 'keeping what waits from being taken for dealt with',
		file: 'follow/changes',
		find: 'Math.min(Math.max(since, reached), lowest)',
		replace: 'Math.max(since, reached, Math.min(lowest, 0))',
		verdict: LOST,
	},
	{
		name: 'the difference between no response and an empty list',
		file: 'poll/poll',
		find: 'position: follower.begin(newest ? now : (settings.startAt ?? now), now)',
		replace: 'position: follower.advance(follower.begin(null, now), [], now).position',
		verdict: WRONG,
	},
	{
		name: 'the time n8n gives a poll',
		file: 'poll/poll',
		find: 'fetch(begun + budgetMs)',
		replace: 'fetch(Infinity)',
		verdict: /^Outlasted/,
	},
	{
		name: 'the shorter time of publishing',
		file: 'poll/poll',
		find: 'host.publishing ? PUBLISHING_BUDGET_MS :',
		replace: '',
		verdict: /^Outlasted/,
	},
	{
		name: 'publishing in a transient outage',
		file: 'poll/poll',
		find: "!host.publishing || !['rate-limited', 'temporarily-unavailable'].includes(cause)",
		replace: 'true',
		verdict: /^Publishing was stopped/,
	},
	{
		name: 'what a restart may have dropped',
		file: 'poll/poll',
		find: 'settings.reEmit && canReEmit ?',
		replace: 'false ?',
		verdict: LOST,
	},
	{
		name: 'doing so only once',
		file: 'poll/poll',
		find: 'settings.reEmit && canReEmit ?',
		replace: 'settings.reEmit ?',
		verdict: REPEATED,
	},
	{
		name: 'telling the last batch from what is new',
		file: 'follow/changes',
		find: 'keys.has(event.key) ? [emissionOf(candidate)] : []',
		replace: '[emissionOf(candidate)]',
		verdict: /^Marked/,
	},
];

const AGAIN_MUTANTS: Mutant[] = [
	{
		name: 'a position of its own for what is emitted again',
		file: 'poll/poll',
		find: 'save({ position: step.position, last: kept',
		replace: 'save({ position: more.state?.position ?? step.position, last: kept',
		verdict: /^(Lost|Repeated)/,
	},
	{
		name: 'leaving to the trigger what it has not dealt with',
		file: 'poll/poll',
		find: 'follower.dealtWith(reference, step.emit)',
		replace: 'step.emit',
		verdict: /^(Comes as new|Lost|Not an event)/,
	},
	{
		name: 'comparing with what was last seen',
		file: 'state/lastSeen',
		find: 'kept.filter((_name, index) => seen[index] !== now[index])',
		replace: 'kept.filter((_name, index) => seen[index] === now[index])',
		verdict: /^Changed otherwise/,
	},
];

const DUE_MUTANTS: Mutant[] = [
	{
		name: 'the edge of the window: what is not due yet',
		file: 'follow/due',
		find: 'anchor.ms > reach.upTo ||',
		replace: '',
		verdict: WRONG,
	},
	{
		name: 'the edge of the window: what is due at this very moment',
		file: 'follow/due',
		find: 'anchor.ms > reach.upTo ||',
		replace: 'anchor.ms >= reach.upTo ||',
		// Or it was due at the very moment of the beginning, and comes out with the next poll.
		verdict: /^(Lost|Not an event)/,
	},
	{
		name: 'the late booking, whose time has not passed',
		file: 'follow/due',
		find: 'const oldest = Math.min(asOf, asOf - feed.offsetMs - settings.maxAgeMs);',
		replace: 'const oldest = asOf - feed.offsetMs - settings.maxAgeMs;',
		verdict: LOST,
	},
	{
		name: 'the booking that was entered after it had started',
		file: 'follow/due',
		find: 'createdAt >= anchor.ms',
		replace: 'false',
		verdict: WRONG,
	},
	{
		name: 'the booking that was there when the trigger looked last',
		file: 'follow/due',
		find: '? 0 : lookedAt',
		replace: '? 0 : 0',
		verdict: WRONG,
	},
	{
		name: 'the doubt about n8n’s clock when it was set back',
		file: 'follow/due',
		find: ' || lookedAt > now',
		replace: '',
		verdict: LOST,
	},
	{
		name: 'the corrected time zone',
		file: 'follow/due',
		find: 'const hasMoved = zone !== settings.zone;',
		replace: 'const hasMoved = false;',
		verdict: LOST,
	},
	{
		name: 'what had not passed when the trigger looked last, while the time zone is corrected',
		file: 'follow/due',
		find: 'Math.min(now, lookedAt)',
		replace: 'now',
		verdict: LOST,
	},
	{
		name: 'the age limit',
		file: 'follow/due',
		find: 'asOf - feed.offsetMs - settings.maxAgeMs)',
		replace: 'asOf - feed.offsetMs - 100 * settings.maxAgeMs)',
		verdict: WRONG,
	},
	{
		name: 'what has come out',
		file: 'follow/due',
		find: 'for (const candidate of out) note(seen, candidate);',
		replace: '',
		verdict: REPEATED,
	},
	{
		name: 'what was due at the beginning',
		file: 'follow/due',
		find: 'note(seen, candidate);\n\t\t\t\tpassedOver',
		replace: 'passedOver',
		verdict: WRONG,
	},
	{
		name: 'judging anew what was passed over at the beginning when the time zone is corrected',
		file: 'follow/due',
		find: '&& passedOver.delete(key)',
		replace: '&& false',
		verdict: LOST,
	},
	{
		name: 'remembering it beyond its window, whatever n8n’s clock says',
		file: 'follow/due',
		find: 'seen.size - MIN_REMEMBERED',
		replace: 'seen.size',
		verdict: /^(Repeated|Lost|Not an event)/,
	},
	{
		name: 'what waits for room',
		file: 'follow/due',
		find: 'held: packSeen(held),',
		replace: "held: '',",
		verdict: LOST,
	},
	{
		name: 'the hour that the clock shows twice',
		file: 'follow/due',
		find: 'overlapAt(last, settings.zone)',
		replace: '(position.dueFrom === undefined ? 1000 : overlapAt(last, settings.zone))',
		verdict: LOST,
	},
	{
		name: 'the hour that the clock shows twice, at the beginning',
		file: 'follow/due',
		find: 'overlapAt(last, settings.zone)',
		replace: '(position.dueFrom === undefined ? overlapAt(last, settings.zone) : 1000)',
		verdict: WRONG,
	},
	{
		name: 'asking for what may have been dropped where n8n’s clock was set back',
		file: 'follow/due',
		find: 'lasts.push(second * SECOND + zones)',
		replace: 'void second',
		verdict: /^Lost with its batch/,
	},
	{
		name: 'the beginning, before which nothing comes out',
		file: 'follow/due',
		find: 'anchor.ms + feed.offsetMs < reach.knownBefore',
		replace: 'false',
		verdict: WRONG,
	},
	{
		name: 'asking for the last batch again',
		file: 'follow/due',
		find: 'firsts.push(origin);',
		replace: '',
		verdict: /^Lost with its batch/,
	},
];

const DIFFERENCE_MUTANTS: Mutant[] = [
	{
		name: 'what was last seen',
		file: 'follow/changes',
		find: 'known.set(remembered.id, remembered.facts.digest);',
		replace: '',
		verdict: /^(Lost|Repeated|Not an event)/,
	},
	{
		name: 'learning at the beginning what is there',
		file: 'follow/changes',
		find: '...standing.filter(isDealtWith),',
		replace: '',
		verdict: LOST,
	},
	{
		name: 'asking at the beginning for what is there',
		file: 'poll/poll',
		find: 'follower.standing?.(position, now)',
		replace: 'undefined',
		verdict: LOST,
	},
	{
		name: 'keeping what was last seen',
		file: 'follow/changes',
		find: 'feed.remembers ? { known: bounded(known) } : {}',
		replace: '{}',
		verdict: /^(Lost|Repeated|Not an event)/,
	},
	{
		name: 'what a booking began with',
		file: 'follow/changes',
		find: 'made && made.rank >= since ? made.digest : undefined',
		replace: 'undefined',
		verdict: LOST,
	},
	{
		name: 'the doubt about what an old booking began with',
		file: 'follow/changes',
		find: 'made && made.rank >= since ?',
		replace: 'made ?',
		verdict: WRONG,
	},
	{
		name: 'what a booking that waits for room began with',
		file: 'follow/changes',
		find: 'if (before) known.set(remembered.id, before);',
		replace: '',
		verdict: LOST,
	},
	{
		name: 'keeping what waits for room from being taken for seen',
		file: 'follow/changes',
		find: 'if (before) known.set(remembered.id, before);',
		replace: 'if (remembered) known.set(remembered.id, remembered.facts.digest);',
		verdict: LOST,
	},
	{
		name: 'the difference itself',
		file: 'follow/changes',
		find: '(remembered?.tells(changes) ?? true)',
		replace: 'true',
		verdict: /^(Repeated|Not an event)/,
	},
	{
		name: 'the values as they were',
		file: 'state/lastSeen',
		find: '[name, seen[index] ?? null]',
		replace: '[name, now[index] ?? null]',
		verdict: /^(Repeated|Not an event)/,
	},
	{
		name: 'what had changed in the last batch',
		file: 'poll/poll',
		find: 'differences.length > 0 ? { differences } : {}',
		replace: '{}',
		verdict: /^(Lost with its batch|Came again with)/,
	},
];

/** A feed for which a booking that is moved stays the same. */
function withoutMoves(feed: DueFeed): DueFeed {
	return {
		...feed,
		observe: (page, zone) => {
			const { observed, notices } = feed.observe(page, zone);
			const byGuid = observed.map((one) => ({ ...one, key: hashKey((one.record as { guid: string }).guid) }));
			return { observed: byGuid, notices };
		},
	};
}

type Module = Record<string, unknown>;

/** Compiles the trigger's state machine with one place of the source changed. */
function compile({ file, find, replace }: Pick<Mutant, 'file' | 'find' | 'replace'>): Poll {
	const real = createRequire(__filename);
	const modules = new Map<string, Module>([
		[join(SHARED, 'errors/help'), help],
		[join(SHARED, 'http/response'), response],
		[join(SHARED, 'operation/formValues'), formValues],
		[join(SHARED, 'values/recentMap'), recentMap],
		[join(SHARED, 'values/record'), record],
	]);
	for (const name of FILES) {
		const path = join(FOLDER, name);
		let source = readFileSync(`${path}.ts`, 'utf8');
		if (name === file) {
			if (source.split(find).length !== 2) throw new Error(`${name}.ts does not have this once: ${find}`);
			source = source.replace(find, () => replace);
		}
		const { code } = transformSync(source, {
			jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
			module: { type: 'commonjs' },
		});
		const exports: Module = {};
		const load = (id: string): unknown => modules.get(join(dirname(path), id)) ?? real(id);
		new Function('exports', 'require', code)(exports, load);
		modules.set(path, exports);
	}
	return modules.get(join(FOLDER, 'poll/poll'))?.poll as Poll;
}

describe('the model notices when the trigger is broken', () => {
	it('passes what is compiled without a change', async () => {
		const unchanged = compile({
			file: 'follow/changes',
			find: 'seen: packSeen(seen),',
			replace: 'seen: packSeen(seen),',
		});
		expect((await runHistories(500, SEED, unchanged)).failure).toBeUndefined();
	});

	it.each(MUTANTS)('by taking out $name', async (mutant) => {
		const { verdict, histories, failure } = await runHistories(HISTORIES, SEED, compile(mutant), false);
		process.stdout.write(`model: without ${mutant.name}, history ${histories}: ${verdict}\n`);
		expect(verdict ?? failure).toMatch(mutant.verdict);
	});

	it.each(AGAIN_MUTANTS)('by taking out $name', async (mutant) => {
		const { verdict, histories, failure } = await runAgain(HISTORIES, SEED, compile(mutant), false);
		process.stdout.write(`model: without ${mutant.name}, history ${histories}: ${verdict}\n`);
		expect(verdict ?? failure).toMatch(mutant.verdict);
	});

	it.each(DIFFERENCE_MUTANTS)('by taking out $name', async (mutant) => {
		const { verdict, histories, failure } = await runDifferences(HISTORIES, SEED, compile(mutant), false);
		process.stdout.write(`model: without ${mutant.name}, history ${histories}: ${verdict}\n`);
		expect(verdict ?? failure).toMatch(mutant.verdict);
	});

	it.each(DUE_MUTANTS)('by taking out $name', async (mutant) => {
		const broken = compile(mutant);
		const { verdict, histories, failure } = await runDueHistories(HISTORIES, SEED, broken, {
			shrinks: false,
		});
		process.stdout.write(`model: without ${mutant.name}, history ${histories}: ${verdict}\n`);
		expect(verdict ?? failure).toMatch(mutant.verdict);
	});

	/** What waits for room comes out whenever there is some: then it is the new time that is wrong. */
	it('by taking a moved booking for the same', async () => {
		const found = new Set<string | undefined>();
		for (let seed = SEED; seed < SEED + 10; seed++) {
			const options = { change: withoutMoves, shrinks: false };
			const { verdict } = await runDueHistories(HISTORIES, seed, realPoll, options);
			found.add(/^(Lost|Not an event now):/.exec(verdict ?? '')?.[1]);
		}
		expect([...found].toSorted()).toEqual(['Lost', 'Not an event now']);
	});
});
