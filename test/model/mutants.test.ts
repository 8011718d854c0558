import { transformSync } from '@swc/core';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

import * as seen from '../../nodes/HospitalityBookingTrigger/seen';
import * as stamps from '../../nodes/HospitalityBookingTrigger/stamps';
import * as skips from '../../nodes/HospitalityBookingTrigger/skips';
import { hashKey } from '../../nodes/HospitalityBookingTrigger/seen';
import type { DueFeed } from '../../nodes/HospitalityBookingTrigger/feeds/feed';
import { runDueHistories } from './dueHistory';
import { runHistories } from './history';
import type { Poll } from './host';
import { poll as realPoll } from '../../nodes/HospitalityBookingTrigger/poll';

const FOLDER = join(__dirname, '../../nodes/HospitalityBookingTrigger');
const HISTORIES = 10_000;
const SEED = 20261120;

type TriggerFile = 'cursor' | 'due' | 'follow' | 'reEmit' | 'pollState' | 'poll';

interface Mutant {
	name: string;
	file: TriggerFile;
	find: string;
	replace: string;
	/** What the model must find. */
	verdict: RegExp;
}

const MUTANTS: Mutant[] = [
	{
		name: 'the overlap',
		file: 'cursor',
		find: 'const overlap = Math.max(overlapMs, TIE_MS);',
		replace: 'const overlap = TIE_MS;',
		verdict: /^(Lost|Repeated)/,
	},
	{
		name: 'the seen set',
		file: 'cursor',
		find: 'seen: packSeen(seen)',
		replace: "seen: ''",
		verdict: /^Repeated/,
	},
	{
		name: 'the handling of equal stamps',
		file: 'cursor',
		find: 'const overlap = Math.max(overlapMs, TIE_MS);',
		replace: 'const overlap = overlapMs;',
		verdict: /^(Lost|Repeated)/,
	},
	{
		name: 'the rule for daylight-saving changes',
		file: 'cursor',
		find: 'return isNearDaylightSavingChange(ms, zone)',
		replace: 'return false',
		verdict: /^(Lost|Repeated)/,
	},
	{
		name: 'the state being changed last',
		file: 'poll',
		find: 'const output = emit.length > 0',
		replace: 'world.save({ watching: settings.watching, cursor });\n\tconst output = emit.length > 0',
		verdict: /^(Lost|Repeated)/,
	},
	{
		name: 'one poll at a time',
		file: 'poll',
		find: 'const other = running.get(world.id);',
		replace: 'const other = undefined as Promise<unknown> | undefined;',
		verdict: /^(Lost|Repeated)/,
	},
	{
		name: 'remembering the baseline that durable cursors drop',
		file: 'pollState',
		find: 'memory?.madeFrom === madeFrom ? memory.state : stored',
		replace: 'stored',
		verdict: /^(Lost|Repeated)/,
	},
	{
		name: 'the wait for what n8n is about to store',
		file: 'poll',
		find: 'if (world.readEarly && isBeingStored(world.id, begunFrom, now)) return null;',
		replace: '',
		verdict: /^(Lost|Repeated)/,
	},
	{
		name: 'waiting for what the limit held back',
		file: 'cursor',
		find: 'waiting[0]?.stamp ?? watermark',
		replace: 'watermark',
		verdict: /^(Lost|Repeated)/,
	},
	{
		name: 'keeping what waits from being taken for dealt with',
		file: 'cursor',
		find: 'Math.min(Math.max(since, reached), lowest)',
		replace: 'Math.max(since, reached, Math.min(lowest, 0))',
		verdict: /^(Lost|Repeated)/,
	},
	{
		name: 'the difference between no answer and an empty list',
		file: 'poll',
		find: 'follower.begin(from, now)',
		replace: 'follower.advance(follower.begin(null, now), [], now, 1).state',
		verdict: /^Not an event/,
	},
	{
		name: 'the time n8n gives a poll',
		file: 'poll',
		find: 'now + budgetOf(world, before !== undefined)',
		replace: 'Infinity',
		verdict: /^Outlasted/,
	},
	{
		name: 'the shorter time of publishing',
		file: 'poll',
		find: 'publishing && canGoOn ? Math.min(budgetMs, PUBLISHING_BUDGET_MS) : budgetMs',
		replace: 'budgetMs',
		verdict: /^Outlasted/,
	},
	{
		name: 'publishing in a bad moment',
		file: 'poll',
		find: '!world.publishing || !willPass(reason)',
		replace: 'true',
		verdict: /^Publishing was stopped/,
	},
	{
		name: 'what a restart may have dropped',
		file: 'poll',
		find: 'settings.reEmit && mayReEmit(world.id, begunFrom)',
		replace: 'false',
		verdict: /^(Lost|Repeated)/,
	},
	{
		name: 'doing so only once',
		file: 'poll',
		find: 'settings.reEmit && mayReEmit(world.id, begunFrom)',
		replace: 'settings.reEmit',
		verdict: /^(Lost|Repeated)/,
	},
	{
		name: 'telling the last batch from what is new',
		file: 'reEmit',
		find: '.filter(({ key }) => keys.has(key))',
		replace: '',
		verdict: /^Marked/,
	},
];

const DUE_MUTANTS: Mutant[] = [
	{
		name: 'the edge of the window: what is not due yet',
		file: 'due',
		find: 'if (isDue && anchor.ms <= upTo)',
		replace: 'if (isDue)',
		verdict: /^Not an event/,
	},
	{
		name: 'the edge of the window: what is due at this very moment',
		file: 'due',
		find: 'if (isDue && anchor.ms <= upTo)',
		replace: 'if (isDue && anchor.ms < upTo)',
		verdict: /^(Lost|Repeated)/,
	},
	{
		name: 'the late booking, whose time has not passed',
		file: 'due',
		find: 'Math.max(after, Math.min(rules.now, upTo))',
		replace: 'upTo',
		verdict: /^(Lost|Repeated)/,
	},
	{
		name: 'the booking made too late, whose time has passed',
		file: 'due',
		find: 'rules.staysDue ? after : Math.max',
		replace: 'true ? after : Math.max',
		verdict: /^Not an event/,
	},
	{
		name: 'the age limit',
		file: 'due',
		find: 'Math.min(now, upTo - maxAgeMs)',
		replace: 'Math.min(now, upTo - 100 * maxAgeMs)',
		verdict: /^Not an event/,
	},
	{
		name: 'what has come out',
		file: 'due',
		find: 'seen: packSeen(forget(new Map([...seen, ...entries(gone)]), floor))',
		replace: "seen: ''",
		verdict: /^(Lost|Repeated)/,
	},
	{
		name: 'what waits for room',
		file: 'due',
		find: 'held: packSeen(new Map(entries(held)))',
		replace: "held: ''",
		verdict: /^(Lost|Repeated)/,
	},
	{
		name: 'the hour that the clock shows twice',
		file: 'due',
		find: '? 2 * HOUR : SECOND',
		replace: '? SECOND : SECOND',
		verdict: /^(Lost|Repeated)/,
	},
	{
		name: 'the beginning, before which nothing comes out',
		file: 'due',
		find: 'anchor.ms + rules.offsetMs < dueFrom',
		replace: 'false',
		verdict: /^Not an event/,
	},
	{
		name: 'what a restart may have dropped',
		file: 'due',
		find: 'undo: stateWith([], fresh)',
		replace: 'undo: position',
		verdict: /^(Lost|Repeated)/,
	},
];

/** A feed for which a booking that is moved stays the same. */
function withoutMoves(feed: DueFeed): DueFeed {
	return {
		...feed,
		observe: (record, zone) => {
			const observation = feed.observe(record, zone);
			return 'malformed' in observation
				? observation
				: { ...observation, key: hashKey((record as { guid: string }).guid) };
		},
	};
}

type Module = Record<string, unknown>;

/** Compiles the trigger's state machine with one place of the source changed. */
function compile({ file, find, replace }: Pick<Mutant, 'file' | 'find' | 'replace'>): Poll {
	const load = (name: TriggerFile, modules: Record<string, Module>): Module => {
		let source = readFileSync(join(FOLDER, `${name}.ts`), 'utf8');
		if (name === file) {
			if (source.split(find).length !== 2) throw new Error(`${name}.ts does not have this once: ${find}`);
			source = source.replace(find, () => replace);
		}
		const { code } = transformSync(source, {
			jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
			module: { type: 'commonjs' },
		});
		const exports: Module = {};
		const real = createRequire(__filename);
		new Function('exports', 'require', code)(exports, (id: string) => modules[id] ?? real(id));
		return exports;
	};
	const cursor = load('cursor', { './seen': seen, './stamps': stamps });
	const due = load('due', { './seen': seen, './stamps': stamps });
	const follow = load('follow', { './cursor': cursor, './due': due });
	const reEmit = load('reEmit', { './seen': seen });
	const pollState = load('pollState', { './reEmit': reEmit, './seen': seen });
	const around = { './follow': follow, './reEmit': reEmit, './pollState': pollState, './skips': skips };
	return load('poll', around).poll as Poll;
}

describe('the model notices when the trigger is broken', () => {
	it('passes what is compiled without a change', async () => {
		const unchanged = compile({
			file: 'cursor',
			find: 'seen: packSeen(seen)',
			replace: 'seen: packSeen(seen)',
		});
		expect((await runHistories(500, SEED, unchanged)).failure).toBeUndefined();
	});

	it.each(MUTANTS)('by taking out $name', async (mutant) => {
		const { verdict, histories, failure } = await runHistories(HISTORIES, SEED, compile(mutant), false);
		process.stdout.write(`model: without ${mutant.name}, history ${histories}: ${verdict}\n`);
		expect(verdict ?? failure).toMatch(mutant.verdict);
	});

	it.each(DUE_MUTANTS)('by taking out $name', async (mutant) => {
		const broken = compile(mutant);
		const { verdict, histories, failure } = await runDueHistories(
			HISTORIES,
			SEED,
			broken,
			(feed) => feed,
			false,
		);
		process.stdout.write(`model: without ${mutant.name}, history ${histories}: ${verdict}\n`);
		expect(verdict ?? failure).toMatch(mutant.verdict);
	});

	it('by taking a moved booking for the same', async () => {
		const { verdict } = await runDueHistories(HISTORIES, SEED, realPoll, withoutMoves, false);
		expect(verdict).toMatch(/Lost/);
	});
});
