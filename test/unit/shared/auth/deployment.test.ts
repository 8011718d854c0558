import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { bookingDeploymentProperties, paymentDeploymentProperties } from '../../../../credentials/fields';
import { readDeployment, readProxy, readStatusRoles } from '../../../../nodes/shared/auth/deployment';

const row = (name: string, value: string | number) => ({ entry: [{ name, value }] });
const read = (fields: ICredentialDataDecryptedObject) => readDeployment({ advanced: true, ...fields });

describe('the settings of a deployment', () => {
	it('are the defaults of the form where nothing is filled in or Advanced Settings is off', () => {
		const standard = {
			unitFilterName: 'unitIds',
			articleCategoryFilterName: 'articleCategoryIds',
			headers: {},
			query: {},
			secrets: ['', ''],
			daysPerCall: 31,
			largestMb: 32,
			network: {},
		};
		const filledIn = {
			unitFilterName: 'units',
			extraHeaders: row('X-Source', 'n8n'),
			daysPerCall: 7,
			proxy: 'http://proxy:3128',
			allowUnauthorizedCerts: true,
		};
		expect(readDeployment({})).toEqual(standard);
		expect(read({ daysPerCall: '', proxy: ' \u00a0', unitFilterName: '\t' })).toEqual(standard);
		expect(readDeployment({ ...filledIn, advanced: false })).toEqual(standard);
	});

	it('are read from every field', () => {
		expect(
			read({
				unitFilterName: ' units ',
				articleCategoryFilterName: 'categories[]',
				extraHeaders: { entry: [...row('X-Source', 'n8n').entry, { name: 'X-Key', value: 5 }] },
				extraQueryParameters: {
					entry: [
						{ name: 'tag', value: 'a' },
						{ name: 'lang', value: 'sv & no' },
						{ name: 'tag', value: 'b' },
					],
				},
				daysPerCall: '7',
				largestResponse: 2,
				proxy: 'http://me:p%40ss@proxy.example.com:3128',
				allowUnauthorizedCerts: true,
			}),
		).toEqual({
			unitFilterName: 'units',
			articleCategoryFilterName: 'categories[]',
			headers: { 'X-Source': 'n8n', 'X-Key': '5' },
			query: { tag: ['a', 'b'], lang: 'sv & no' },
			secrets: ['n8n', '5', 'a', 'b', 'sv & no', 'me', 'p@ss'],
			daysPerCall: 7,
			largestMb: 2,
			network: {
				proxy: {
					...{ host: 'proxy.example.com', port: 3128, protocol: 'http' },
					auth: { username: 'me', password: 'p%40ss' },
				},
				skipSslCertificateValidation: true,
			},
		});
	});

	it.each<[ICredentialDataDecryptedObject, string]>([
		[{ unitFilterName: 'a b' }, "'Unit Filter Name' is not a valid name"],
		[{ articleCategoryFilterName: 'a&b' }, "'Article Category Filter Name' is not a valid name"],
		[{ daysPerCall: 0 }, "'Days per Call' is 0"],
		[{ daysPerCall: 1.5 }, "'Days per Call' is 1.5"],
		[{ daysPerCall: 'x' }, "'Days per Call' is not a number"],
		[{ largestResponse: 257 }, "'Largest Response (MB)' is 257"],
		[{ extraHeaders: row(' ', 'x') }, "'Extra Headers 1: Name' is empty"],
		[{ extraHeaders: row('X-A', '\u00a0') }, "'Extra Headers 1: Value' is empty"],
		[{ extraHeaders: row('X A', 'x') }, "'Extra Headers 1' is not the name of a header"],
		[{ extraHeaders: row('X-A', 'a\nb') }, "'Extra Headers 1' contains a character"],
		[{ extraQueryParameters: row('', 'x') }, "'Extra Query Parameters 1: Name' is empty"],
		[
			{ extraQueryParameters: row('a', '\ud800') },
			"'Extra Query Parameters 1' contains an unpaired surrogate",
		],
		[{ headerName: 'X-Token', extraHeaders: row('x-token', 'a') }, "'Extra Headers 1' is 'x-token'"],
		[
			{ extraHeaders: { entry: [...row('X-A', 'a').entry, ...row('x-a', 'b').entry] } },
			"'Extra Headers 2' is 'x-a', which is entered twice",
		],
	])('%j is refused, with the field', (fields, message) => {
		expect(() => read(fields)).toThrow(message);
	});

	it.each([
		...['Content-Length', 'transfer-encoding', 'Host', 'Connection', 'Expect', 'Trailer', 'TE', 'Upgrade'],
		...[
			'Keep-Alive',
			'Proxy-Authorization',
			'Content-Type',
			'Accept',
			'Accept-Encoding',
			'Range',
			'If-None-Match',
		],
		...['Authorization', 'SYSTEM', 'Date', 'Digest', 'Location', 'common', 'get', 'query', '__proto__'],
		...['constructor', 'prototype'],
	])('a header %s is refused', (name) => {
		expect(() => read({ extraHeaders: row(name, '1') })).toThrow(`'Extra Headers 1' is '${name}', which`);
	});
});

it.each(['constructor', 'prototype', '__proto__'])(
	'a query parameter %s, which would not arrive, is refused',
	(name) => {
		expect(() => read({ extraQueryParameters: row(name, '1') })).toThrow(
			`'Extra Query Parameters 1' is '${name}', which n8n does not send`,
		);
	},
);

describe('a proxy', () => {
	it.each([
		['proxy.example.com', { host: 'proxy.example.com', port: 80, protocol: 'http' }],
		['proxy.example.com:', { host: 'proxy.example.com', port: 80, protocol: 'http' }],
		[
			'http://:s3cret@proxy.example.com',
			{
				...{ host: 'proxy.example.com', port: 80, protocol: 'http' },
				auth: { username: '', password: 's3cret' },
			},
		],
		[
			'https://me:p%40ss@10.0.0.1',
			{ host: '10.0.0.1', port: 443, protocol: 'https', auth: { username: 'me', password: 'p%40ss' } },
		],
		[
			'http://me:100%@[::1]:8080/',
			{ host: '[::1]', port: 8080, protocol: 'http', auth: { username: 'me', password: '100%25' } },
		],
	])('%s is read', (text, expected) => {
		expect(readProxy(text)).toEqual(expected);
	});

	it.each([
		['socks5://proxy:1080', "'Proxy' is of the type 'socks5', which is not supported"],
		['ftp://proxy', "'Proxy' is of the type 'ftp', which is not supported"],
		['javascript:alert(1)', "'Proxy' is of the type 'javascript', which is not supported"],
		['http://', "'Proxy' is not an address"],
		['a b', "'Proxy' is not an address"],
		[null, "'Proxy' is empty"],
	])('%s is refused', (text, message) => {
		expect(() => readProxy(text)).toThrow(message);
	});
});

describe('status roles', () => {
	it('are numbers and names in any case, separated by commas', () => {
		expect(
			readStatusRoles({ canceledStatuses: '5, AVBOKAD ,, ', noShowStatuses: 'none', finishedStatuses: 4 }),
		).toEqual({
			canceled: new Set(['5', 'avbokad']),
			noShow: new Set(),
			finished: new Set(['4']),
		});
		expect(
			readStatusRoles({ canceledStatuses: ' ', noShowStatuses: 'none', finishedStatuses: 'None' }),
		).toEqual({ noShow: new Set(), finished: new Set() });
	});

	it('a status in two fields is refused, with both', () => {
		expect(() => readStatusRoles({ canceledStatuses: '5, Canceled', finishedStatuses: 'canceled' })).toThrow(
			"'Finished Statuses' contains 'canceled', and so does 'Canceled Statuses'",
		);
	});
});

it('Advanced fields are behind their switch, and every one is read', () => {
	const fields = [...bookingDeploymentProperties, ...paymentDeploymentProperties];
	for (const { name, displayOptions } of fields) {
		if (name === 'advanced' || name.endsWith('Statuses')) expect(displayOptions).toBeUndefined();
		else expect(displayOptions).toEqual({ show: { advanced: [true] } });
	}
});
