import type { INodeProperties } from 'n8n-workflow';
import { HospitalityBooking } from '../../../nodes/HospitalityBooking/HospitalityBooking.node';
import { HospitalityPayment } from '../../../nodes/HospitalityPayment/HospitalityPayment.node';
import { bookingService } from '../../../nodes/HospitalityBooking/resources';

const { properties } = new HospitalityBooking().description;

/** What the editor shows for an operation: the parameters whose conditions on resource and operation hold. */
function formOf(resource: string, operation: string): INodeProperties[] {
	return properties.filter(({ displayOptions: { show = {} } = {} }) => {
		const shownFor = (list: unknown, value: string) => !Array.isArray(list) || list.includes(value);
		return shownFor(show.resource, resource) && shownFor(show.operation, operation);
	});
}

const operations = bookingService.resources.flatMap((resource) =>
	resource.operations.map((operation) => ({
		id: `${resource.value}.${operation.value}`,
		resource: resource.value,
		operation,
	})),
);

test.each(operations)(
	'shows the parameters of $id and no other operation, each once',
	({ resource, operation }) => {
		const own = new Set([
			'resource',
			'operation',
			'options',
			...(operation.pathFields ?? []).map(({ property }) => property.name),
			...(operation.parameters ?? []).map(({ name }) => name),
			...[
				...(operation.query ?? []),
				...(operation.body?.sections ?? []),
				...(operation.afterCall ? [operation.afterCall] : []),
			].flatMap(({ collection, fields }) =>
				collection ? [collection.name] : fields.map(({ property }) => property.name),
			),
			...(operation.body ? ['bodyMode', 'jsonBody'] : []),
			...(operation.output.kind === 'list' ? ['returnAll', 'limit'] : []),
			...(operation.output.simplified ? ['output', 'outputFields'] : []),
		]);
		const form = formOf(resource, operation.value);

		expect([...new Set(form.map(({ name }) => name))].sort()).toEqual([...own].sort());
		for (const mode of ['fields', 'json']) {
			const names = form
				.filter(({ displayOptions }) => displayOptions?.show?.bodyMode?.includes(mode) ?? true)
				.map(({ name }) => name);
			expect(new Set(names).size).toBe(names.length);
		}
	},
);

test.each(operations.filter(({ operation }) => operation.body))(
	'asks for the record of $id, then the body, then what comes out',
	({ resource, operation }) => {
		const names = formOf(resource, operation.value).map(({ name }) => name);
		const places = [
			...(operation.pathFields ?? []).map(({ property }) => property.name),
			'bodyMode',
			...(operation.output.simplified ? ['output', 'outputFields'] : []),
			'options',
		].map((name) => names.indexOf(name));

		expect(places).not.toContain(-1);
		expect(places).toEqual([...places].sort((one, other) => one - other));
	},
);

test.each(operations)('simplifies $id to at most 10 fields', ({ operation: { output } }) => {
	expect(Object.keys(output.simplified ?? {}).length).toBeLessThanOrEqual(10);
});

/** A parameter and all that are inside it. */
function withInner(property: INodeProperties): INodeProperties[] {
	const inner = (property.options ?? []).flatMap((option) =>
		'values' in option ? option.values : 'type' in option ? [option] : [],
	);
	return [property, ...inner.flatMap(withInner)];
}

test('descriptions of one sentence have no full stop', () => {
	const wrong = properties
		.flatMap(withInner)
		.filter(({ description = '' }) => /^[^.]*\.$/.test(description.replace(/e\.g\./g, '')));

	expect(wrong.map(({ description }) => description)).toEqual([]);
});

test('gives each parameter of a collection a name of its own', () => {
	for (const { options = [], type } of properties) {
		if (type !== 'collection') continue;
		const names = options.map(({ name }) => name);
		expect(new Set(names).size).toBe(names.length);
		const shown = options.map((option) => ('displayName' in option ? option.displayName : option.name));
		expect(new Set(shown).size).toBe(shown.length);
	}
});

test('every JSON parameter opens empty, and shows an example below that is not taken for a value', () => {
	const all = [...properties, ...new HospitalityPayment().description.properties].flatMap(withInner);
	const json = all.filter(({ type }) => type === 'json');

	expect(json.length).toBeGreaterThan(15);
	expect(json.filter((property) => property.default !== '').map(({ displayName }) => displayName)).toEqual(
		[],
	);
	expect(
		json
			.filter(({ hint = '' }) => !hint.startsWith('Example, not sent: '))
			.map(({ displayName }) => displayName),
	).toEqual([]);
});
