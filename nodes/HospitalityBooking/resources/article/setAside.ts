import type { IDataObject } from 'n8n-workflow';
import groupBy from 'lodash/groupBy';

import type { FieldMessage, ServiceMessage } from '../../../shared/errors/serviceMessage';

export type BatchResponse<Applied> = { applied: readonly Applied[] } | { refusal: ServiceMessage };

export type Outcome<Applied> = { applied: Applied } | { refusal: ServiceMessage };

/**
 * Applies a batch, setting aside the articles that the service rejects. What it names is set aside, and the rest is sent
 * again. Where it names nothing, the batch is halved until a rejected article is alone; once the first is found, all that
 * is undecided goes with one call, so that one of 50 costs at most eight calls more.
 *
 * @param articles at most 50
 * @param send rejects where the call itself fails: then nothing more is sent
 * @param outcomes one for each article in order; filled in as they become known
 */
export async function applyOrSetAside<Article, Applied>(
	articles: readonly Article[],
	send: (articles: readonly Article[]) => Promise<BatchResponse<Applied>>,
	outcomes: Array<Outcome<Applied>> = [],
): Promise<Array<Outcome<Applied>>> {
	const all = [...articles.keys()];
	const undecided = (indexes: readonly number[]) => indexes.filter((index) => !outcomes[index]);
	let isRestTried = false;

	/** @returns what was rejected last, with none of it named; none once all is decided */
	async function sendAndSetAside(indexes: readonly number[]): Promise<readonly number[]> {
		for (let left = indexes; left.length > 0; left = undecided(left)) {
			const sent = left;
			const response = await send(sent.flatMap((index) => articles.slice(index, index + 1)));
			if ('applied' in response) {
				response.applied.forEach((applied, place) => (outcomes[sent[place] ?? 0] = { applied }));
				return [];
			}
			const { text, fields } = response.refusal;
			const named = namedPlaces(fields, sent.length);
			if (named.size === 0) return sent;
			for (const [place, own] of named) outcomes[sent[place] ?? 0] = { refusal: { text, fields: own } };
		}
		return [];
	}

	/** @param holdsRejected whether it is known that one of them is rejected */
	async function decide(indexes: readonly number[], holdsRejected = false): Promise<void> {
		const lot = undecided(indexes);
		const rejected = holdsRejected && lot.length > 1 ? lot : await sendAndSetAside(lot);
		if (!isRestTried && outcomes.some((outcome) => 'refusal' in outcome)) {
			isRestTried = true;
			await sendAndSetAside(undecided(all));
		}
		if (rejected.length === 0) return;
		const middle = Math.ceil(rejected.length / 2);
		const firstHalf = rejected.slice(0, middle);
		await decide(firstHalf);
		const isApplied = firstHalf.every((index) => outcomes[index] && 'applied' in outcomes[index]);
		await decide(rejected.slice(middle), isApplied);
	}

	await decide(all);
	return outcomes;
}

/**
 * @param fields what the service says, of fields such as `items[3].prices.regular.inclVat`
 * @param count how many articles were sent
 * @returns what it says of each article that is named, by its place in the call; all of it where there is one only
 */
export function namedPlaces(
	fields: readonly FieldMessage[],
	count: number,
): Map<number, readonly FieldMessage[]> {
	if (count === 1) return new Map([[0, fields]]);
	const byPlace = groupBy(fields, ({ field }) => placeOf(field));
	const places = Object.entries(byPlace).map(([place, own]) => [Number(place), own] as const);
	return new Map(places.filter(([place]) => place < count));
}

/** `items[3].name`, `Items.3.name`, `$.items[3]`, `/items/3/name` and `[3].name` are all about the article number 3. */
const PLACE = /^(?:\$\.?|\/)?(?:items)?(?:\[(\d+)\]|[./](\d+)(?=[./]|$))[./]?/i;

function placeOf(field: string): number {
	const found = PLACE.exec(field);
	return Number(found?.[1] ?? found?.[2]);
}

/** @returns the field within the article: `prices.regular.inclVat` of `items[3].prices.regular.inclVat`. */
export function fieldOfArticle(field: string): string {
	return field.replace(PLACE, '').replaceAll('/', '.');
}

/**
 * Finds for each article sent what the service responded about it, by ID. An article sent twice takes its responses in
 * turn, and the last one for what is left over.
 *
 * @returns as many as were sent; undefined where the response has nothing about one
 */
export function recordsFor(
	articleIds: readonly string[],
	records: readonly IDataObject[],
): Array<IDataObject | undefined> {
	const byId = groupBy(records, ({ articleId }) => String(articleId).toLowerCase());
	return articleIds.map((id) => {
		const left = byId[id.toLowerCase()];
		return left && left.length > 1 ? left.shift() : left?.[0];
	});
}
