import { transformSync } from '@swc/core';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { hashKey } from '../../nodes/HospitalityBookingTrigger/state/seen';
import type { DueFeed } from '../../nodes/HospitalityBookingTrigger/feeds/feed';
import { poll as realPoll } from '../../nodes/HospitalityBookingTrigger/poll/poll';
import { playDue } from './dueHistory';
import { playAgain, playChanges, playDifferences } from './history';
import type { Poll } from './host';

const FOLDER = join(__dirname, '../../nodes/HospitalityBookingTrigger');
const HISTORIES = 10_000;
const SEED = 20261120;

/** By file: what is taken out, the place that has it, what stands there instead, and what the model must find. */
type Mutants = Record<string, Array<[name: string, find: string, replace: string, verdict: RegExp]>>;

const LOST = /^Lost/;
const REPEATED = /^Repeated/;
const WRONG = /^Not an event/;
const LOST_OR_WRONG = /^(Lost|Not an event)/;
const REPEATED_OR_WRONG = /^(Repeated|Not an event)/;
const ANY = /^(Lost|Repeated|Not an event)/;

const MUTANTS: Mutants = {
	timestamps: [
		['the overlap', 'Math.max(overlapMs, SECOND)', 'SECOND', LOST],
		['the handling of equal timestamps', 'Math.max(overlapMs, SECOND)', 'overlapMs', LOST],
		['the rule for daylight-saving changes', 'isNearDaylightSavingChange(ms, zone)', 'false', LOST],
	],
	'follow/changes': [
		['what has been dealt with', 'seen: packSeen(seen),', "seen: '',", REPEATED],
		['the doubt about timestamps ahead of n8n’s clock', 'changed && changed.ms <= now ?', 'changed ?', LOST],
		['the doubt about timestamps that no other record confirms', '[WITNESSES - 1]', '[0]', LOST],
		[
			'the doubt about n8n’s clock where it is behind the service',
			' && !observed.some(({ changed }) => changed && changed.wall >= wallOf(from))',
			'',
			LOST,
		],
		[
			'waiting for what the limit held back',
			'earlier(watermarkOf(observed, now), waiting[0]?.changed)',
			'watermarkOf(observed, now)',
			LOST,
		],
		[
			'keeping what waits from being taken for dealt with',
			'Math.min(Math.max(since, reached), lowest)',
			'Math.max(since, reached, Math.min(lowest, 0))',
			LOST,
		],
		['telling the last batch from what is new', 'keys.has(event.key) ?', 'true ?', /^Marked/],
	],
	'poll/poll': [
		[
			'the state being changed last',
			'const step = follower.advance(position, page, now, standing);',
			'const step = follower.advance(position, page, now, standing);\n\tsave({ position: step.position }, null);',
			LOST,
		],
		['one poll at a time', 'if (memory.running) {', 'if (host.id === undefined) {', REPEATED],
		[
			'keeping what a publication came to with the workflow',
			'const stored = host.load().map(',
			'const stored = host.load().slice(0, 1).map(',
			LOST,
		],
		['the wait for what n8n is about to store', 'host.readEarly && isBeingStored', 'false', REPEATED],
		['counting that wait from the end of the poll', 'at: host.now()', 'at: now', REPEATED],
		['the name of the node that a state belongs to', '(state.node ?? node) === node &&', '', LOST_OR_WRONG],
		['the server that a state belongs to', '(state.account ?? account) === account', 'true', LOST_OR_WRONG],
		['the filters that a state belongs to', 'state.watching === watching &&', '', LOST_OR_WRONG],
		[
			'the difference between no response and an empty list',
			'position: follower.begin(newest ? now : (settings.startAt ?? now), now)',
			'position: follower.advance(follower.begin(null, now), [], now).position',
			WRONG,
		],
		['the time n8n gives a poll', 'fetch(begun + budgetMs)', 'fetch(Infinity)', /^Outlasted/],
		['the shorter time of publishing', 'host.publishing ? PUBLISHING_BUDGET_MS :', '', /^Outlasted/],
		['publishing in a transient outage', '!host.publishing ||', 'true ||', /^Publishing was stopped/],
		['what a restart may have dropped', 'settings.reEmit && canReEmit ?', 'false ?', LOST],
		['doing so only once', 'settings.reEmit && canReEmit ?', 'settings.reEmit ?', REPEATED],
	],
};

const AGAIN_MUTANTS: Mutants = {
	'poll/poll': [
		[
			'a position of its own for what is emitted again',
			'save({ position: step.position, last: kept',
			'save({ position: more.state?.position ?? step.position, last: kept',
			/^(Lost|Repeated)/,
		],
		[
			'leaving to the trigger what it has not dealt with',
			'follower.dealtWith(reference, step.emit)',
			'step.emit',
			/^(Comes as new|Lost|Not an event)/,
		],
	],
	'state/lastSeen': [
		[
			'comparing with what was last seen',
			'kept.filter((_name, index) => seen[index] !== now[index])',
			'kept.filter((_name, index) => seen[index] === now[index])',
			/^Changed otherwise/,
		],
	],
};

const DIFFERENCE_MUTANTS: Mutants = {
	'follow/changes': [
		['what was last seen', 'known.set(remembered.id, remembered.facts.digest);', '', ANY],
		['learning at the beginning what is there', '...standing.filter(isDealtWith),', '', LOST],
		['keeping what was last seen', 'feed.remembers ? {', 'false ? {', ANY],
		['what a booking began with', 'made && made.rank >= since ? made.digest : undefined', 'undefined', LOST],
		['the doubt about what an old booking began with', 'made && made.rank >= since ?', 'made ?', WRONG],
		['what a booking that waits for room began with', 'if (before) known', 'if (false) known', LOST],
		[
			'keeping what waits for room from being taken for seen',
			'if (before) known.set(remembered.id, before);',
			'if (remembered) known.set(remembered.id, remembered.facts.digest);',
			LOST,
		],
		['the difference itself', '(remembered?.tells(changes) ?? true)', 'true', REPEATED_OR_WRONG],
	],
	'poll/poll': [
		['asking at the beginning for what is there', 'follower.standing?.(position, now)', 'undefined', LOST],
		[
			'what had changed in the last batch',
			'differences.length > 0 ? { differences } : {}',
			'{}',
			/^(Lost with its batch|Came again with)/,
		],
	],
	'state/lastSeen': [
		['the values as they were', 'seen[index] ?? null', 'now[index] ?? null', REPEATED_OR_WRONG],
	],
};

const DUE_MUTANTS: Mutants = {
	'follow/due': [
		['the edge of the window: what is not due yet', 'anchor.ms > reach.upTo ||', '', WRONG],
		// Or it was due at the very moment of the beginning, and comes out with the next poll.
		[
			'the edge of the window: what is due at this very moment',
			'anchor.ms > reach.upTo ||',
			'anchor.ms >= reach.upTo ||',
			LOST_OR_WRONG,
		],
		['the late booking, whose time has not passed', 'Math.min(asOf, asOf', 'Math.min(Infinity, asOf', LOST],
		['the booking that was entered after it had started', 'createdAt >= anchor.ms', 'false', WRONG],
		['the booking that was there when the trigger looked last', '? 0 : lookedAt', '? 0 : 0', WRONG],
		['the doubt about n8n’s clock when it was set back', ' || lookedAt > now', '', LOST],
		['the corrected time zone', 'const hasMoved = zone !== settings.zone;', 'const hasMoved = false;', LOST],
		[
			'what had not passed when the trigger looked last, while the time zone is corrected',
			'Math.min(now, lookedAt)',
			'now',
			LOST,
		],
		['the age limit', '- settings.maxAgeMs', '- 100 * settings.maxAgeMs', WRONG],
		['what has come out', 'for (const candidate of out) note(seen, candidate);', '', REPEATED],
		['what was due at the beginning', 'note(seen, candidate);\n\t\t\t\tpassedOver', 'passedOver', WRONG],
		[
			'judging anew what was passed over at the beginning when the time zone is corrected',
			'&& passedOver.delete(key)',
			'&& false',
			LOST,
		],
		[
			'remembering it beyond its window, whatever n8n’s clock says',
			'seen.size - MIN_REMEMBERED',
			'seen.size',
			ANY,
		],
		['what waits for room', 'held: packSeen(held),', "held: '',", LOST],
		[
			'the hour that the clock shows twice',
			'overlapAt(last, settings.zone)',
			'(position.dueFrom === undefined ? 1000 : overlapAt(last, settings.zone))',
			LOST,
		],
		[
			'the hour that the clock shows twice, at the beginning',
			'overlapAt(last, settings.zone)',
			'(position.dueFrom === undefined ? overlapAt(last, settings.zone) : 1000)',
			WRONG,
		],
		[
			'asking for what may have been dropped where n8n’s clock was set back',
			'last = Math.max(last, second * SECOND + zones)',
			'void second',
			/^Lost with its batch/,
		],
		['the beginning, before which nothing comes out', '< reach.knownBefore', '< -Infinity', WRONG],
		['asking for the last batch again', 'first = Math.min(first, origin);', '', /^Lost with its batch/],
	],
};

/** Compiles the trigger's state machine with one place of the source changed. */
function compile(file: string, find: string, replace: string): Poll {
	const modules = new Map<string, { poll?: Poll }>();
	const load = (path: string): { poll?: Poll } => {
		const exports = modules.get(path) ?? {};
		if (modules.has(path)) return exports;
		modules.set(path, exports);
		let source = readFileSync(`${path}.ts`, 'utf8');
		if (path === join(FOLDER, file)) {
			if (source.split(find).length !== 2) throw new Error(`${file}.ts does not have this once: ${find}`);
			source = source.replace(find, () => replace);
		}
		const { code } = transformSync(source, {
			jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
			module: { type: 'commonjs' },
		});
		const real = createRequire(`${path}.ts`);
		const require = (id: string): unknown => {
			const imported = join(dirname(path), id);
			return id.startsWith('.') && imported.startsWith(FOLDER) ? load(imported) : real(id);
		};
		new Function('exports', 'require', code)(exports, require);
		return exports;
	};
	return load(join(FOLDER, 'poll/poll')).poll as Poll;
}

/** A trigger for which a booking that is moved stays the same. */
const withoutMoves: Poll = async (host, settings) => {
	const feed = settings.feed as DueFeed;
	const observe: DueFeed['observe'] = (page, zone) => {
		const { observed, notices } = feed.observe(page, zone);
		const byGuid = observed.map((one) => ({ ...one, key: hashKey((one.record as { guid: string }).guid) }));
		return { observed: byGuid, notices };
	};
	return await realPoll(host, { ...settings, feed: { ...feed, observe } });
};

const rows = [
	{ play: playChanges, mutants: MUTANTS },
	{ play: playAgain, mutants: AGAIN_MUTANTS },
	{ play: playDifferences, mutants: DIFFERENCE_MUTANTS },
	{ play: playDue, mutants: DUE_MUTANTS },
].flatMap(({ play, mutants }) =>
	Object.entries(mutants).flatMap(([file, own]) =>
		own.map(([name, find, replace, expected]) => ({ play, file, name, find, replace, expected })),
	),
);

describe('the model notices when the trigger is broken', () => {
	it('passes what is compiled without a change', async () => {
		const unchanged = compile('follow/changes', 'seen: packSeen(seen),', 'seen: packSeen(seen),');
		expect((await playChanges(500, SEED, unchanged)).failure).toBeUndefined();
	});

	it.each(rows)('by taking out $name', async ({ play, file, name, find, replace, expected }) => {
		const { verdict, histories, failure } = await play(HISTORIES, SEED, compile(file, find, replace), false);
		process.stdout.write(`model: without ${name}, history ${histories}: ${verdict}\n`);
		expect(verdict ?? failure).toMatch(expected);
	});

	/** What waits for room comes out whenever there is some: then it is the new time that is wrong. */
	it('by taking a moved booking for the same', async () => {
		const found = new Set<string | undefined>();
		for (let seed = SEED; seed < SEED + 10; seed++) {
			const { verdict } = await playDue(HISTORIES, seed, withoutMoves, false);
			found.add(/^(Lost|Not an event now):/.exec(verdict ?? '')?.[1]);
		}
		expect([...found].toSorted()).toEqual(['Lost', 'Not an event now']);
	});
});
