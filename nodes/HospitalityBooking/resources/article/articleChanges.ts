import { USING_JSON } from '../../../shared/operation/body';
import type { ItemContext } from '../../../shared/operation/itemContext';
import type { ItemRequest } from '../../../shared/operation/operation';
import { InvalidValueError } from '../../../shared/values/invalidValue';
import { isRecord } from '../../../shared/values/record';

/** @throws InvalidValueError where the item has no article, or one with nothing to change */
export function refuseUnchanged({ read }: ItemContext, { body }: ItemRequest): void {
	const { items } = body as { items: Array<Record<string, unknown>> };
	const usesJson = read('bodyMode') === USING_JSON;
	if (items.length === 0)
		throw new InvalidValueError(
			'JSON: items',
			'is empty',
			'Give at least one article, with what to change of it',
		);
	const unchanged = items.findIndex(({ articleId: _, ...changes }) => !hasValue(changes));
	if (unchanged < 0) return;
	throw new InvalidValueError(
		usesJson ? `JSON: items[${unchanged}]` : 'Article',
		'has nothing to change',
		"Give at least one value besides 'Article ID'",
	);
}

/** Not to go back to the inherited value changes nothing. */
function hasValue(value: unknown): boolean {
	if (!isRecord(value)) return value !== undefined;
	return Object.entries(value).some(
		([name, own]) => !(name.startsWith('reset') && own === false) && hasValue(own),
	);
}
