import { invalid, notFound } from '../http/serviceError.ts';
import type { Collection } from '../state/collection.ts';
import { ok, type Call, type Route } from './route.ts';

/**
 * A PUT by ID that changes the given fields. The body may leave out the identifying field; if present, it must match the
 * address.
 */
function updateBy<T extends Record<string, unknown>>(
	what: string,
	idField: string,
	collection: (call: Call) => Collection<T>,
	stamped: (call: Call) => Partial<T> = () => ({}),
): Route {
	return (call) => {
		const records = collection(call);
		const id = String(call.path['id']);
		const record = records.get(id);
		if (!record) throw notFound(`${what} ${id}`);
		const fields = call.body as Partial<T>;
		if (fields[idField] !== undefined && String(fields[idField]) !== id) {
			throw invalid(idField, 'Mismatch', `must be that of the address, ${id}`);
		}
		return ok(records.put({ ...record, ...fields, ...stamped(call) }));
	};
}

/** Operations on contact filters, campaigns, article groups and departments: all are updates by id. */
export const registers: Record<string, Route> = {
	'contactFilter.update': updateBy(
		'Contact filter',
		'id',
		({ state }) => state.records.contactFilters,
	),
	'campaign.update': updateBy('Campaign', 'campaignId', ({ state }) => state.records.campaigns),
	'articleGroup.update': updateBy(
		'Article group',
		'id',
		({ state }) => state.records.articleGroups,
		({ service }) => ({ changeDate: service.clock.stamp() }),
	),
	'department.update': updateBy('Department', 'id', ({ state }) => state.records.departments),
};
