import type { IDataObject } from 'n8n-workflow';

import type { ItemContext, PreparedItem } from '../../../shared/operation/operation';
import { asText } from '../../../shared/values/asText';
import { InvalidValueError } from '../../../shared/values/invalidValue';
import { groupedBy } from '../../../shared/values/keys';
import { isRecord } from '../../../shared/values/record';

/** An article to update, and the item that it comes from. */
export interface Entry {
	item: ItemContext;
	article: IDataObject;
	articleId: string;
	shape: PreparedItem['shape'];
}

/** @returns the articles of prepared items, in order */
export function entriesOf(items: readonly PreparedItem[]): Entry[] {
	const entries: Entry[] = [];
	for (const { item, request, shape } of items) {
		for (const article of articlesIn(request.body)) {
			const articleId = asText(article.articleId);
			entries.push({ item, article, articleId, shape });
		}
	}
	return entries;
}

/** @returns the articles in the body of a request or of a response */
export function articlesIn(body: unknown): IDataObject[] {
	if (!isRecord(body)) return [];
	const { items } = body;
	if (!Array.isArray(items)) return [];
	return items.filter(isRecord) as IDataObject[];
}

/** @returns what to find an article by: GUIDs are the same in any letter case */
export function keyOf({ articleId }: IDataObject): string {
	return asText(articleId).toLowerCase();
}

/** @returns an article by the words of its list: `'Toast Skagen'` */
export function nameOf({ article, articleId }: Entry): string {
	if (typeof article.name !== 'string') return articleId;
	return `'${article.name}'`;
}

/** @returns the item of an article as n8n counts it, with the article: `item 3 ('Toast Skagen')` */
export function itemLabelOf(entry: Entry): string {
	return `item ${entry.item.itemIndex} (${nameOf(entry)})`;
}

/**
 * Finds articles that a list has more than once. The API does not specify which of two rows would count.
 *
 * @returns the error of each item with such an article
 */
export function findRepeated(items: readonly PreparedItem[]): Map<ItemContext, InvalidValueError> {
	const errors = new Map<ItemContext, InvalidValueError>();
	const entries = entriesOf(items);
	for (const same of groupedBy(entries, ({ article }) => keyOf(article))) {
		if (same.length < 2) continue;
		for (const entry of same) {
			const others = same.filter((other) => other !== entry);
			const problem = `is also in ${others.map(itemLabelOf).join(', ')}`;
			const error = new InvalidValueError('Article ID', problem, ONE_ROW_EACH);
			errors.set(entry.item, error);
		}
	}
	return errors;
}

const ONE_ROW_EACH = 'Give each article one row: the API does not specify which of two would count';
