import { latestOf } from '../../shared/values/timestamp';
import type { EventRow } from './events';
import { type Facts, type Observed, type Rule, fieldsOf, hashKey } from './rule';
import type { Choice, Kind } from './kinds';
import { versionOf, withWhatChanged } from './rules/rules';

/** Characters of a hash that stands for a record, a version of it, and an event. */
const [ID, VERSION, KEY] = [8, 6, 11];

/** What is polled for one event, and its rule. */
export interface Feed {
	kind: Kind;
	rule: Rule;
	/** Its zone is that of times without an offset. */
	choice: Choice;
}

/** What is read from a page, and the names of records that cannot be followed, with the reason. */
export interface Page {
	observed: Observed[];
	unreadable: string[];
}

/** @returns what is polled for an event, as a form chooses it */
export function makeFeed({ kind, rule: ruleOf, canShowChanges }: EventRow, choice: Choice): Feed {
	const rule = ruleOf(choice);
	return {
		kind,
		rule: canShowChanges && choice.whatChanged ? withWhatChanged(rule, choice) : rule,
		choice: { ...choice, zone: kind.zone ?? choice.zone },
	};
}

/**
 * Reads the records of a page.
 *
 * @param from what was changed before, in milliseconds since 1970, is left out if nothing is remembered of it for longer
 */
export function observe(page: readonly unknown[], feed: Feed, from = 0): Page {
	const { kind, rule, choice } = feed;
	const { observed, unreadable }: Page = { observed: [], unreadable: [] };
	const isBrief = rule.hasVersions && !rule.learns;
	for (const record of page) {
		const given = fieldsOf(record);
		const id = given[kind.idName];
		if (!kind.isId(id)) {
			unreadable.push(`a ${kind.name} has no ${kind.idName}`);
			continue;
		}
		const facts = kind.factsOf(given, choice.zone);
		if (!facts || (isBrief && facts.changed && facts.changed.ms < from)) continue;
		const name = String(id as string).toLowerCase();
		const one = read(facts, name, feed);
		if (typeof one === 'string') unreadable.push(`${kind.name} ${name} has no readable ${one}`);
		else observed.push(one);
	}
	return { observed, unreadable };
}

function read(facts: Facts, id: string, { kind, rule, choice }: Feed): Observed | string {
	const { record, changed, created } = facts;
	const reading = rule.read(facts);
	if (typeof reading === 'string') return reading;
	if (changed === undefined) return 'change date';
	const { at, key = '', values = [], until } = reading;
	return {
		...{ record, changed, created, at, values, until },
		id: rule.isById ? id : hashKey(id, ID),
		changedBy: changed ? latestOf(changed, choice.zone) : 0,
		madeBy: created ? latestOf(created, choice.zone) : undefined,
		key: at === undefined ? '' : hashKey(`${id}|${key}`, KEY),
		wanted: kind.isWanted?.(record, choice) ?? true,
		version: rule.hasVersions
			? hashKey(versionOf(facts) + JSON.stringify(values), VERSION)
			: undefined,
	};
}
