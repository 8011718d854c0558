import type { IDataObject } from 'n8n-workflow';
import groupBy from 'lodash/groupBy';

import type { FieldMessage, ServiceMessage } from '../../../shared/errors/serviceMessage';

export type BatchResponse<Applied> = { applied: readonly Applied[] } | { refusal: ServiceMessage };

export type Outcome<Applied> = { applied: Applied } | { refusal: ServiceMessage };

/** Articles by their index in the batch. */
interface Lot {
	indexes: readonly number[];
	/** The other half of a refused lot: it holds an article to blame if this one is applied. */
	otherHalf?: Lot;
	isToBlame?: boolean;
	/** All that was not sent yet, tried with one call. */
	isRest?: true;
}

/**
 * Applies a batch, setting aside the articles that the service refuses, with as few calls as it allows: where it names
 * them, the others are sent again at once; where it does not, by bisection. Once it has found one to blame, what was not
 * sent yet goes with one call, so that one of 50 costs at most eight calls more.
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
	const unsent: Lot[] = [{ indexes: [...articles.keys()] }];
	let isRestTried = true;
	for (let lot = unsent.shift(); lot; lot = unsent.shift()) {
		const { indexes, otherHalf, isToBlame, isRest } = lot;
		if (isToBlame && indexes.length > 1) {
			unsent.unshift(...halves(indexes));
			continue;
		}
		const response = await send(indexes.flatMap((index) => articles.slice(index, index + 1)));
		if ('applied' in response) {
			response.applied.forEach((applied, place) => (outcomes[indexes[place] ?? 0] = { applied }));
			if (otherHalf) otherHalf.isToBlame = true;
			if (isRest) break;
			continue;
		}
		const { text, fields } = response.refusal;
		const named = namedPlaces(fields, indexes.length);
		if (named.size === 0) {
			if (isRest) isRestTried = false;
			else unsent.unshift(...halves(indexes));
			continue;
		}
		for (const [place, own] of named) outcomes[indexes[place] ?? 0] = { refusal: { text, fields: own } };
		const others = indexes.filter((_, place) => !named.has(place));
		if (isRest) unsent.length = 0;
		if (others.length > 0) unsent.unshift({ indexes: others });
		if (isRestTried && unsent.length > 1)
			unsent.unshift({ indexes: unsent.flatMap((own) => own.indexes), isRest: true });
	}
	return outcomes;
}

function halves(indexes: readonly number[]): Lot[] {
	const middle = Math.ceil(indexes.length / 2);
	const second: Lot = { indexes: indexes.slice(middle) };
	return [{ indexes: indexes.slice(0, middle), otherHalf: second }, second];
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
