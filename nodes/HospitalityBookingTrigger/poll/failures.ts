import { HOUR } from '../../shared/values/timestamp';
import { RecentMap } from '../../shared/values/recentMap';

/** When a failure was last told, by n8n's clock, of each trigger whose polls fail. */
const told = new RecentMap<{ at: number }>(1000);

/**
 * A poll by n8n's timers that fails is told when it begins to fail, and once an hour while that lasts: n8n would show a failed execution
 * a minute. Its scheduler waits longer after each failure, so it has to know of all.
 *
 * @returns null for a failure that is not told
 */
export async function tellingHourly<T>(
	id: string,
	isByTimer: boolean,
	poll: () => Promise<T>,
): Promise<T | null> {
	const output = poll();
	const hasFailed = await output.then(
		() => false,
		() => true,
	);
	if (!hasFailed) told.delete(id);
	else if (isByTimer) {
		const now = Date.now();
		const last = told.get(id);
		if (last && Math.abs(now - last.at) < HOUR) return null;
		told.open(id, () => ({ at: 0 })).at = now;
	}
	return await output;
}
