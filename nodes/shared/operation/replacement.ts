import isEmpty from 'lodash/isEmpty';

import { InvalidValueError } from '../values/invalidValue';
import { usesJson } from './nodeForm';
import type { ItemContext } from './operation';

/**
 * Refuses to replace a whole list by nothing: a row was forgotten, or n8n has left out a list that came from an expression. JSON
 * may say so with `[]`.
 *
 * @param label the list as displayed
 * @param list what would be sent
 * @throws InvalidValueError for an empty list that was entered in fields
 */
export function refuseEmptyReplacement(item: ItemContext, label: string, list: unknown): void {
	if (usesJson(item) || !isEmpty(list)) return;
	throw new InvalidValueError(
		label,
		'has no row',
		"Add one: without it, everything that is in the list would be removed. To remove everything, choose 'Using JSON' and enter []",
	);
}
