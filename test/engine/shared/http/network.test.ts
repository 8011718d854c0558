import type { ServerResponse } from 'node:http';

import { makeSelfSignedCertificate } from '../../support/certificate';
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

const here = {} as { engine: Engine };
/** What a service says. */
function respond(request: Received, response: ServerResponse): void {
	const { pathname: url } = new URL(request.url, 'http://localhost');
	sendJson(response, tokenFor({ ...request, url }) ?? (url.includes('customers') ? [] : {}));
}

const secureService = useServer(respond, makeSelfSignedCertificate());

async function callServicesAt(booking: string, payment = booking): Promise<void> {
	const { hospitalityBookingApi } = credentialsAt(booking);
	const { hospitalityPaymentApi } = credentialsAt(payment);
	here.engine = await createEngine({ hospitalityBookingApi, hospitalityPaymentApi });
}

/** What is shown of a call to each service. */
const shownOfBoth = async () => [shown(await getCustomers(here)), shown(await getSubscription(here))];

describe('a certificate that nobody trusts', () => {
	beforeEach(async () => await callServicesAt(secureService.url));

	const ignore = async (allowUnauthorizedCerts: boolean) => {
		for (const type of ['hospitalityBookingApi', 'hospitalityPaymentApi'])
			await here.engine.credentials.edit(type, { allowUnauthorizedCerts });
	};

	it('is named by the request for a token', async () => {
		const [booking, payment] = await shownOfBoth();

		expect(booking).toContain(
			"The certificate of 'Token URL Base' is not trusted (DEPTH_ZERO_SELF_SIGNED_CERT)",
		);
		expect(payment).toContain(
			"The certificate of 'Payment URL' is not trusted (DEPTH_ZERO_SELF_SIGNED_CERT)",
		);
	});

	it('is named by the call, with the older helper too, and passes where it is ignored', async () => {
		await ignore(true);
		expect(await shownOfBoth()).toEqual(Array(2).fill('undefined | undefined'));
		await ignore(false);
		expect(await shownOfBoth()).toEqual([
			expect.stringContaining("The certificate of 'Base URL' is not trusted (DEPTH_ZERO_SELF_SIGNED_CERT)"),
			expect.stringContaining(
				"The certificate of 'Payment URL' is not trusted (DEPTH_ZERO_SELF_SIGNED_CERT)",
			),
		]);
		expect(secureService.received.filter(({ url }) => url.includes('/api/'))).toHaveLength(1);
	});
});

it('An https service that does not date its responses is understood: its words are told, and a 401 is renewed', async () => {
	let [lists, status] = [0, 0];
	const undated = await startServer((request, response) => {
		response.sendDate = false;
		const token = tokenFor(request);
		if (token) sendJson(response, token);
		else if (request.url.includes('/customers')) sendJson(response, [], lists++ ? 200 : 401);
		else sendJson(response, { title: 'No such booking' }, status);
	}, makeSelfSignedCertificate());
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
