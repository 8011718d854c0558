import { createRequire } from 'node:module';
import type { INodeProperties, INodePropertyOptions, INodeTypeDescription } from 'n8n-workflow';
import { makeNode, manifest } from '../support/packageSources';
import { rows } from '../support/sampleForm';

/** What n8n's AI builder may have to read of a node to use one operation of it. */
const MOST_CHARACTERS = 60_000;

/** n8n's own generator of the text, as it comes with n8n's engine. */
const { generateNodeTypeFile } = createRequire(require.resolve('n8n-core'))(
	'@n8n/workflow-sdk',
) as {
	generateNodeTypeFile(description: INodeTypeDescription): string;
};

/** n8n adds this choice to each list of resources and operations of a node with credentials. */
const CUSTOM_CALL = { name: 'Custom API Call', value: '__CUSTOM_API_CALL__' };

function textOf(path: string): string {
	const { description } = makeNode(path);
	const properties = description.properties
		.filter(({ type }) => type !== 'hidden')
		.map((property) =>
			/^(resource|operation)$/.test(property.name)
				? { ...property, options: [...(property.options ?? []), CUSTOM_CALL] }
				: property,
		);
	return generateNodeTypeFile({
		...description,
		name: `${manifest.name}.${description.name}`,
		properties,
	});
}

test.each(manifest.n8n.nodes)(
	"what n8n's AI builder reads of %s stays below 60,000 characters",
	(path) => {
		const text = textOf(path);

		expect(text).toContain('Expression<');
		expect(text.length).toBeLessThanOrEqual(MOST_CHARACTERS);
		if (!path.includes('Trigger')) expect(text).not.toContain('@default true');
	},
);

test.each(rows.filter(({ operation }) => operation.output.simplified))(
	'it reads what Simplified outputs: $id',
	({ operation: { output } }) => {
		const names = Object.keys(output.simplified ?? {}).join(', ');
		expect(manifest.n8n.nodes.map(textOf).join()).toContain(names);
	},
);

/** Choices of a form whose values are numbers with names, those within its collections included. */
function numbersWithNames(properties: INodeProperties[]): INodePropertyOptions[] {
	return properties.flatMap(({ options = [] }) => {
		const choices = options.filter((option) => 'value' in option);
		const inner = options.filter((option) => 'type' in option);
		const named = choices.filter(({ value }) => typeof value === 'number');
		return [...named, ...numbersWithNames(inner)];
	});
}

test.each(manifest.n8n.nodes)(
	'it reads what each number stands for that is chosen by name: %s',
	(path) => {
		const text = textOf(path);

		const choices = numbersWithNames(makeNode(path).description.properties);
		for (const { name, value } of choices.filter(
			(choice) => choice.name !== String(choice.value),
		)) {
			expect(text).toContain(`${value} is ${name}`);
		}
	},
);

test("it reads the distances of both events at a booking's own time", () => {
	const text = textOf(String(manifest.n8n.nodes.find((path) => path.includes('Trigger'))));

	for (const name of [
		'timeBeforeStart',
		'timeBeforeStartUnit',
		'timeAfterEnd',
		'timeAfterEndUnit',
	]) {
		expect(text).toMatch(new RegExp(`\\b${name}\\?:`));
	}
});
