import type { TriggerEvent } from '../events';
import { readMoment } from '../../shared/values/timestamp';
import { type ChangeFeed, type ChangeObservation, eachChange, recordsOf } from './feed';

/**
 * Customers created or changed after a moment. They have no date of creation; `lastChangedUtc` is UTC, with or without an
 * offset. @see contract/openapi.yaml customer.getAll
 */
export function customerFeed(event: Extract<TriggerEvent, `customer${string}`>): ChangeFeed {
	const created = event === 'customerCreated';
	return {
		kind: created ? 'newIds' : 'changes',
		path: '/api/booking/v1/booking/customers',
		query: (changedFromUtc) => ({ changedFromUtc }),
		zone: 'UTC',
		...recordsOf<ChangeObservation>({ name: 'customer', idName: 'id', isId }, (customer, id) => {
			const changed = readMoment(customer.lastChangedUtc, 'UTC');
			if (created && changed !== undefined)
				return { changed, event: { key: id, rank: Number(id), time: changed?.ms ?? null }, wanted: true };
			return changed ? eachChange(id, changed) : 'change date';
		}),
	};
}

function isId(id: unknown): boolean {
	return Number.isSafeInteger(id) && Number(id) >= 0;
}
