import { type Timestamp, latestOf } from '../../shared/values/timestamp';
import type { EventRow } from './events';
import { type Choice, type Kind, SAME_WRITE_MS } from './recordKinds';
import { type Facts, type Observed, type Rule, fieldsOf, hashKey } from './rule';
import { versionOf } from './rules/changed';
import { withWhatChanged } from './rules/differs';

/** Characters of a hash that stands for a record. */
const ID_LENGTH = 8;
/** Characters of a hash that stands for a version of a record. */
const VERSION_LENGTH = 6;
/** Characters of a hash that stands for an event. */
export const KEY_LENGTH = 11;

/** What is polled for one event, and its rule. */
export interface Feed {
	kind: Kind;
	rule: Rule;
	/** Its zone is that of times without an offset. */
	choice: Choice;
}

/** @returns what is polled for an event, as a form chooses it */
export function makeFeed(event: EventRow, choice: Choice): Feed {
	const { kind } = event;
	let rule = event.rule(choice);
	if (event.canShowChanges && choice.whatChanged) rule = withWhatChanged(rule, choice);
	const zone = kind.zone ?? choice.zone;
	return { kind, rule, choice: { ...choice, zone } };
}

/** What was read of a list. */
interface ObservedList {
	observed: Observed[];
	unreadable: string[];
}

/**
 * Reads the records of a list.
 *
 * @param watermark what was changed before is left out if nothing is remembered of it for longer; milliseconds since 1970
 * @returns the records that can be followed, and the names of those that cannot, with the reason
 */
export function observe(list: readonly unknown[], feed: Feed, watermark = 0): ObservedList {
	const { kind, rule, choice } = feed;
	const observed: Observed[] = [];
	const unreadable: string[] = [];
	const isBrief = rule.hasVersions && !rule.baselinePeriod;
	for (const listed of list) {
		const record = fieldsOf(listed);
		const id = record[kind.idName];
		if (!kind.isId(id)) {
			unreadable.push(`a ${kind.name} has no ${kind.idName}`);
			continue;
		}
		const facts = kind.factsOf(record, choice.zone);
		if (!facts) continue;
		const changedMs = facts.changed?.ms ?? watermark;
		if (isBrief && changedMs < watermark) continue;
		const name = String(id as string).toLowerCase();
		const reading = observeRecord(facts, name, feed);
		if (typeof reading === 'string') {
			unreadable.push(`${kind.name} ${name} has no readable ${reading}`);
		} else {
			observed.push(reading);
		}
	}
	return { observed, unreadable };
}

/** @returns the name of a time that cannot be read, if the rule needs it */
function observeRecord(facts: Facts, name: string, feed: Feed): Observed | string {
	const { rule, choice } = feed;
	const { record, changed, created } = facts;
	const reading = rule.read(facts);
	if (typeof reading === 'string') return reading;
	if (changed === undefined) return 'change date';
	const { at, key = '', values = [] } = reading;
	const version = versionOf(facts) + JSON.stringify(values);
	const changedAtLatest = changed ? latestOf(changed, choice.zone) : 0;
	return {
		record,
		changed,
		created,
		at,
		values,
		until: reading.until,
		id: rule.isById ? name : hashKey(name, ID_LENGTH),
		changedAtLatest,
		madeAtLatest: created ? latestCreation(created, changedAtLatest, choice) : undefined,
		key: at === undefined ? '' : hashKey(`${name}|${key}`, KEY_LENGTH),
		passesFilters: feed.kind.passesFilters?.(record, choice) ?? true,
		version: rule.hasVersions ? hashKey(version, VERSION_LENGTH) : undefined,
	};
}

/** @returns when a record was made: of a local time that occurs twice, the later moment, unless it had changed by then */
function latestCreation(created: Timestamp, changedAtLatest: number, { zone }: Choice): number {
	const latest = latestOf(created, zone);
	const hadChanged = latest > changedAtLatest + SAME_WRITE_MS;
	return hadChanged ? created.ms : latest;
}
