import { RecentMap } from '../../values/recentMap';
import { CallQueue } from './callQueue';

const MAX_ACCOUNTS = 500;

/** What this process remembers of each account: what its limiter has learned, and the calls that wait. */
export const callQueues = new RecentMap<CallQueue>(MAX_ACCOUNTS, ({ isIdle }) => isIdle);

/** @returns the same queue for the same account; the idle one that was used longest ago makes room for a new one */
export function queueOf(account: string): CallQueue {
	return callQueues.open(account, () => new CallQueue());
}
