import mapValues from 'lodash/mapValues';
import sortBy from 'lodash/sortBy';

import { ExplainedError } from '../../shared/errors/explainedError';
import { asText } from '../../shared/values/asText';
import { writeTime } from '../../shared/values/writeTime';
import { oneLine } from '../../shared/values/text';
import { DAY } from '../../shared/values/timestamp';
import { currentStatus, stateOf } from '../../shared/booking/states';
import { type Feed, observe } from '../events/observe';
import { isCanceledOrNoShow, isUnchangedSinceCreation } from '../events/recordKinds';
import {
	type Known,
	type Observed,
	type Query,
	type Rule,
	type Times,
	fieldsOf,
} from '../events/rule';
import { newestOfEach } from '../follow/changeOrder';
import { type Emission, emissionOf, isCreation } from '../follow/buildEmission';
import type { BookingClient } from './pollCalls';
import { unique } from '../../shared/values/keys';

const NO_EARLIER_VALUES =
	"A test knows no earlier values yet. In the items of the published workflow 'before' has them, and 'fields' names what differs.";

/** Nearest first: most services have records of these days, and the response is short. */
const LOOK_AROUND_DAYS = [30, 365];
/** Statuses that a message lists. */
const MOST_STATUSES = 30;

/**
 * The record nearest to now that the trigger would have emitted, for trying a workflow. Nothing is stored.
 *
 * @throws ExplainedError that says why there is none within a year
 */
export async function findTestEvent(feed: Feed, client: BookingClient): Promise<Emission> {
	const now = client.now();
	let records: unknown[] = [];
	for (const days of LOOK_AROUND_DAYS) {
		const query = queryAround(feed, days * DAY, now);
		const { list } = await client.fetch(query, now + client.budgetMs);
		records = list ?? [];
		const testEvents = testEventsOf(records, feed, now).reverse();
		const nearestFirst = sortBy(testEvents, ({ time }) => Math.abs(now - (time ?? 0)));
		// A new booking becomes the first row of a table.
		const expected = nearestFirst.find(({ record }) => {
			return !feed.rule.needsCreation || !isCanceledOrNoShow(fieldsOf(record), feed.choice);
		});
		const best = expected ?? nearestFirst[0];
		if (best) return best;
		if (feed.kind.listsAll) break;
	}
	throw noTestEvent(feed, records);
}

/** Says why there is no test event, and what to do; where no booking has the state that is waited for, the statuses seen. */
function noTestEvent({ rule, choice }: Feed, records: readonly unknown[]): ExplainedError {
	const { state } = rule;
	const roles = choice.filters.statusRoles ?? {};
	const bookings = records.map(fieldsOf);
	if (bookings.length === 0) {
		return new ExplainedError(
			'No test event: the service lists no record within a year',
			'Make one, and try again',
		);
	}
	if (!state || bookings.some((booking) => stateOf(booking, roles) === state)) {
		return new ExplainedError(
			`No test event: of ${bookings.length} records within a year, none fits the event and the filters`,
			'Remove a filter, or make a record that fits',
		);
	}
	const names = bookings.map((booking) => {
		const { name, status } = currentStatus(booking);
		return oneLine(asText(name ?? status));
	});
	const shown = unique(names).slice(0, MOST_STATUSES);
	const seen = shown.sort().join(', ');
	const statuses = Array.from(roles[state] ?? []);
	const waitedFor = statuses.join(', ') || 'none';
	return new ExplainedError(
		`No test event: no web booking has one of the statuses ${waitedFor}; seen: ${seen}`,
		'Compare the statuses with those in the credential',
	);
}

/** Due events lie before and after now; changes lie before it. */
function queryAround({ kind, choice, rule }: Feed, ms: number, now: number): Query {
	const { offsetMs } = rule;
	if (offsetMs === undefined || !kind.during) {
		const from = writeTime(now - ms, choice.zone);
		return kind.changedAfter(from, choice);
	}
	const middle = now - offsetMs;
	const startTime = writeTime(middle - ms, choice.zone);
	const endTime = writeTime(middle + ms, choice.zone);
	return kind.during(startTime, endTime, choice, true);
}

/** @returns the records of a list that may be the event, oldest change first: nothing is known of them */
function testEventsOf(list: readonly unknown[], feed: Feed, now: number): Emission[] {
	const times: Times = {
		now,
		watermark: 0,
		newSince: 0,
		dueReportedUpTo: 0,
		unreadTo: 0,
	};
	const emissions: Emission[] = [];
	const { observed: all } = observe(list, feed);
	for (const observed of newestOfEach(all)) {
		const hasHappened = observed.passesFilters && observed.at !== undefined;
		if (hasHappened && mayBeEvent(observed, feed.rule, times)) {
			emissions.push(testEventOf(observed, feed.rule));
		}
	}
	return emissions;
}

function mayBeEvent(observed: Observed, rule: Rule, times: Times): boolean {
	if (rule.offsetMs !== undefined) return true;
	const known = rule.initialValues && initialOf(observed, rule.initialValues);
	if (rule.emits(observed, known, times)) return true;
	const isCompared = rule.comparedFields !== undefined && !rule.initialValues;
	return isCompared && !isUnchangedSinceCreation(observed);
}

/** A test knows no earlier values, but those that every booking is made with. */
function testEventOf(observed: Observed, rule: Rule): Emission {
	const initial = initialOf(observed, rule.initialValues);
	const emission = emissionOf(observed, initial, rule);
	emission.isCreation = isCreation(observed, Infinity);
	if (!emission.changes || rule.initialValues) return emission;
	if (isUnchangedSinceCreation(observed)) {
		emission.changes = null;
		return emission;
	}
	const { now } = emission.changes;
	const before = mapValues(now, () => null);
	emission.changes = { fields: [], before, now, note: NO_EARLIER_VALUES };
	return emission;
}

function initialOf(observed: Observed, initialValues = observed.values): Known {
	return {
		newest: 0,
		versions: [],
		values: initialValues,
	};
}
