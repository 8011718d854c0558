import { type INode, NodeOperationError } from 'n8n-workflow';

import { customers } from '../../../../nodes/shared/booking/records';
import { recordShaper } from '../../../../nodes/shared/operation/output';
import { RunProgress, failedItem } from '../../../../nodes/shared/operation/runProgress';

const node: INode = { id: '1', name: 'Node', type: 'x', typeVersion: 1, position: [0, 0], parameters: {} };
const OLDER = {};

it.each([
	[{ description: 'Check the values' }, { error: 'It was refused', message: 'Check the values' }],
	[{}, { error: 'It was refused' }],
])(
	"gives what happened and how to fix it as the two fields that an n8n without 'details' takes for an error",
	(options, json) => {
		const error = new NodeOperationError(node, 'It was refused', options);
		expect(failedItem(error, { item: 0 }, OLDER).json).toEqual(json);
	},
);

test.each([
	['nmae,id', /^Did you mean 'name'\? Allowed: .*\bid\b/],
	[['altogether'], /^Allowed: /],
])(
	"a field %j that the records do not have is refused under 'Fields', with the one that was meant",
	(fields, hint) => {
		const shape = () => recordShaper((name) => (name === 'output' ? 'selected' : fields), customers);
		expect(shape).toThrow(
			expect.objectContaining({
				message: expect.stringContaining("'Fields' contains"),
				description: expect.stringMatching(hint),
			}),
		);
	},
);

test('as many records of an item come out as a response can hold', () => {
	const progress = new RunProgress([0], 'calls', false);
	const records = Array.from({ length: 300_000 }, (_, id) => ({ id }));
	progress.end([{ itemIndex: 0, records }]);
	expect(progress.result()).toHaveLength(records.length);
});
