import { workflowFile } from '../../../dev/demo/workflows.ts';
import type { JsonObject } from '../../../dev/n8nClient.ts';

const HOUSE = 'Words of your house';

/** What the owner of a house enters in one-tap-answers, besides addresses. */
export function enteredBy(venue: string, phone: string): Record<string, JsonObject> {
	const house = workflowFile('one-tap-answers').nodes.find(({ name }) => name === HOUSE);
	const { assignments } = house?.parameters.assignments as { assignments: Array<{ name: string }> };
	const entered: Record<string, string> = { venue, phone };
	const filled = assignments.map((one) => (one.name in entered ? { ...one, value: entered[one.name] } : one));
	return {
		[HOUSE]: { assignments: { assignments: filled } },
		'Sign it': { secret: 'known to nobody' },
	};
}
