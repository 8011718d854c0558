import { hashKey } from '../keys';
import type { Emission, FollowSettings } from '../follow/step';
import { followerOf } from '../follow/follower';
import { packSeen, unpackSeen } from '../state/seen';
import type { LastBatch } from '../state/stored';

/** More than that of one batch does not come again. */
const MAX_ITEMS = 20_000;

/**
 * 'Re-Emit After Restart', the choice for an n8n without durable cursors: n8n may have stored the state and been killed
 * before it started the workflow. So the items that went out last come once more after each start of n8n, marked, with the
 * event they went out for; their records are as they are now.
 *
 * @param asked the times that the service was asked for, to find the records again
 * @returns what is kept of a batch
 */
export function lastBatch({ feed }: FollowSettings, emit: readonly Emission[], asked: string[]): LastBatch {
	const events = emit
		.slice(-MAX_ITEMS)
		.map(({ key, record }) => [key, numberOf(feed.nameOf(record))] as const);
	return { asked, keys: packSeen(new Map(events)), times: 0 };
}

/** @returns the items of the last batch; of what a booking's own time is for, those that still fit */
export function itemsOf(settings: FollowSettings, { keys }: LastBatch, page: readonly unknown[]): Emission[] {
	const { feed } = settings;
	const byKey = new Map(
		followerOf(settings)
			.events(page)
			.map((event) => [event.key, event]),
	);
	const byName = new Map(
		feed.kind === 'due' ? [] : page.map((record) => [numberOf(feed.nameOf(record)), record]),
	);
	return [...unpackSeen(keys)].flatMap(([key, name]): Emission[] => {
		const found = byKey.get(key);
		if (found) return [{ ...found, again: true }];
		const record = byName.get(name);
		return record === undefined ? [] : [{ record, key, time: null, again: true }];
	});
}

/** Tells the records of a batch apart. */
function numberOf(name: string): number {
	return Buffer.from(hashKey(name), 'latin1').readUInt32BE();
}
