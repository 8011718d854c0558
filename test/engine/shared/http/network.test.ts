import { X509Certificate, createPrivateKey } from 'node:crypto';
import type { ServerResponse } from 'node:http';

import { type Engine, createEngine } from '../../support/engine';
import {
	type Received,
	credentialsAt,
	sendJson,
	startServer,
	tokenFor,
	useServer,
} from '../../support/server';
import { cancelBooking, getCustomers, getSubscription, shown } from '../../support/standIn';

const der = (base64: string) => Buffer.from(base64, 'base64');
/** For 127.0.0.1, until 2049, signed by itself: nobody trusts it. */
const SELF_SIGNED = {
	key: createPrivateKey({
		key: der(
			'MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgG7FfAbGEOmSe1DN52CM0xx+zuPUoI7LvDZqSV4pBdeehRANC' +
				'AAQUo4btoao7xCChnvmG6xQ1fCqItieszpXomtw2/whwxibTNVer8gxQrAfVY2DxCwI1OcWTidC7jhFRti9OyoBr',
		),
		format: 'der',
		type: 'pkcs8',
	})
		.export({ type: 'pkcs8', format: 'pem' })
		.toString(),
	cert: new X509Certificate(
		der(
			'MIIBIDCBxqADAgECAgEBMAoGCCqGSM49BAMCMA8xDTALBgNVBAMMBHRlc3QwHhcNMjAwMTAxMDAwMDAwWhcNNDkxMjMxMjM1' +
				'OTU5WjAPMQ0wCwYDVQQDDAR0ZXN0MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEFKOG7aGqO8QgoZ75husUNXwqiLYnrM6V' +
				'6JrcNv8IcMYm0zVXq/IMUKwH1WNg8QsCNTnFk4nQu44RUbYvTsqAa6MTMBEwDwYDVR0RBAgwBocEfwAAATAKBggqhkjOPQQD' +
				'AgNJADBGAiEAlecgk4FWJuL51WefBDHy398HBAZSe81fzFhwVfsWc+8CIQD6yxC9g7IAD7e9DzqFbWiIpSqxcUoqx1K1oWVJ' +
				'MQWl+A==',
		),
	).toString(),
};

const here = {} as { engine: Engine };
/** What a service says. */
function respond(request: Received, response: ServerResponse): void {
	const { pathname: url } = new URL(request.url, 'http://localhost');
	sendJson(response, tokenFor({ ...request, url }) ?? (url.includes('customers') ? [] : {}));
}

const secureService = useServer(respond, SELF_SIGNED);

async function callServicesAt(booking: string, payment = booking): Promise<void> {
	const { hospitalityBookingApi } = credentialsAt(booking);
	const { hospitalityPaymentApi } = credentialsAt(payment);
	here.engine = await createEngine({ hospitalityBookingApi, hospitalityPaymentApi });
}

/** What is shown of a call to each service. */
const shownOfBoth = async () => [
	shown(await getCustomers(here)),
	shown(await getSubscription(here)),
];

describe('a certificate that nobody trusts', () => {
	beforeEach(async () => await callServicesAt(secureService.url));

	const ignore = async (allowUnauthorizedCerts: boolean) => {
		for (const type of ['hospitalityBookingApi', 'hospitalityPaymentApi']) {
			await here.engine.credentials.edit(type, { allowUnauthorizedCerts });
		}
	};

	it('is named by the call, with the older helper too, and passes where it is ignored', async () => {
		await ignore(true);
		expect(await shownOfBoth()).toEqual(Array(2).fill('undefined | undefined'));
		await ignore(false);
		expect(await shownOfBoth()).toEqual([
			expect.stringContaining(
				"The certificate of 'Base URL' is not trusted (DEPTH_ZERO_SELF_SIGNED_CERT)",
			),
			expect.stringContaining(
				"The certificate of 'Payment URL' is not trusted (DEPTH_ZERO_SELF_SIGNED_CERT)",
			),
		]);
		expect(secureService.received.filter(({ url }) => url.includes('/api/'))).toHaveLength(1);
	});
});

it('An https service that does not date its responses is understood: its words are told, and a 401 is renewed', async () => {
	let lists = 0;
	let status = 0;
	const undated = await startServer((request, response) => {
		response.sendDate = false;
		const token = tokenFor(request);
		if (token) sendJson(response, token);
		else if (request.url.includes('/customers')) sendJson(response, [], lists++ ? 200 : 401);
		else sendJson(response, { title: 'No such booking' }, status);
	}, SELF_SIGNED);
	await callServicesAt(undated.url);
	await here.engine.credentials.edit('hospitalityBookingApi', { allowUnauthorizedCerts: true });
	for (status of [403, 404, 405, 500, 502, 503, 504]) {
		const text = shown(await cancelBooking(here));
		expect(text).toContain(`(${status})`);
		expect(text).toContain('No such booking');
	}
	expect((await getCustomers(here)).error).toBeUndefined();
	await undated.close();
});
