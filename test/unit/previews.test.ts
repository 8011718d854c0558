import { readFileSync } from 'node:fs';

import { eventRows } from '../../nodes/HospitalityBookingTrigger/events/events';
import { rows } from '../support/sampleForm';

/**
 * What n8n's editor says of a node that has not run: "Usually outputs the following fields". It asks by resource and operation
 * alone, so that a preview cannot follow 'Output' or an event (n8n 2.41: `resolveOutputSchemaPath`).
 */
function previewOf(file: string): string[] {
	const path = new URL(`file://${__dirname}/../../nodes/${file}.json`);
	const preview = JSON.parse(readFileSync(path, 'utf8')) as { properties: object };
	return Object.keys(preview.properties);
}

const simplified = rows.filter(({ operation }) => operation.output.simplified);

test.each(simplified)("has the fields of 'Simplified': $id", ({ id, service, operation }) => {
	const node =
		service.credential === 'hospitalityBookingApi' ? 'HospitalityBooking' : 'HospitalityPayment';

	const preview = previewOf(`${node}/__schema__/v1.0.0/${id.replace('.', '/')}`);

	const headers = operation.output.headers ?? [];
	expect(preview).toEqual(Object.keys(operation.output.simplified ?? {}).concat(headers));
});

test("of the trigger has the fields of 'Simplified' of every event, and what changed", () => {
	const names = eventRows().flatMap(({ kind }) => Object.keys(kind.output.simplified ?? {}));

	const preview = previewOf('HospitalityBookingTrigger/__schema__/v1.0.0');

	expect(new Set(preview)).toEqual(new Set(names.concat('changes')));
});
