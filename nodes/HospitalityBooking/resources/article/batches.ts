import groupBy from 'lodash/groupBy';

/** @see contract/openapi.yaml ArticleBatchRequest */
export const MAX_ARTICLES_PER_CALL = 50;

/** What the service says about one article, or about a batch as a whole where no article is named. */
export interface Complaint {
	/** As the service gives it, e.g. `items[3].prices.regular.inclVat`. */
	field: string;
	errorId: string;
}

/** How one call ended: applied as a whole, or refused as a whole. */
export type BatchAnswer<Applied, Refusal> =
	{ applied: readonly Applied[] } | { refusal: Refusal; complaints: readonly Complaint[] };

/** What became of one article. */
export type Outcome<Applied, Refusal> =
	{ applied: Applied } | { refusal: Refusal; complaints: readonly Complaint[] };

/** Sends some articles with one call; as many answers as articles where they were applied. */
export type SendBatch<Article, Applied, Refusal> = (
	articles: readonly Article[],
) => Promise<BatchAnswer<Applied, Refusal>>;

/**
 * Applies a batch, setting aside the articles that the service refuses, with as few calls as it allows: where it names
 * them, the others are sent again at once; where it does not, halving finds one to blame and the rest goes again, so that
 * one of 50 costs at most eight calls more.
 *
 * @param articles at most 50
 * @param send rejects where the call itself fails: then nothing more is sent
 * @param outcomes one for each article in order; filled in as they become known
 */
export async function applyOrSetAside<Article, Applied, Refusal>(
	articles: readonly Article[],
	send: SendBatch<Article, Applied, Refusal>,
	outcomes: Array<Outcome<Applied, Refusal>> = [],
): Promise<Array<Outcome<Applied, Refusal>>> {
	/** Whether the batch is known to hold several to blame: then what was not sent yet goes lot by lot. */
	let hasSeveral = false;
	await apply(articles.map((_, index) => index));
	return outcomes;

	/** Sends them once, and those again that an answer does not name. `unnamed`: nothing came of it. */
	async function settle(places: readonly number[]): Promise<'applied' | 'setAside' | 'unnamed'> {
		const answer = await send(places.flatMap((place) => articles.slice(place, place + 1)));
		if ('applied' in answer) {
			answer.applied.forEach((applied, index) => (outcomes[places[index] ?? 0] = { applied }));
			return 'applied';
		}
		const { refusal, complaints } = answer;
		const named = namedPlaces(complaints, places.length);
		if (named.size === 0 && places.length > 1) return 'unnamed';
		places.forEach((place, index) => {
			const own = places.length === 1 ? complaints : named.get(index);
			if (own) outcomes[place] = { refusal, complaints: own };
		});
		const rest = places.filter((_, index) => places.length > 1 && !named.has(index));
		if (rest.length > 0) await apply(rest);
		return 'setAside';
	}

	/** Returns whether all of them were applied at once. */
	async function apply(places: readonly number[]): Promise<boolean> {
		const end = await settle(places);
		if (end === 'unnamed') await search(places);
		return end === 'applied';
	}

	/** Halves a refused lot until one to blame stands alone. A half whose other half went through is to blame as a whole. */
	async function search(places: readonly number[]): Promise<void> {
		const unsent: Array<readonly number[]> = [];
		let refused = places;
		while (refused.length > 1) {
			const middle = Math.ceil(refused.length / 2);
			const [first, second] = [refused.slice(0, middle), refused.slice(middle)];
			const end = await settle(first);
			if (end !== 'applied') unsent.unshift(second);
			if (end === 'setAside') return await applyAll(unsent);
			refused = end === 'applied' ? second : first;
		}
		await apply(refused);
		await applyAll(unsent);
	}

	/** Lots that mostly hold no other one to blame: with one call, and one by one when that is refused. */
	async function applyAll(lots: ReadonlyArray<readonly number[]>): Promise<void> {
		const isTriedTogether = lots.length > 1 && !hasSeveral;
		if (isTriedTogether) {
			if ((await settle(lots.flat())) !== 'unnamed') return;
			hasSeveral = true;
		}
		let isOtherToBlame = false;
		for (const [index, lot] of lots.entries()) {
			const isKnownToBlame = isTriedTogether && index === lots.length - 1 && !isOtherToBlame;
			if (isKnownToBlame && lot.length > 1) await search(lot);
			else if (!(await apply(lot))) isOtherToBlame = true;
		}
	}
}

/**
 * @param count how many articles were sent
 * @returns the complaints about each article that is named, by its number in the call
 */
export function namedPlaces(complaints: readonly Complaint[], count: number): Map<number, Complaint[]> {
	const named = new Map<number, Complaint[]>();
	for (const complaint of complaints) {
		const index = placeOf(complaint.field);
		if (index === undefined || index >= count) continue;
		named.set(index, [...(named.get(index) ?? []), complaint]);
	}
	return named;
}

/** `items[3].name`, `Items.3.name`, `$.items[3]`, `/items/3/name` and `[3].name` are all about the article number 3. */
const PLACE = /^(?:\$\.?|\/)?(?:items)?(?:\[(\d+)\]|[./](\d+)(?=[./]|$))[./]?/i;

function placeOf(field: string): number | undefined {
	const found = PLACE.exec(field);
	const digits = found?.[1] ?? found?.[2];
	return digits === undefined ? undefined : Number(digits);
}

/** @returns the field within the article: `prices.regular.inclVat` of `items[3].prices.regular.inclVat`. */
export function fieldOfArticle(field: string): string {
	return field.replace(PLACE, '').replaceAll('/', '.');
}

/**
 * Finds for each article sent what the service answered about it, by ID. An article sent twice takes its answers in
 * turn, and the last one for what is left over.
 *
 * @returns as many as were sent; undefined where the answer has nothing about one
 */
export function answersFor<Answer>(
	sentIds: readonly string[],
	answers: readonly Answer[],
	idOf: (answer: Answer) => string,
): Array<Answer | undefined> {
	const byId = groupBy(answers, (answer) => idOf(answer).toLowerCase());
	return sentIds.map((id) => {
		const left = byId[id.toLowerCase()];
		return left && left.length > 1 ? left.shift() : left?.[0];
	});
}
