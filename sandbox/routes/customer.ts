import type { Customer } from '../state/records.ts';
import type { State } from '../state/state.ts';
import { ok, type Route } from './route.ts';

/** The list allows no null: a field without a value is left out. */
function withoutNulls(customer: Customer): Partial<Customer> {
	return Object.fromEntries(Object.entries(customer).filter(([, value]) => value !== null));
}

function* listed(state: State, changedFrom: number | undefined): Generator<Partial<Customer>> {
	for (const { record, index } of state.records.customers.visible()) {
		if (changedFrom === undefined || index > changedFrom) yield withoutNulls(record);
	}
}

const getAll: Route = ({ state, query }) => {
	const changedFrom = query['changedFromUtc'] as string | undefined;
	return ok([...listed(state, changedFrom === undefined ? undefined : Date.parse(changedFrom))]);
};

export const customer: Record<string, Route> = { 'customer.getAll': getAll };
