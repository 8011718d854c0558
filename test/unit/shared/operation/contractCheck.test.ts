import { checkContract } from '../../../../nodes/shared/operation/contractCheck';
import { bookingService } from '../../../../nodes/HospitalityBooking/resources';

const bodies = bookingService.resources.flatMap(({ operations }) =>
	operations.flatMap(({ body, executeBatch }) => (body && !executeBatch ? [body] : [])),
);
const lists = bodies.flatMap((body) =>
	body.sections.flatMap(({ fields }) =>
		fields
			.filter(({ at, entries, example }) => (entries ?? Array.isArray(example)) && !at.includes('.'))
			.map(({ at, property }) => [`${body.schema} ${at}`, body, at, property.displayName] as const),
	),
);

describe('a list that is an object with names of any kind', () => {
	test.each(lists)('is refused by the displayed name: %s', (_name, body, at, label) => {
		for (const name of ['0', '0x', 'a/b', 'line\nbreak', '']) {
			const value = { ...(body.example as object), [at]: { [name]: { unknown: 1 } } };
			expect(() => checkContract(body, value, false)).toThrow(`'${label}' is of another type`);
		}
	});

	test('is looked at for at least the lists of bookings, contacts and surveys', () => {
		expect(lists.length).toBeGreaterThan(3);
	});
});
