import { hashKey } from '../feeds/hashes';
import type { Emission, FollowSettings } from '../follow/step';
import { followerOf } from '../follow/follower';
import type { LastBatch } from '../state/stored';

/** Most items of a batch that are emitted again. */
const MAX_ITEMS = 20_000;

/**
 * 'Re-Emit After Restart', for an n8n without durable cursors: n8n may have stored the state and been killed before it
 * started the workflow. After each start of n8n the last items are emitted once more, marked, with their event and with
 * their records' current values.
 *
 * @param asked the times that the service was asked for, to find the records again
 * @returns what is stored of a batch
 */
export function lastBatch({ feed }: FollowSettings, emit: readonly Emission[], asked: string[]): LastBatch {
	const events = emit
		.slice(-MAX_ITEMS)
		.map(({ key, record }) => [key, nameKey(feed.nameOf(record))] as const);
	return { asked, events: Object.fromEntries(events), times: 0 };
}

/** @returns the items of the last batch; for events at a booking's own time, those that still apply */
export function itemsOf(
	settings: FollowSettings,
	{ events }: LastBatch,
	page: readonly unknown[],
): Emission[] {
	const { feed } = settings;
	const byKey = new Map(
		followerOf(settings)
			.events(page)
			.map((event) => [event.key, event]),
	);
	const byName = new Map(
		feed.kind === 'due' ? [] : page.map((record) => [nameKey(feed.nameOf(record)), record]),
	);
	return Object.entries(events).flatMap(([key, name]): Emission[] => {
		const found = byKey.get(key);
		if (found) return [{ ...found, again: true }];
		const record = byName.get(name);
		return record === undefined ? [] : [{ record, key, time: null, again: true }];
	});
}

/** A short hash that distinguishes the records of a batch. */
function nameKey(name: string): string {
	return hashKey(name, 6);
}
