import { hashKey, numberKey } from '../seen';
import { readStamp } from '../stamps';
import { type ChangeFeed, type TriggerEvent, asRecord } from './feed';

/** Customers created or changed after a moment. They carry no date of creation. @see contract/openapi.yaml customer.getAll */
export function customerFeed(event: Extract<TriggerEvent, `customer${string}`>): ChangeFeed {
	const created = event === 'customerCreated';
	return {
		kind: 'changes',
		path: '/api/booking/v1/booking/customers',
		query: (changedFromUtc) => ({ changedFromUtc }),
		ranking: created ? 'id' : 'time',
		nameOf: (customer) => `customer ${String(asRecord(customer)?.id)}`,
		observe: (value, zone) => {
			const customer = asRecord(value);
			const id = customer?.id;
			if (!customer || !Number.isSafeInteger(id) || Number(id) < 0)
				return { malformed: 'a customer has no id' };
			const changed = customer.lastChangedUtc ?? null;
			const stamp = readStamp(changed, zone);
			if (!stamp && (changed !== null || !created)) {
				return { malformed: `customer ${String(id)} has no readable change date` };
			}
			if (!stamp || created) {
				return {
					stamp: stamp ?? null,
					event: { key: numberKey(Number(id)), rank: Number(id) },
					wanted: true,
				};
			}
			const key = hashKey(`${String(id)}|${stamp.wall}.${stamp.finer}`);
			return { stamp, event: { key, rank: stamp.ms }, wanted: true };
		},
	};
}
