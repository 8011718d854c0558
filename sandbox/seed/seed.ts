import { ACCOUNT } from '../info.ts';
import type { SandboxOptions } from '../options.ts';
import type { Clock } from '../state/clock.ts';
import type { Service, State } from '../state/state.ts';
import { seedArticles } from './articles.ts';
import { seedBookings } from './bookings.ts';
import { makeContact, makeCustomer } from './people.ts';
import { createFaker } from './words.ts';
import { seedRegisters } from './registers.ts';
import { seedSurveys } from './surveys.ts';

interface Amounts {
	bookings: number;
	customers: number;
	seed: number;
}

function seedSystem(state: State, clock: Clock, { bookings, customers, seed }: Amounts): void {
	const now = clock.now();
	const faker = createFaker(seed, state.language);
	for (let id = 1; id <= customers; id++) {
		state.records.customers.put(makeCustomer(faker, state.words, id, now));
	}
	const contacts = Math.min(5000, Math.max(60, Math.ceil(bookings / 10)));
	for (let id = 1; id <= contacts; id++) {
		state.records.contacts.put(makeContact(faker, state.words, id));
	}
	state.reserveId(10_000 + Math.max(customers, contacts));
	seedBookings(faker, state, clock, bookings);
	seedSurveys(faker, state, now);
	seedRegisters(faker, state, now);
	seedArticles(faker, state);
}

/** Fills both systems afresh; the same options and the same present give the same data. */
export function seedService(service: Service, options: SandboxOptions): void {
	for (const state of service.systems.values()) {
		state.clear();
		const amounts =
			state.system === ACCOUNT.system
				? { bookings: options.bookings, customers: options.customers, seed: options.seed }
				: { bookings: 5, customers: 3, seed: options.seed + 1 };
		seedSystem(state, service.clock, amounts);
	}
}
