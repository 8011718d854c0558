import { isRecord } from '../../shared/values/record';
import type { TriggerEvent } from '../events';
import { hashKey } from '../keys';
import { readTimestamp } from '../../shared/values/timestamp';
import { type ChangeFeed, type ChangeObservation, eachRecord } from './feed';

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
		nameOf,
		observe: eachRecord<ChangeObservation>((customer) => {
			const id = isRecord(customer) ? Number(customer.id) : NaN;
			if (!isRecord(customer) || !Number.isSafeInteger(customer.id) || id < 0)
				return { malformed: 'a customer has no id' };
			const written = customer.lastChangedUtc ?? null;
			const changed = readTimestamp(written, 'UTC') ?? null;
			const time = changed?.ms ?? null;
			if (created && (changed || written === null))
				return { changed, event: { key: String(id), rank: id, time }, wanted: true };
			if (!changed) return { malformed: `${nameOf(customer)} has no readable change date` };
			const key = hashKey(`${id}|${changed.local}.${changed.finer}`);
			return { changed, event: { key, rank: changed.local, time }, wanted: true };
		}),
	};
}

function nameOf(customer: unknown): string {
	return `customer ${String(isRecord(customer) ? customer.id : customer)}`;
}
