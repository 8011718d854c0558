import {
	checkPathValue,
	checkValue,
	fillPath,
	normalizeAddress,
	normalizeBaseUrl,
	normalizeTokenUrl,
} from '../../../../nodes/shared/values/address';
import { InvalidValueError } from '../../../../nodes/shared/values/invalidValue';

const GUID = '3f2504e0-4f89-41d3-9a0c-0305e82c3301';

describe('values in a path', () => {
	it('are encoded, so that they stay in their place', () => {
		const values = { id: '../Å 1?#%2e', other: 'x' };
		expect(fillPath('/v1/{id}/of/{other}', values)).toBe('/v1/..%2F%C3%85%201%3F%23%252e/of/x');
	});

	it.each([
		['guid', GUID, GUID],
		['guid', ` ${GUID.toUpperCase()} `, GUID.toUpperCase()],
		['int64', 42, '42'],
		['int64', '0042', '42'],
		['int64', Number.MAX_SAFE_INTEGER, String(Number.MAX_SAFE_INTEGER)],
		['int64', 0, '0'],
		['int64', '-1', '-1'],
		['int64', Number.MIN_SAFE_INTEGER, String(Number.MIN_SAFE_INTEGER)],
		['int32', 2 ** 31 - 1, '2147483647'],
		['int32', -(2 ** 31), '-2147483648'],
		['text', ' summer 1 ', 'summer 1'],
	] as const)('takes a %s like %p', (kind, value, wire) => {
		expect(checkValue(value, kind, 'ID')).toBe(wire);
	});

	it.each([
		['guid', 'abc', /'ID' must be a GUID, not 'abc'/],
		['guid', '', /'ID' is empty/],
		['guid', '   ', /'ID' is empty/],
		['int64', -(2 ** 53), /'ID' is out of range: -9007199254740992/],
		['int64', '--1', /'ID' must be a whole number, not '--1'/],
		['int32', -(2 ** 31) - 1, /'ID' is out of range: -2147483649/],
		['text', 'summer\ud83d', /'ID' contains an unpaired surrogate/],
		['int64', 1.5, /'ID' must be a whole number, not '1.5'/],
		['int64', '9007199254740993', /'ID' is out of range: 9007199254740993/],
		['int64', Number.NaN, /'ID' must be a whole number, not 'NaN'/],
		['int32', 2 ** 31, /'ID' is out of range: 2147483648/],
		['text', null, /'ID' is empty/],
		['text', undefined, /'ID' is empty/],
		['text', ['a'], /'ID' is not a text or number/],
		['text', '..', /'ID' must be a text, not '\.\.'/],
		['guid', 'x'.repeat(61), /'ID' must be a GUID, not 'x{57}…'/],
		['guid', 'x'.repeat(60), /'ID' must be a GUID, not 'x{60}'/],
	] as const)('refuses for a %s the value %p, naming the parameter', (kind, value, message) => {
		expect(() => checkValue(value, kind, 'ID')).toThrow(message);
	});
});

test('the number of a record in a path begins at 1', () => {
	expect(checkPathValue('1', 'int32', 'ID')).toBe('1');
	expect(() => checkPathValue(0, 'int32', 'ID')).toThrow(
		new InvalidValueError('ID', "must be positive, not '0'", 'Enter a whole number from 1 to 2147483647'),
	);
});

describe("a credential's address", () => {
	const paths = ['/api', '/api/booking', '/api/booking/', '/api/booking/v1', '/api/am', '/api/v1'];

	it.each(['', '/', '// ', ...paths])('is the same for a Base URL that ends with %p', (end) => {
		expect(normalizeBaseUrl(` https://api.example.com${end}`)).toBe('https://api.example.com');
	});

	it('keeps a path in front of the service', () => {
		expect(normalizeBaseUrl('http://host:8080/tenant/api/booking/')).toBe('http://host:8080/tenant');
	});

	it.each(['', ...paths.map((path) => path.replace(/\/$/, ''))])(
		'is taken as entered, though it ends with %p, in the other fields',
		(end) => {
			const address = `https://a.example.com${end}`;
			expect(normalizeAddress(`${address}/`, 'Payment URL')).toBe(address);
			expect(normalizeTokenUrl(`${address}/connect/token`)).toBe(address);
		},
	);

	it.each([
		...[
			'',
			undefined,
			'api.example.com',
			'ftp://x',
			'https://',
			'https://a b',
			'http://x:port',
			'x https://a',
		],
		'https://a?b',
	])('is refused where it is %p', (value) => {
		expect(() => normalizeAddress(value, 'Payment URL')).toThrow(/'Payment URL' is/);
		expect(() => normalizeBaseUrl(value)).toThrow(/'Base URL' is/);
	});
});
