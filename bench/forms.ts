import { createRequire } from 'node:module';
import type { INodeTypeDescription, NodeHelpers as Helpers } from 'n8n-workflow';
import { readNodes } from '../scripts/nodeSources.ts';
import { median } from './report.ts';

// Its ES modules do not load in Node.
const { NodeHelpers } = createRequire(import.meta.url)('n8n-workflow') as { NodeHelpers: typeof Helpers };

const ROUNDS = 300;

/**
 * What the size of a form costs an execution: n8n works through all parameters of a node once, by `getNodeParameters`.
 *
 * @returns a line a node
 */
export async function benchForms(): Promise<string[]> {
	return readNodes().map(({ description, resources }) => {
		const places =
			resources.length === 0
				? [{}]
				: resources.flatMap(({ value: resource, operations }) =>
						operations.map(({ value: operation }) => ({ resource, operation })),
					);
		const times = places.map((place) => timeOf(description, place));
		const [middle, most] = [median(times), Math.max(...times)].map((ms) => ms.toFixed(2));
		return `${description.displayName}: ${description.properties.length} parameters, getNodeParameters ${middle} ms, at most ${most} ms`;
	});
}

/** Milliseconds of one execution: median. */
function timeOf(description: INodeTypeDescription, parameters: Record<string, string>): number {
	const node = { typeVersion: 1 };
	const times = Array.from({ length: ROUNDS }, () => {
		const began = performance.now();
		NodeHelpers.getNodeParameters(description.properties, parameters, true, false, node, description);
		return performance.now() - began;
	});
	return median(times);
}
