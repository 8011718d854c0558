import { EVENTS } from '../../../../nodes/HospitalityBookingTrigger/events';
import { recordShaper } from '../../../../nodes/shared/operation/output';
import { rows } from '../../../support/sampleForm';

const CONTEXT = { timeZone: 'UTC', statusRoles: {} };

const shapes = [
	...rows.map(({ id, operation }) => ({ name: id, shape: operation.output })),
	...EVENTS.map(({ value, output }) => ({ name: value, shape: output })),
].filter(({ shape }) => shape.simplified);

it.each(shapes)("an 'Output' that there is not is refused by name: $name", ({ shape }) => {
	for (const output of ['everything', 7, { mode: 'raw' }])
		expect(() => recordShaper(() => output, shape, CONTEXT)).toThrow("'Output' contains");
});

it.each(shapes)(
	"an 'Output' that comes out empty is Simplified, as the form has it at first: $name",
	({ shape }) => {
		for (const output of [undefined, ''])
			expect(Object.keys(recordShaper(() => output, shape, CONTEXT)({ other: 1 }))).toEqual(
				Object.keys(shape.simplified ?? {}),
			);
	},
);
