import { HOUR } from '../../shared/values/timestamp';
import { RecentMap } from '../../shared/values/recentMap';

/** When a failure was last told, by n8n's clock, of each trigger whose polls fail. */
const told = new RecentMap<{ at: number }>(1000);

/**
 * A trigger that fails is told when it begins to, and once an hour while that lasts.
 *
 * @returns whether a failure is told
 */
export function mayTellFailure(id: string, now: number): boolean {
	const last = told.open(id, () => ({ at: -Infinity }));
	if (Math.abs(now - last.at) < HOUR) return false;
	last.at = now;
	return true;
}

export function noteSuccess(id: string): void {
	told.delete(id);
}
