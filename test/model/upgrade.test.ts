import { join } from 'node:path';
import { keptReleases, unpack } from '../../compat/releases.ts';
import type { Feed } from '../../nodes/HospitalityBookingTrigger/feeds/feed';
import { poll as today } from '../../nodes/HospitalityBookingTrigger/poll/poll';
import { hashKey } from '../../nodes/HospitalityBookingTrigger/state/seen';
import { generated } from '../support/thorough';
import { playDue } from './dueHistory';
import { playChanges } from './history';
import type { Poll } from './host';

const RUNS = generated(300, 2000);
/** What a release got wrong stays wrong: another seed may find it, and says nothing of today's trigger. */
const SEED = Number(process.env.MODEL_SEED ?? 48_210_977);

/** The trigger of a kept release. A change of what it shares with the model (`PollHost`) needs an adapter here. */
function pollOf(tarball: string): Poll {
	const file = join(unpack(tarball), 'dist', 'nodes', 'HospitalityBookingTrigger', 'poll', 'poll.js');
	// eslint-disable-next-line @typescript-eslint/no-require-imports -- the path is known at run time only
	const { poll } = require(file) as { poll: Poll };
	return async (host, settings) => await poll(host, { ...settings, feed: readingOneByOne(settings.feed) });
}

/** 0.1.0 asks a feed of one record. */
function readingOneByOne(feed: Feed): Feed {
	const observe = (record: unknown, zone: string) => {
		const { observed, notices } = feed.observe([record], zone);
		return observed[0] ?? { malformed: notices.join() };
	};
	return { ...feed, observe } as unknown as Feed;
}

/** Each process of n8n runs the one or the other, as if the package had been replaced while n8n was down. */
function either(one: Poll, other: Poll): { poll: Poll; polls: Record<'one' | 'other', number> } {
	const polls = { one: 0, other: 0 };
	return {
		poll: async (host, settings) => {
			const which = hashKey(host.id).charCodeAt(0) % 2 === 1 ? 'other' : 'one';
			polls[which]++;
			// 0.1.0 counts the time in which n8n stores a batch from the beginning of the poll.
			const budgetMs = Math.min(host.budgetMs, 30_000);
			return await { one, other }[which]({ ...host, budgetMs }, settings);
		},
		polls,
	};
}

describe.each(keptReleases().slice(-1))('the trigger of $version and that of today', ({ tarball }) => {
	it.each([
		['changes of records', playChanges],
		['bookings that are due', playDue],
	])(
		`lose nothing and repeat nothing where each restart is an upgrade or a way back: ${RUNS} histories of %s`,
		async (_what, play) => {
			const mixed = either(pollOf(tarball), today);
			const { failure, histories } = await play(RUNS, SEED, mixed.poll);

			expect(failure).toBeUndefined();
			expect(histories).toBe(RUNS);
			expect(Math.min(mixed.polls.one, mixed.polls.other)).toBeGreaterThan(RUNS);
		},
		Math.max(60_000, RUNS * 100),
	);

	it('are found out where that of today stores what the other one cannot read', async () => {
		const later: Poll = async (host, settings) =>
			await today({ ...host, save: (state) => host.save(Object.assign(state, { version: 3 })) }, settings);
		const { failure } = await playChanges(RUNS, SEED, either(pollOf(tarball), later).poll, false);

		expect(failure).toContain('was written by a later version');
	});
});
