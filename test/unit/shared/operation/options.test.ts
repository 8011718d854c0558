import type { ServiceRequest } from '../../../../nodes/shared/auth/account';
import { applyOptions } from '../../../../nodes/shared/operation/options';

function apply(options: object, rawOptions: unknown = options, takesSystem = true): ServiceRequest {
	const request: ServiceRequest = {
		method: 'GET',
		path: '/',
		query: {},
	};
	applyOptions(request, options as never, rawOptions, takesSystem);
	return request;
}

const rows = (...entry: Array<{ name: string; value: string }>) => ({ entry });

describe("the option 'System'", () => {
	it.each([undefined, null, '', '  ', []])('is refused when its expression comes to %j', (system) => {
		expect(() => apply({ system }, { system: '={{ $json.system }}' })).toThrow("'System' is empty");
	});

	it.each([{}, ['a'], true])('is refused when its expression comes to %j', (system) => {
		expect(() => apply({ system }, { system: '={{ $json.system }}' })).toThrow("'System' is not a text");
	});

	it('is refused when all options come from an expression that has it without a value', () => {
		expect(() => apply({ system: null }, '={{ $json.options }}')).toThrow("'System' is empty");
	});

	it("leaves the credential's system when it was added and left empty", () => {
		expect(apply({ system: '' }, { system: '' }).system).toBeUndefined();
		expect(apply({}, {}).system).toBeUndefined();
	});

	it.each([
		['other', 'other'],
		[' other ', 'other'],
		[7, '7'],
		['-', '-'],
	])('sends %j as %j', (system, header) => {
		expect(apply({ system }, { system: '={{ $json.system }}' }).system).toBe(header);
	});
});

describe('extra query parameters', () => {
	it.each([undefined, null])('are refused by name where the value comes out as %p', (value) => {
		expect(() => apply({ extraQuery: { entry: [{ name: 'unit', value }] } })).toThrow(
			"'Extra Query Parameters 1' is empty",
		);
	});

	it('are both sent when a name is repeated', () => {
		const extraQuery = rows(
			{ name: 'tag', value: 'a' },
			{ name: 'lang', value: 'sv' },
			{ name: 'tag', value: 'b' },
		);

		expect(apply({ extraQuery }).query).toEqual({ tag: ['a', 'b'], lang: 'sv' });
	});

	it('are refused by name with half a character', () => {
		expect(() => apply({ extraQuery: rows({ name: 'tag', value: '\ud83d' }) })).toThrow(
			"'Extra Query Parameters 1' contains an unpaired surrogate",
		);
	});
});
