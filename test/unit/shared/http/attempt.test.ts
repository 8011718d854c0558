import { Readable } from 'node:stream';
import type { IDataObject, IHttpRequestOptions } from 'n8n-workflow';

import { attemptCall } from '../../../../nodes/shared/http/attempt';
import type { Call } from '../../../../nodes/shared/http/response';

const ADDRESS = 'http://service.example';

/** A service that answers its calls with these, in their order. */
function service(
	...answers: Array<{ statusCode: number; headers?: IDataObject; body?: Readable }>
) {
	const sent: IHttpRequestOptions[] = [];
	const send = async (options: IHttpRequestOptions) => {
		const answer = answers[sent.push(options) - 1];
		if (!answer) throw new Error('One call too many');
		return { headers: {}, body: Readable.from([Buffer.from('[]')]), ...answer };
	};
	const call = async (own: Partial<Call> = {}) =>
		await attemptCall(
			{ send, address: ADDRESS, currentSecrets: () => [] },
			{ method: 'GET', path: '/list', query: { status: [1, 2] }, ...own },
		);
	return { sent, call };
}

const redirect = (location: string) => ({ statusCode: 302, headers: { location } });

describe('a redirect', () => {
	it('within the origin is followed, with the query of its address alone', async () => {
		const { sent, call } = service(redirect('/elsewhere?page=1'), { statusCode: 200 });

		expect(await call()).toMatchObject({ kind: 'response' });
		expect(sent.map(({ url, qs }) => [url, qs])).toEqual([
			[`${ADDRESS}/list`, { status: [1, 2] }],
			[`${ADDRESS}/elsewhere?page=1`, {}],
		]);
		// n8n's helper writes `status=1&status=2`.
		expect(sent[0]?.arrayFormat).toBe('repeat');
	});

	it.each([
		['another host', 'http://other.example/list'],
		['the same host by another scheme', 'https://service.example/list'],
		['another port', 'http://service.example:8080/list'],
		['a user in the address', 'http://someone@service.example/list'],
		['a password in the address', 'http://:word@service.example/list'],
	])('to %s is not followed', async (_, location) => {
		const { sent, call } = service(redirect(location));

		expect(await call()).toMatchObject({ kind: 'redirect', status: 302 });
		expect(sent).toHaveLength(1);
	});

	it('is told without what may be a token', async () => {
		const { call } = service(redirect('https://user:word@other.example/list?token=1#part'));

		expect(await call()).toMatchObject({ address: 'https://other.example/list' });
	});

	it('is not followed where none may be, and a 304 is none', async () => {
		const { sent, call } = service(redirect('/elsewhere'));

		expect(await call({ method: 'PUT' })).toMatchObject({ kind: 'redirect' });
		expect(sent).toHaveLength(1);
		expect(await service({ statusCode: 304 }).call()).toMatchObject({
			kind: 'status',
			status: 304,
		});
	});
});

it.each([404, 503])(
	'a %i counts by its status though its body breaks off or does not end',
	async (statusCode) => {
		const body = new Readable({
			read() {
				this.destroy(Object.assign(new Error('aborted'), { code: 'ECONNRESET' }));
			},
		});
		const endless = new Readable({ read() {} });

		for (const { call } of [
			service({ statusCode, body }),
			service({ statusCode, body: endless }),
		]) {
			expect(await call({ timeout: 20 })).toMatchObject({ kind: 'status', status: statusCode });
		}
	},
);
