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
 * Applies a batch, setting aside the articles that the service rejects. Articles it names are set aside, and the rest is
 * sent again. If it names none, the batch is halved until a rejected article is alone; then everything undecided is sent
 * in one call. One rejected article of 50 costs at most eight more calls.
 *
 * @param articles at most 50
 * @param send makes one call and notes the fate of what it updates; returns why the call was refused, undefined where it was
 * not. It rejects where the call itself fails: then nothing more is sent
 */
export async function applyOrSetAside<Article extends Fated>(
	articles: readonly Article[],
	send: (articles: readonly Article[]) => Promise<ServiceMessage | undefined>,
): Promise<void> {
	const undecided = (some: readonly Article[]) => some.filter(({ fate }) => !fate);
	let isRestTried = false;

	/** @returns what was rejected last, with none of it named; none once all is decided */
	async function sendAndSetAside(lot: readonly Article[]): Promise<readonly Article[]> {
		for (let left = lot; left.length > 0; left = undecided(left)) {
			const refusal = await send(left);
			if (!refusal) return [];
			const named = namedPlaces(refusal.fields, left.length);
			if (named.size === 0) return left;
			for (const [place, article] of left.entries()) {
				const fields = named.get(place);
				if (fields) article.fate = { refusal: { text: refusal.text, fields } };
			}
		}
		return [];
	}

	/** @param holdsRejected whether it is known that one of them is rejected */
	async function decide(lot: readonly Article[], holdsRejected = false): Promise<void> {
		const left = undecided(lot);
		const rejected = holdsRejected && left.length > 1 ? left : await sendAndSetAside(left);
		if (!isRestTried && articles.some(({ fate }) => fate && 'refusal' in fate)) {
			isRestTried = true;
			await sendAndSetAside(undecided(articles));
		}
		if (rejected.length === 0) return;
		const middle = Math.ceil(rejected.length / 2);
		const firstHalf = rejected.slice(0, middle);
		await decide(firstHalf);
		const isApplied = firstHalf.every(({ fate }) => fate && 'applied' in fate);
		await decide(rejected.slice(middle), isApplied);
	}

	await decide(articles);
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
	const places = Object.entries(byPlace).map(([place, own]) => [Number(place), own] as const);
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
