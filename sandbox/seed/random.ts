import { base, en, Faker, sv } from '@faker-js/faker';
import type { Language } from './words.ts';

const MINUTE = 60_000;

/** A reproducible source of believable data: the same seed gives the same data. */
export function createFaker(seed: number, language: Language = 'en'): Faker {
	return new Faker({ locale: language === 'sv' ? [sv, en, base] : en, seed });
}

/** An ISO string in UTC some minutes away from an instant. */
export function minutesFrom(instant: number, minutes: number): string {
	return new Date(instant + minutes * MINUTE).toISOString();
}
