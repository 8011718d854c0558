import fc from 'fast-check';

import {
	fillPath,
	normalizeAddress,
	normalizeBaseUrl,
	normalizeTokenUrl,
	readGuid,
	readIdentifier,
} from '../../../../nodes/shared/values/address';
import { InvalidValueError } from '../../../../nodes/shared/values/invalidValue';

const GUID = '3f2504e0-4f89-41d3-9a0c-0305e82c3301';

describe('values in a path', () => {
	it('lets no value reach another path', () => {
		fc.assert(
			fc.property(
				fc.oneof(fc.string(), fc.constantFrom('..', '.', '../x', 'a/b', '%2e%2e', '?a=1', '#x', '\\..\\x')),
				(value) => {
					let checked: string;
					try {
						checked = readIdentifier(value, 'Campaign ID');
					} catch (error) {
						expect(error).toBeInstanceOf(InvalidValueError);
						return;
					}
					const { pathname, search, hash } = new URL(
						fillPath('/v1/Campaign/{id}', { id: checked }),
						'http://service',
					);
					expect(pathname.startsWith('/v1/Campaign/')).toBe(true);
					expect(pathname.split('/')).toHaveLength(4);
					expect(decodeURIComponent(pathname.split('/')[3] ?? '')).toBe(checked);
					expect([search, hash]).toEqual(['', '']);
				},
			),
			{ numRuns: 1000 },
		);
	});

	it.each([
		[readGuid, GUID, GUID],
		[readGuid, ` ${GUID.toUpperCase()} `, GUID.toUpperCase()],
		[readIdentifier, ' summer 1 ', 'summer 1'],
		[readIdentifier, 42, '42'],
	])('takes by %p one like %p', (read, value, wire) => {
		expect(read(value, 'ID')).toBe(wire);
	});

	it.each([
		[readGuid, 'abc', /'ID' must be a GUID, not 'abc'/],
		[readGuid, '', /'ID' is empty/],
		[readGuid, '   ', /'ID' is empty/],
		[readGuid, '..', /'ID' must be a GUID, not '\.\.'/],
		[readIdentifier, 'summer\ud83d', /'ID' contains an unpaired surrogate/],
		[readIdentifier, null, /'ID' is empty/],
		[readIdentifier, undefined, /'ID' is empty/],
		[readIdentifier, ['a'], /'ID' is not a text or number/],
		[readIdentifier, '..', /'ID' must be a text, not '\.\.'/],
		[readIdentifier, Number.NaN, /'ID' must be a text, not 'NaN'/],
		[readGuid, 'x'.repeat(61), /'ID' must be a GUID, not 'x{59}…'/],
		[readGuid, 'x'.repeat(60), /'ID' must be a GUID, not 'x{60}'/],
	])('refuses by %p the value %p, naming the parameter', (read, value, message) => {
		expect(() => read(value, 'ID')).toThrow(message);
	});
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
			expect(normalizeAddress(`https://a.example.com${end}/`, 'Payment URL')).toBe(
				`https://a.example.com${end}`,
			);
			expect(normalizeTokenUrl(`https://a.example.com${end}/connect/token`)).toBe(
				`https://a.example.com${end}`,
			);
		},
	);

	it.each([
		'',
		undefined,
		'api.example.com',
		'ftp://x',
		'https://',
		'https://a b',
		'http://x:port',
		'x https://a',
		'https://a?b',
	])('is refused where it is %p', (value) => {
		expect(() => normalizeAddress(value, 'Payment URL')).toThrow(/'Payment URL' is/);
		expect(() => normalizeBaseUrl(value)).toThrow(/'Base URL' is/);
	});
});
