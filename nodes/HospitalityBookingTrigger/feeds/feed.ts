import { isRecord } from '../../shared/values/record';
import type { Malformed, Observation } from '../cursor';

export type TriggerEvent =
	| 'bookingCreated'
	| 'bookingUpdated'
	| 'bookingChanged'
	| 'bookingStatusChanged'
	| 'customerCreated'
	| 'customerChanged'
	| 'surveyAnswered';

/** A record as the service sends it. */
export type ServiceRecord = Record<string, unknown>;

/** What is polled for one event: which call, and what to read off its records. */
export interface Feed {
	/** e.g. `/api/booking/v1/booking/customers` */
	path: string;
	/** Query parameters for everything changed after `from` (a date-time in the service's own form). */
	query: (from: string) => Record<string, string | number[] | string[] | boolean>;
	ranking: 'time' | 'id';
	observe: (record: unknown, zone: string) => Observation | Malformed;
}

/** @returns the record, or undefined for what is not an object. */
export function asRecord(value: unknown): ServiceRecord | undefined {
	return isRecord(value) ? value : undefined;
}
