import { NodeOperationError } from 'n8n-workflow';

import { customers } from '../../../../nodes/shared/booking/records';
import { recordShaper } from '../../../../nodes/shared/operation/output';
import { failedItem } from '../../../../nodes/shared/operation/runProgress';

const node = {
	id: '1',
	name: 'Node',
	type: 'test',
	typeVersion: 1,
	position: [0, 0] as [number, number],
	parameters: {},
};
const error = new NodeOperationError(node, 'It was refused', { description: 'Check the values' });
const OLDER = {};

it("gives what happened and how to fix it as the two fields that an n8n without 'details' takes for an error", () => {
	expect(failedItem(error, { item: 0 }, OLDER).json).toEqual({
		error: 'It was refused',
		message: 'Check the values',
	});
	expect(failedItem(new NodeOperationError(node, 'It was refused'), { item: 0 }, OLDER).json).toEqual({
		error: 'It was refused',
	});
});

it("gives 'details' in the n8n that it is developed with", () => {
	expect(failedItem(error, { item: 0 }).json).toMatchObject({
		error: 'It was refused',
		details: { description: 'Check the values' },
	});
});

test.each([
	['nmae,id', /^Did you mean 'name'\? Allowed: .*\bid\b/],
	[['altogether'], /^Allowed: /],
])(
	"a field %j that the records do not have is refused under 'Fields', with the one that was meant",
	(fields, hint) => {
		let refusal: unknown;
		try {
			recordShaper((name) => (name === 'output' ? 'selected' : fields), customers);
		} catch (error) {
			refusal = error;
		}

		expect(refusal).toMatchObject({
			message: expect.stringContaining("'Fields' contains"),
			description: expect.stringMatching(hint),
		});
	},
);
