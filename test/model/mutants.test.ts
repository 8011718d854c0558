import { transformSync } from '@swc/core';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

import * as formValues from '../../nodes/shared/operation/formValues';
import * as record from '../../nodes/shared/values/record';
import { hashKey } from '../../nodes/HospitalityBookingTrigger/state/seen';
import type { DueFeed } from '../../nodes/HospitalityBookingTrigger/feeds/feed';
import { runDueHistories } from './dueHistory';
import { runHistories } from './history';
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
	'state/notices',
	'state/stored',
	'follow/changes',
	'follow/due',
	'follow/follower',
	'poll/memory',
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
		file: 'follow/changes',
		find: 'const overlap = Math.max(overlapMs, TIE_MS);',
		replace: 'const overlap = TIE_MS;',
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
		file: 'follow/changes',
		find: 'const overlap = Math.max(overlapMs, TIE_MS);',
		replace: 'const overlap = overlapMs;',
		verdict: LOST,
	},
	{
		name: 'the rule for daylight-saving changes',
		file: 'follow/changes',
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
		find: 'const step = follower.advance(position, page, now);',
		replace:
			'const step = follower.advance(position, page, now);\n\tsave({ position: step.position }, null);',
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
		find: 'if (host.readEarly && isBeingStored(memory, mark, now)) return null;',
		replace: '',
		verdict: REPEATED,
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
		find: 'now + budgetMs',
		replace: 'Infinity',
		verdict: /^Outlasted/,
	},
	{
		name: 'the shorter time of publishing',
		file: 'poll/poll',
		find: 'publishing ? PUBLISHING_BUDGET_MS :',
		replace: '',
		verdict: /^Outlasted/,
	},
	{
		name: 'publishing in a transient outage',
		file: 'poll/poll',
		find: '!host.publishing || !isTransient(error)',
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
		find: 'one.wanted && !!one.event && keys.has(one.event.key)',
		replace: 'one.wanted && !!one.event',
		verdict: /^Marked/,
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
		verdict: LOST,
	},
	{
		name: 'the late booking, whose time has not passed',
		file: 'follow/due',
		find: 'const oldest = Math.min(asOf, asOf - offsetMs - settings.maxAgeMs);',
		replace: 'const oldest = asOf - offsetMs - settings.maxAgeMs;',
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
		find: '? 0 : position.lookedAt',
		replace: '? 0 : 0',
		verdict: WRONG,
	},
	{
		name: 'the doubt about n8n’s clock when it was set back',
		file: 'follow/due',
		find: ' || position.lookedAt > now',
		replace: '',
		verdict: LOST,
	},
	{
		name: 'the age limit',
		file: 'follow/due',
		find: 'asOf - offsetMs - settings.maxAgeMs)',
		replace: 'asOf - offsetMs - 100 * settings.maxAgeMs)',
		verdict: WRONG,
	},
	{
		name: 'what has come out',
		file: 'follow/due',
		find: 'seen: packSeen(seen),',
		replace: "seen: '',",
		verdict: REPEATED,
	},
	{
		name: 'remembering it beyond its window, whatever n8n’s clock says',
		file: 'follow/due',
		find: 'seen.size - MIN_REMEMBERED',
		replace: 'seen.size',
		verdict: /^(Repeated|Lost)/,
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
		find: '? 2 * HOUR : SECOND',
		replace: '? SECOND : SECOND',
		verdict: LOST,
	},
	{
		name: 'the beginning, before which nothing comes out',
		file: 'follow/due',
		find: 'anchor.ms + feed.offsetMs < known',
		replace: 'false',
		verdict: WRONG,
	},
	{
		name: 'asking for the last batch again',
		file: 'follow/due',
		find: "if (typeof origin === 'number') firsts.push(origin);",
		replace: '',
		verdict: /^Lost with its batch/,
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
	const real = createRequire(__filename);
	const modules = new Map<string, Module>([
		[join(SHARED, 'operation/formValues'), formValues],
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
