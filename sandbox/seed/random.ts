import { Faker, en } from '@faker-js/faker';

const MINUTE = 60_000;

/** A reproducible source of believable data: the same seed gives the same data. */
export function createFaker(seed: number): Faker {
	return new Faker({ locale: en, seed });
}

/** An ISO string in UTC some minutes away from an instant. */
export function minutesFrom(instant: number, minutes: number): string {
	return new Date(instant + minutes * MINUTE).toISOString();
}
