import get from 'lodash/get';
import orderBy from 'lodash/orderBy';

import type { Words } from '../errors/failure';
import { asText } from '../values/asText';
import { closestName } from '../values/closestName';
import { KeyMap, KeySet } from '../values/keys';
import { comparable, oneLine } from '../values/text';
import { ROLE_FIELDS } from './credentialFields';
import type { StatusRoles } from './deployment';

/** By then a status that is in use has been met. */
export const DAYS_BACK = 30;
/** So many bookings that changed their status have met every usual one. */
const ENOUGH_BOOKINGS = 50;
/** Statuses that a message lists. */
const MOST_LISTED = 20;

interface EnteredName {
	name: string;
	/** The field of the credential, as displayed. */
	field: string;
}

/** @returns the statuses of a credential that are names: a number is one whether or not it was seen */
export function enteredNames(roles: StatusRoles): EnteredName[] {
	const entered: EnteredName[] = [];
	for (const [role, statuses] of Object.entries(roles)) {
		const field = ROLE_FIELDS[role as keyof StatusRoles].displayName;
		for (const name of statuses) {
			const isNumber = /^-?\d+$/.test(name);
			if (!isNumber) entered.push({ name, field });
		}
	}
	return entered;
}

/** The names of statuses in the histories of recent bookings. */
export class SeenStatuses {
	/** How many bookings have had a status, by its name as they spell it. */
	private readonly counts = new KeyMap<string, number>();
	private readonly comparableNames = new KeySet<string>();
	/** Bookings that have had several statuses. */
	private changed = 0;

	constructor(bookings: readonly unknown[]) {
		for (const booking of bookings) {
			const names = namesIn(get(booking, 'history'));
			if (names.size > 1) this.changed++;
			for (const name of names) {
				const count = this.counts.get(name) ?? 0;
				this.counts.set(name, count + 1);
				this.comparableNames.add(comparable(name));
			}
		}
	}

	/** @returns what is wrong with the names: one that is nearly a seen one, or that none of them was seen though many were */
	findProblem(entered: readonly EnteredName[]): Words | undefined {
		const unseen = this.unseen(entered);
		const seen = [...this.counts.keys()];
		for (const { name, field } of unseen) {
			const close = closestName(name, seen);
			if (close === undefined) continue;
			return [
				`'${field}' contains '${name}', which no booking of the last ${DAYS_BACK} days has had`,
				`Did you mean '${close}'?`,
			];
		}
		const isOneSeen = unseen.length < entered.length;
		if (isOneSeen || this.changed < ENOUGH_BOOKINGS) return undefined;
		return [
			`No booking of the last ${DAYS_BACK} days has had one of the statuses ${quotedNames(unseen)}`,
			`Enter statuses as your bookings spell them, or their numbers. Seen: ${this.list()}`,
		];
	}

	/** @returns which of the names were not seen, '' where all were */
	hintOn(entered: readonly EnteredName[]): string {
		const unseen = this.unseen(entered);
		if (unseen.length === 0 || this.counts.size === 0) return '';
		const verb = unseen.length === 1 ? 'was' : 'were';
		return `${quotedNames(unseen)} ${verb} not seen in the last ${DAYS_BACK} days; seen: ${this.list()}`;
	}

	private unseen(entered: readonly EnteredName[]): EnteredName[] {
		return entered.filter((each) => !this.comparableNames.has(each.name));
	}

	/** The most frequent first, with how many bookings have had each. */
	private list(): string {
		const names = [...this.counts.keys()];
		const byFrequency = orderBy(names, (name) => this.counts.get(name), 'desc');
		const listed = byFrequency.slice(0, MOST_LISTED);
		const withCounts = listed.map((name) => `${name} (${this.counts.get(name)})`);
		return withCounts.join(', ');
	}
}

function quotedNames(entered: readonly EnteredName[]): string {
	const names = entered.map((each) => `'${each.name}'`);
	return names.join(', ');
}

/** @returns each name of a status that a booking has had, once */
function namesIn(history: unknown): Set<string> {
	const names = new KeySet<string>();
	if (!Array.isArray(history)) return names;
	for (const entry of history) {
		const statusName: unknown = get(entry, 'statusName');
		const name = oneLine(asText(statusName ?? ''));
		if (name !== '') names.add(name);
	}
	return names;
}
