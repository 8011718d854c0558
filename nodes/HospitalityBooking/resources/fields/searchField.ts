import { PeopleSearch, type Person } from '../../../shared/booking/peopleSearch';
import { field } from '../../../shared/form/rows';
import { readList } from '../../../shared/http/response';
import type { ItemContext, ItemRequest } from '../../../shared/operation/operation';
import { asText } from '../../../shared/values/asText';
import { isRecord } from '../../../shared/values/record';

/** @param others what else of a record is found, e.g. `a booking's number or GUID` */
export function searchField(others: string) {
	return field('Search', 'search', {
		placeholder: 'e.g. Lind',
		description: `Words of the name in any order, a phone number, a whole email, ${others}`,
	});
}

/**
 * Makes the call of an operation that lists people. The service knows no 'Search': the node filters by it.
 *
 * @param personOf what a record is found by
 */
export async function listPeople(
	item: ItemContext,
	request: ItemRequest,
	personOf: (record: Record<string, unknown>) => Person,
): Promise<unknown[]> {
	const { search, ...query } = request.query;
	const { body } = await item.call({ ...request, query });
	const records = readList(body) ?? [];
	if (search === undefined) return records;
	const people = new PeopleSearch(asText(search));
	return records.filter((record) => {
		if (!isRecord(record)) return false;
		return people.finds(personOf(record));
	});
}
