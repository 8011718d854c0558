import type { IDataObject } from 'n8n-workflow';
import groupBy from 'lodash/groupBy';

import type { NodeError } from '../../../shared/errors/nodeErrors';
import type { FieldMessage, ServiceMessage } from '../../../shared/errors/serviceMessage';

/**
 * What became of an article: its record, as far as the response holds it, why the service rejects it, or how its last call
 * failed.
 */
export type Fate =
	{ applied: IDataObject | undefined } | { refusal: ServiceMessage } | { failure: NodeError };

/** An article of a batch, as far as its fate is concerned; undefined until that is known. */
export interface Fated {
	fate?: Fate;
}

/**
 * Applies a batch, setting aside the articles that the service rejects: those it names are set aside, and the rest is sent
 * again.
 *
 * @param articles at most 50
 * @param send makes one call and notes the fate of what it updates; returns why the call was refused, undefined where it was
 * not. It rejects where the call itself fails: then nothing more is sent
 * @returns why the rest was refused, if the service names none of it
 */
export async function applyOrSetAside<Article extends Fated>(
	articles: readonly Article[],
	send: (articles: readonly Article[]) => Promise<ServiceMessage | undefined>,
): Promise<ServiceMessage | undefined> {
	for (let left = articles; left.length > 0; left = left.filter(({ fate }) => !fate)) {
		const refusal = await send(left);
		if (!refusal) return undefined;
		const named = namedPlaces(refusal.fields, left.length);
		if (named.size === 0) return refusal;
		for (const [place, fields] of named) {
			const article = left[place];
			if (article) article.fate = { refusal: { text: refusal.text, fields } };
		}
	}
	return undefined;
}

/**
 * @param fields what the service says, of fields such as `items[3].prices.regular.inclVat`
 * @param count how many articles were sent
 * @returns what it says of each named article, by its position in the call; if only one was sent, all of it
 */
export function namedPlaces(
	fields: readonly FieldMessage[],
	count: number,
): Map<number, readonly FieldMessage[]> {
	if (count === 1) return new Map([[0, fields]]);
	const byPlace = groupBy(fields, ({ field }) => placeOf(field));
	const places = Object.entries(byPlace).map(([place, messages]) => [Number(place), messages] as const);
	return new Map(places.filter(([place]) => place < count));
}

/** `items[3].name`, `Items.3.name`, `$.items[3]`, `/items/3/name` and `[3].name` all refer to article 3. */
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
 * Finds the response for each article sent, by ID. An article sent more than once takes its responses in order, and the
 * last one again if there are too few.
 *
 * @returns one for each article sent; undefined if the response lacks any
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
