import { HOUR } from '../../shared/values/timestamp';
import { RecentMap } from '../../shared/values/recentMap';

/** When a failure was last told, by n8n's clock, of each trigger whose polls fail. */
const told = new RecentMap<{ at: number }>(1000);

/**
 * Whether a poll that fails is told: when it begins, and once an hour while it lasts. n8n would show a failed execution a minute.
 *
 * @param now milliseconds since 1970
 */
export function mustTellFailure(id: string, now: number): boolean {
	const last = told.get(id);
	if (last && Math.abs(now - last.at) < HOUR) return false;
	told.open(id, () => ({ at: 0 })).at = now;
	return true;
}

export function noteSuccess(id: string): void {
	told.delete(id);
}
