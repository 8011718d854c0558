import { isRecord } from '../../shared/values/record';
import { HOUR, type Timestamp } from '../../shared/values/timestamp';
import { offsetAt } from '../../shared/values/zone';
import type { Facts, Feed, Observed, Page, Rule } from './feed';
import { hashKey } from './hashes';
import type { EventRow } from './events';
import { type Choice, type Kind, isAsMade } from './kinds';
import { versionOf } from './rules';

/** Characters of a hash that stands for a record, a version of it, and an event. */
const [ID, VERSION, KEY] = [8, 6, 11];

/** @returns what is polled for an event, as a form chooses it */
export function makeFeed({ kind, rule: ruleOf }: EventRow, choice: Choice): Feed {
	const rule = ruleOf(choice);
	return {
		path: kind.path,
		zone: kind.zone ?? choice.zone,
		listsAll: kind.listsAll === true,
		changedAfter: (from) => kind.changedAfter(from, choice),
		during: (from, to, isComplete) => kind.during?.(from, to, choice, isComplete) ?? {},
		observe: (page, from) => observe(page, from, kind, rule, choice),
		rule,
	};
}

/** Reads the records of a page. */
function observe(page: readonly unknown[], from: number, kind: Kind, rule: Rule, choice: Choice): Page {
	const { observed, unreadable }: Page = { observed: [], unreadable: [] };
	for (const record of page) {
		const id = isRecord(record) ? record[kind.idName] : undefined;
		if (!isRecord(record) || !kind.isId(id)) {
			unreadable.push(`a ${kind.name} has no ${kind.idName}`);
			continue;
		}
		const facts = kind.factsOf(record, kind.zone ?? choice.zone);
		if (!facts) continue;
		// What is remembered for the overlap alone is not, if it changed before.
		if (!rule.until && rule.hasVersions && facts.changed && facts.changed.ms < from) continue;
		const name = String(id as string).toLowerCase();
		const one = read(facts, name, kind, rule, choice);
		if (typeof one === 'string') unreadable.push(`${kind.name} ${name} has no readable ${one}`);
		else observed.push(one);
	}
	return { observed, unreadable };
}

function read(facts: Facts, id: string, kind: Kind, rule: Rule, choice: Choice): Observed | string {
	const { record, changed, created } = facts;
	const happened = rule.happened(facts);
	if (typeof happened === 'string') return happened;
	if (changed === undefined) return kind.timeName;
	const values = rule.valuesOf?.(facts) ?? [];
	const changedBy = changed ? latestOf(changed, kind.zone ?? choice.zone) : 0;
	const madeBy = created ? latestOf(created, kind.zone ?? choice.zone) : undefined;
	return {
		record,
		id: rule.isById ? id : hashKey(id, ID),
		changed,
		changedBy,
		created: created?.ms,
		madeBy,
		at: happened?.at,
		key: happened ? hashKey(`${id}|${happened.id}`, KEY) : '',
		wanted: kind.isWanted(record, choice) && (rule.isWanted?.(record) ?? true),
		isAsMade: isAsMade(facts, changedBy, madeBy ?? 0),
		version: rule.hasVersions ? hashKey(versionOf(facts) + JSON.stringify(values), VERSION) : undefined,
		values,
		until: rule.until?.(facts),
	};
}

/** @returns the later of the two moments of a local time that occurs twice */
function latestOf({ ms, isLocal }: Timestamp, zone: string): number {
	const later = [HOUR, HOUR / 2].map((ahead) => ms + ahead);
	const local = (moment: number) => moment + offsetAt(moment, zone);
	return (isLocal ? later.find((moment) => local(moment) === local(ms)) : undefined) ?? ms;
}
