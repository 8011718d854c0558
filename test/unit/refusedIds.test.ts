import attempt from 'lodash/attempt';

import { sourceOfId } from '../../nodes/shared/booking/idSources';
import {
	bookingFilters,
	surveyFilter,
} from '../../nodes/HospitalityBookingTrigger/form/properties';
import { rows } from '../support/sampleForm';

/** Every field of every form that asks for an ID, in rows and mappers too; Authenticate takes an account, which is no record. */
const ids = rows
	.filter(({ id }) => id !== 'customer.authenticate')
	.map(({ id, operation, fields }) => ({ id, all: (operation.pathFields ?? []).concat(fields) }))
	.concat({ id: 'the trigger', all: bookingFilters.concat(surveyFilter) })
	.flatMap(({ id, all }) => all.map((field) => ({ id, field })))
	.flatMap(({ id, field }) => (field.entries ?? [field]).map((own) => ({ id, field: own })))
	.map(({ id, field }) => ({ id, field, name: field.property.displayName }))
	.filter(({ field, name }) => {
		const isId = /\b(?:IDs?|GUID)\b/.test(name);
		return isId || field.property.type === 'resourceLocator';
	});

it('is tried on IDs of every kind', () => {
	const names = ids.map(({ name }) => name);

	expect(names).toEqual(
		expect.arrayContaining(['Campaign ID', 'Article ID', 'Unit IDs', 'Section ID', 'Customer']),
	);
});

test.each(ids)('a refused ID says where one is found: $id $name', ({ field, name }) => {
	const { mustNotBeEmpty, namesRecord, serialize } = field;
	const refused: unknown[] = [{ a: 1 }];
	if (mustNotBeEmpty || namesRecord) refused.push('', null);
	for (const value of refused) {
		expect(attempt(serialize, value)).toMatchObject({
			description: expect.stringContaining(String(sourceOfId(name))) as string,
		});
	}
});
