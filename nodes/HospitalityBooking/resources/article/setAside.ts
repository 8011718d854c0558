import groupBy from 'lodash/groupBy';

/** What the service says about one article, or about a batch as a whole where no article is named. */
interface Complaint {
	/** As the service gives it, e.g. `items[3].prices.regular.inclVat`. */
	field: string;
	errorId: string;
}

/** What the service refused a batch with: its own words, and its complaints. */
export interface Refusal {
	text: string;
	complaints: readonly Complaint[];
}

/** How one call ended: applied as a whole, or refused as a whole. */
export type BatchResponse<Applied> = { applied: readonly Applied[] } | { refusal: Refusal };

/** What became of one article. */
export type Outcome<Applied> = { applied: Applied } | { refusal: Refusal };

/** Articles by their index in the batch. */
interface Lot {
	indexes: readonly number[];
	/** The other half of a refused lot: it holds an article to blame if this one is applied. */
	otherHalf?: Lot;
	isToBlame?: boolean;
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
	let isRestSentTogether = true;
	for (let lot = unsent.shift(); lot; lot = unsent.shift()) {
		const isKnown = lot.isToBlame === true && lot.indexes.length > 1;
		const remaining = isKnown ? halves(lot) : await apply(lot);
		unsent.unshift(...remaining);
		const hasSetAside = remaining.length < 2 && !lot.indexes.every(isApplied);
		if (!hasSetAside || !isRestSentTogether || unsent.length < 2) continue;
		const rest = { indexes: unsent.flatMap(({ indexes }) => indexes) };
		const remainingOfRest = await apply(rest);
		if (remainingOfRest.length < 2) unsent.splice(0, unsent.length, ...remainingOfRest);
		else isRestSentTogether = false;
	}
	return outcomes;

	function isApplied(index: number): boolean {
		const outcome = outcomes[index];
		return outcome !== undefined && 'applied' in outcome;
	}

	/** Sends a lot once. Returns what is still to be sent of it: two halves where the service names no article. */
	async function apply(lot: Lot): Promise<Lot[]> {
		const { indexes, otherHalf } = lot;
		const response = await send(indexes.flatMap((index) => articles.slice(index, index + 1)));
		if ('applied' in response) {
			response.applied.forEach((applied, place) => (outcomes[indexes[place] ?? 0] = { applied }));
			if (otherHalf) otherHalf.isToBlame = true;
			return [];
		}
		const { text, complaints } = response.refusal;
		const named = indexes.length === 1 ? new Map([[0, complaints]]) : namedPlaces(complaints, indexes.length);
		if (named.size === 0) return halves(lot);
		for (const [place, own] of named) outcomes[indexes[place] ?? 0] = { refusal: { text, complaints: own } };
		const others = indexes.filter((_, place) => !named.has(place));
		return others.length > 0 ? [{ indexes: others }] : [];
	}
}

function halves({ indexes }: Lot): Lot[] {
	const middle = Math.ceil(indexes.length / 2);
	const second: Lot = { indexes: indexes.slice(middle) };
	return [{ indexes: indexes.slice(0, middle), otherHalf: second }, second];
}

/**
 * @param count how many articles were sent
 * @returns the complaints about each article that is named, by its place in the call
 */
export function namedPlaces(
	complaints: readonly Complaint[],
	count: number,
): Map<number, readonly Complaint[]> {
	const byPlace = groupBy(complaints, ({ field }) => placeOf(field));
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
export function recordsFor<Sent>(
	sentIds: readonly string[],
	records: readonly Sent[],
	idOf: (record: Sent) => string,
): Array<Sent | undefined> {
	const byId = groupBy(records, (record) => idOf(record).toLowerCase());
	return sentIds.map((id) => {
		const left = byId[id.toLowerCase()];
		return left && left.length > 1 ? left.shift() : left?.[0];
	});
}
