import { isRecord } from '../../shared/values/record';
import type { TriggerEvent } from '../events';
import { hashKey, numberKey } from '../keys';
import { readTimestamp } from '../timestamps';
import { type ChangeFeed, type ChangeObservation, type NewIdFeed, eachRecord } from './feed';

/**
 * Customers created or changed after a moment. They carry no date of creation; `lastChangedUtc` is UTC as its name says,
 * with an offset or without. @see contract/openapi.yaml customer.getAll
 */
export function customerFeed(event: Extract<TriggerEvent, `customer${string}`>): ChangeFeed | NewIdFeed {
	const created = event === 'customerCreated';
	return {
		kind: created ? 'newIds' : 'changes',
		path: '/api/booking/v1/booking/customers',
		query: (changedFromUtc) => ({ changedFromUtc }),
		zone: 'UTC',
		nameOf,
		observe: eachRecord<ChangeObservation>((customer) => {
			const id = isRecord(customer) ? Number(customer.id) : NaN;
			if (!isRecord(customer) || !Number.isSafeInteger(customer.id) || id < 0)
				return { malformed: 'a customer has no id' };
			const written = customer.lastChangedUtc ?? null;
			const changed = readTimestamp(written, 'UTC') ?? null;
			const time = changed?.ms ?? null;
			if (created && (changed || written === null))
				return { changed, event: { key: numberKey(id), rank: id, time }, wanted: true };
			if (!changed) return { malformed: `${nameOf(customer)} has no readable change date` };
			const key = hashKey(`${id}|${changed.local}.${changed.finer}`);
			return { changed, event: { key, rank: changed.local, time }, wanted: true };
		}),
	};
}

function nameOf(customer: unknown): string {
	return `customer ${String(isRecord(customer) ? customer.id : customer)}`;
}
