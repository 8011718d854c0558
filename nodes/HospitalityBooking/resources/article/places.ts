import type { FieldMessage } from '../../../shared/errors/serviceMessage';
import { groupedBy } from '../../../shared/values/keys';

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
	const places = new Map<number, readonly FieldMessage[]>();
	const indexOf = ({ field }: FieldMessage) => indexIn(field);
	for (const messages of groupedBy(fields, indexOf)) {
		const place = indexOf(messages[0]);
		if (place < count) places.set(place, messages);
	}
	return places;
}

/** `items[3].name`, `Items.3.name`, `$.items[3]`, `/items/3/name` and `[3].name` all refer to article 3. */
const PLACE = /^(?:\$\.?|\/)?(?:items)?(?:\[(\d+)\]|[./](\d+)(?=[./]|$))[./]?/i;

function indexIn(field: string): number {
	const found = PLACE.exec(field);
	return Number(found?.[1] ?? found?.[2]);
}

/** @returns the field within the article: `prices.regular.inclVat` of `items[3].prices.regular.inclVat`. */
export function fieldOfArticle(field: string): string {
	return field.replace(PLACE, '').replaceAll('/', '.');
}
