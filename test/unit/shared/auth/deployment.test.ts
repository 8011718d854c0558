import { KeySet } from '../../../../nodes/shared/values/keys';
import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { readDeployment, readStatusRoles } from '../../../../nodes/shared/auth/deployment';

const row = (name: string, value: string | number) => ({ entry: [{ name, value }] });

describe('the settings of a deployment', () => {
	it('are the defaults of the form where nothing is filled in', () => {
		const standard = {
			unitFilterName: 'unitIds',
			articleCategoryFilterName: 'articleCategoryIds',
			headers: {},
			skipSslCertificateValidation: false,
		};
		expect(readDeployment({})).toEqual(standard);
		expect(readDeployment({ unitFilterName: '\t', extraHeaders: {} })).toEqual(standard);
	});

	it('are read from every field', () => {
		expect(
			readDeployment({
				unitFilterName: ' units ',
				articleCategoryFilterName: 'categories[]',
				extraHeaders: { entry: [...row('X-Source', 'n8n').entry, { name: 'X-Key', value: 5 }] },
				allowUnauthorizedCerts: true,
			}),
		).toEqual({
			unitFilterName: 'units',
			articleCategoryFilterName: 'categories[]',
			headers: { 'X-Source': 'n8n', 'X-Key': '5' },
			skipSslCertificateValidation: true,
		});
	});

	it.each<[ICredentialDataDecryptedObject, string]>([
		[{ extraHeaders: row(' ', 'x') }, "'Extra Headers 1: Name' is empty"],
		[{ extraHeaders: row('X-A', '\u00a0') }, "'Extra Headers 1: Value' is empty"],
		[{ extraHeaders: row('X A', 'x') }, "'Extra Headers 1' is not the name of a header"],
		[{ extraHeaders: row('X-A', 'a\nb') }, "'Extra Headers 1' contains a character"],
		[
			{ headerName: 'X-Token', extraHeaders: row('x-token', 'a') },
			"'Extra Headers 1' is 'x-token'",
		],
		[
			{ extraHeaders: { entry: [...row('X-A', 'a').entry, ...row('x-a', 'b').entry] } },
			"'Extra Headers 2' is 'x-a', which is reserved or entered twice",
		],
	])('%j is refused, with the field', (fields, message) => {
		expect(() => readDeployment(fields)).toThrow(message);
	});

	it.each([
		'Content-Length',
		'transfer-encoding',
		'Host',
		'Connection',
		'Expect',
		'Trailer',
		'TE',
		'Upgrade',
		'Keep-Alive',
		'Proxy-Authorization',
		'Content-Type',
		'Accept',
		'Accept-Encoding',
		'Range',
		'If-None-Match',
		'Authorization',
		'SYSTEM',
		'Date',
		'Digest',
		'Location',
		'common',
		'get',
		'query',
		'__proto__',
		'constructor',
		'prototype',
	])('a header %s is refused', (name) => {
		expect(() => readDeployment({ extraHeaders: row(name, '1') })).toThrow(
			`'Extra Headers 1' is '${name}', which`,
		);
	});
});

describe('status roles', () => {
	it('are numbers and names in any case, separated by commas, semicolons and line breaks', () => {
		expect(
			readStatusRoles({
				canceledStatuses: '5; AVBOKAD ,,\r\nbort\n ',
				noShowStatuses: 'none',
				finishedStatuses: 4,
			}),
		).toEqual({
			canceled: new KeySet(['5', 'avbokad', 'bort']),
			noShow: new KeySet(),
			finished: new KeySet(['4']),
		});
		expect(
			readStatusRoles({ canceledStatuses: ' ', noShowStatuses: 'none', finishedStatuses: 'None' }),
		).toEqual({ noShow: new KeySet(), finished: new KeySet() });
	});

	it('a status in two fields is refused, with both', () => {
		expect(() =>
			readStatusRoles({ canceledStatuses: '5, Canceled', finishedStatuses: 'canceled' }),
		).toThrow("'Finished Statuses' contains 'canceled', and so does 'Canceled Statuses'");
	});
});
