import {
	fillPath,
	normalizeAddress,
	readGuid,
	readIdentifier,
} from '../../../../nodes/shared/values/address';
import { bookingAuth } from '../../../../nodes/shared/auth/booking';

const ACCOUNT = {
	baseUrl: 'https://service',
	authUrl: 'https://identity',
	clientId: 'id',
	clientSecret: 'secret',
};
const normalizeBaseUrl = (baseUrl: unknown) =>
	bookingAuth.readAccount({ ...ACCOUNT, baseUrl: baseUrl as string }).address;

/** @returns the address that a token is requested from, without the path of the request */
async function normalizeTokenUrl(authUrl: string): Promise<string> {
	let asked = '';
	const { requestToken } = bookingAuth.readAccount({ ...ACCOUNT, authUrl });
	await requestToken(async ({ url }) => {
		asked = url;
		return await Promise.reject(Object.assign(new Error('broken'), { code: 'ECONNRESET' }));
	});
	return asked.replace(/\/connect\/token$/, '');
}

const GUID = '3f2504e0-4f89-41d3-9a0c-0305e82c3301';

describe('values in a path', () => {
	it('are encoded, so that they stay in their place', () => {
		const values = { id: '../Å 1?#%2e', other: 'x' };
		expect(fillPath('/v1/{id}/of/{other}', values)).toBe('/v1/..%2F%C3%85%201%3F%23%252e/of/x');
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
		[readIdentifier, '.', /'ID' must be a text, not '\.'/],
		[readIdentifier, '..', /'ID' must be a text, not '\.\.'/],
		[readIdentifier, Number.NaN, /'ID' must be a text, not 'NaN'/],
		[readIdentifier, 2 ** 53, /'ID' must be a text, not '9007199254740992'/],
		[readIdentifier, 1e21, /'ID' must be a text, not '1e\+21'/],
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

	it('keeps the host of a Token URL Base, whatever it is called', async () => {
		expect(await normalizeTokenUrl('http://connect/token')).toBe('http://connect/token');
	});

	it('keeps a path in front of the service', () => {
		expect(normalizeBaseUrl('http://host:8080/tenant/api/booking/')).toBe(
			'http://host:8080/tenant',
		);
	});

	it.each(['', ...paths.map((path) => path.replace(/\/$/, ''))])(
		'is taken as entered, though it ends with %p, in the other fields',
		async (end) => {
			const address = `https://a.example.com${end}`;
			expect(normalizeAddress(`${address}/`, 'Payment URL')).toBe(address);
			expect(await normalizeTokenUrl(`${address}/connect/token`)).toBe(address);
		},
	);

	it.each([
		['HTTPS://API.Example.COM/Tenant', 'https://api.example.com/Tenant'],
		['http://bücher.example/api', 'http://xn--bcher-kva.example'],
		['https://api.example.com./', 'https://api.example.com'],
		['https://api.example.com.:8443', 'https://api.example.com:8443'],
		['https://api.example.com:443', 'https://api.example.com'],
		['http://api.example.com:443', 'http://api.example.com:443'],
		['https://[2001:DB8::1]:8443/api/booking', 'https://[2001:db8::1]:8443'],
		['http://127.1/', 'http://127.0.0.1'],
		['https://host/a%20b/../c//', 'https://host/c'],
		['https://host/tenant@home', 'https://host/tenant@home'],
		['http://api', 'http://api'],
		['http://api/v1', 'http://api/v1'],
		['http://api/api/v1', 'http://api'],
	])('%p is one with %p', (entered, address) => {
		expect(normalizeBaseUrl(entered)).toBe(address);
		expect(normalizeBaseUrl(address)).toBe(address);
	});

	it.each([
		'https://user:pw@host',
		'https://user@host/api',
		'HTTP://:pw@host',
		'https://us%40er:p%25@host',
	])(
		'is refused by name where it holds a user or password, which would replace the token: %p',
		(value) => {
			expect(() => normalizeAddress(value, 'Payment URL')).toThrow(
				/^'Payment URL' contains a user name or password$/,
			);
		},
	);

	const noAddresses = [
		'',
		undefined,
		'api.example.com',
		'ftp://x',
		'https://',
		'https://a b',
		'http://x:port',
	];
	const noneEither = [
		'x https://a',
		'https://a?b',
		'https://a#b',
		'https:/a',
		'https:a',
		'https:\\\\a',
	];
	const norThese = ['https://a\\b', 'https://[::1', 'https://%zz', 'https://.', 'https://../api'];

	it.each([...noAddresses, ...noneEither, ...norThese])('is refused where it is %p', (value) => {
		expect(() => normalizeAddress(value, 'Payment URL')).toThrow(/'Payment URL' is/);
		expect(() => normalizeBaseUrl(value)).toThrow(/'Base URL' is/);
	});
});
