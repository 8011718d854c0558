import { STATUS_CODES } from 'node:http';
import { Readable } from 'node:stream';
import type { ICredentialDataDecryptedObject, ICredentialTestFunctions } from 'n8n-workflow';

import {
	testBookingAccess,
	testPaymentAccess,
} from '../../../../nodes/shared/auth/credentialTests';

/** What there is in a node, a workflow or a list, and not in a credential. */
const ELSEWHERE = /this item|\boptions\b|give up after|changed after|'timeout'/i;

const DATA: ICredentialDataDecryptedObject = {
	baseUrl: 'http://service',
	authUrl: 'http://service',
	clientId: 'client',
	clientSecret: 'the-secret',
	system: 'system',
	timeZone: 'UTC',
	payUrl: 'http://service',
	customerId: '4711',
	password: 'the-password',
};

/** A request as n8n's older helper takes it. */
interface Asked {
	uri: string;
	qs?: { changedFrom?: string };
}

type Mishap = (asked: Asked) => unknown;

const responds =
	(statusCode: number, headers = {}, body = '{}'): Mishap =>
	() => ({ statusCode, headers, body: Readable.from([Buffer.from(body)]) });
const breaks =
	(code: string): Mishap =>
	() => {
		throw Object.assign(new Error(code), { code });
	};
const statuses = Object.keys(STATUS_CODES).filter((status) => Number(status) >= 300);
const MISHAPS: Mishap[] = [
	...statuses.map((status) => responds(Number(status))),
	...['ECONNRESET', 'CERT_HAS_EXPIRED', 'HPE_INVALID_CONSTANT', 'Z_DATA_ERROR'].map(breaks),
	responds(503, { 'retry-after': '60' }),
	responds(302, { location: '/elsewhere' }),
	responds(200, { 'content-type': 'text/html' }, '<html>'),
	responds(200, {}, '[{"guid'),
	responds(200, {}, ''),
];

/** Tests a credential where a request to `on` meets the mishap, and all others succeed. */
async function testWith(
	test: typeof testBookingAccess,
	on: RegExp,
	mishap: Mishap,
	changes: ICredentialDataDecryptedObject = {},
) {
	const token = JSON.stringify({ access_token: 'token', AuthenticationToken: 'token' });
	const request = async (asked: Asked) => {
		const other = responds(200, {}, asked.uri.includes('/api/') ? '[]' : token);
		return (on.test(asked.uri) ? mishap : other)(asked);
	};
	const context = { helpers: { request } } as unknown as ICredentialTestFunctions;
	const credential = { id: '1', name: 'Mine', type: 'any', data: { ...DATA, ...changes } };
	return await test.call(context, credential);
}

it.each([
	['a booking credential', 'the request for a token', testBookingAccess, /token/],
	['a booking credential', 'the call that proves access', testBookingAccess, /\/api\//],
	['a payment credential', 'the request for a session', testPaymentAccess, /authentication/],
])(
	'the test of %s names nothing that is not in its form, whatever %s meets',
	async (_, _what, test, on) => {
		expect(await testWith(test, /never/, () => undefined)).toMatchObject({ status: 'OK' });
		for (const mishap of MISHAPS) {
			expect(await testWith(test, on, mishap)).toEqual({
				status: 'Error',
				message: expect.not.stringMatching(ELSEWHERE),
			});
		}
	},
);

it.each([
	'X Session',
	'X:Session',
	'Sitzungsschlüssel',
	' ',
	'Digest',
	'date',
	'Location',
	'Content-Type',
	'Host',
	'get',
])("the test of a payment credential refuses the Header Name '%s'", async (headerName) => {
	const changes = { carriedAs: 'header', headerName };
	expect(await testWith(testPaymentAccess, /never/, () => undefined, changes)).toEqual({
		status: 'Error',
		message: expect.stringContaining("'Header Name'"),
	});
});

it.each([
	['booking', testBookingAccess],
	['payment', testPaymentAccess],
])('says which header cannot be sent, and shows no value of one: %s', async (_, test) => {
	const pasted = { name: 'k3y-of-house', value: 'k3y-of-house' };
	const changes = { extraHeaders: { entry: [pasted, pasted] } };

	const { message } = await testWith(test, /never/, () => undefined, changes);

	expect(message).toBe(
		"'Extra Headers 2' is '***', which is reserved or entered twice. Fill in the row in the credential, or remove it",
	);
});

const FIREWALL = responds(
	403,
	{ 'content-type': 'text/html' },
	'<html><title>invalid_request</title>',
);

it.each([
	['booking', testBookingAccess, /^No access token came from 'Token URL Base' \(403\)/],
	['payment', testPaymentAccess, /^No session came from 'Payment URL' \(403\)/],
])(
	"a firewall's page in place of a token is no refusal of the account, nor of its System: %s",
	async (_, test, what) => {
		const { message } = await testWith(test, /token|authentication/, FIREWALL);
		expect(message).toMatch(what);
		expect(message).toContain('invalid_request');
		expect(message).not.toMatch(/rejected|'System'/);
	},
);

it.each([
	['booking', testBookingAccess, /^No access token came/],
	['payment', testPaymentAccess, /^No session came/],
])('a token that a header cannot carry is none, and too long a one: %s', async (_, test, what) => {
	const issuing = async (token: string) => {
		const issued = responds(
			200,
			{},
			JSON.stringify({ access_token: token, AuthenticationToken: token }),
		);
		return await testWith(test, /token|authentication/, issued);
	};
	const controls = [' ', '\n', 'tok\r\nsystem: another', 'tok\0en', 'tök\u0001en'];
	expect(await issuing('x'.repeat(8_192))).toMatchObject({ status: 'OK' });
	for (const token of ['x'.repeat(8_193), 'tok\u20acen', 'tok\ud800en', ...controls]) {
		expect((await issuing(token)).message).toMatch(what);
	}
});

describe('the statuses of a credential, compared with those of recent bookings', () => {
	const history = [
		{ status: 5, statusName: 'Avbokad' },
		{ status: 8, statusName: 'Utebliven' },
		{ status: 1, statusName: null },
	];
	const bookings = responds(200, {}, JSON.stringify([{ guid: '1', history }, { guid: '2' }, null]));
	const entering = (
		canceledStatuses: string,
		noShowStatuses = 'none',
		finishedStatuses = 'none',
	) => {
		return { canceledStatuses, noShowStatuses, finishedStatuses };
	};

	it.each([
		[entering('Avbokat'), "'Canceled Statuses' contains 'avbokat'", "Did you mean 'Avbokad'?"],
		[
			entering('Avbokad; 7', 'utebliven, Uteblivan'),
			"'No-Show Statuses' contains 'uteblivan'",
			'Utebliven',
		],
	])('a near miss is refused, with the close one: %j', async (entered, said, close) => {
		const { status, message } = await testWith(testBookingAccess, /WebBookings/, bookings, entered);
		expect(status).toBe('Error');
		expect(message).toContain(said);
		expect(message).toContain(close);
	});

	it('looks at the bookings of 30 days', async () => {
		let changedFrom = '';
		const noting: Mishap = (asked) => {
			changedFrom = asked.qs?.changedFrom ?? '';
			return bookings(asked);
		};
		await testWith(testBookingAccess, /WebBookings/, noting, entering('Avbokad'));
		const days = (Date.now() - Date.parse(changedFrom)) / 86_400_000;

		expect(days).toBeCloseTo(30, 2);
	});

	it.each([
		['a name that a booking has had, in any case', entering('AVBOKAD', 'utebliven'), bookings],
		['a name that is close to none', entering('Borttagen'), bookings],
		['a number, about which nothing is asked', entering('6'), breaks('ECONNREFUSED')],
		['no bookings at all', entering('Avbokat'), responds(200, {}, '[]')],
		['a service that does not list them', entering('Avbokat'), responds(403)],
		['a list that is none', entering('Avbokat'), responds(200, {}, '{}')],
	])('%s is accepted', async (_, entered, mishap) => {
		expect(await testWith(testBookingAccess, /WebBookings/, mishap, entered)).toMatchObject({
			status: 'OK',
		});
	});
});

it.each([
	['nothing', responds(204, {}, '')],
	['an empty body', responds(200, {}, '')],
	['a list', responds(200, {}, '[]')],
	['a page', responds(200, { 'content-type': 'text/html' }, '<html><title>Sign in</title>')],
	['a record without one', responds(200, {}, '{"error":"maintenance"}')],
])('a success that holds no token is told as such: %s', async (_, response) => {
	const { message } = await testWith(testBookingAccess, /token/, response);
	expect(message).toMatch(/^No access token came from 'Token URL Base'/);
	expect(message).toContain("Check 'Token URL Base' in the credential");
});

describe('statuses of which recent bookings have none', () => {
	const germanNames = ['Gebucht', 'Angekommen', 'Storniert'];
	/** Bookings that have had some statuses each. */
	const bookingsWith = (names: string[], count: number): Mishap => {
		const history = names.map((statusName, status) => ({ statusName, status }));
		return responds(200, {}, JSON.stringify(Array(count).fill({ history })));
	};
	const testStatuses = async (bookings: Mishap, entered: string[]) => {
		const [canceledStatuses = 'none', noShowStatuses = 'none', finishedStatuses = 'none'] = entered;
		const changes = { canceledStatuses, noShowStatuses, finishedStatuses };
		return await testWith(testBookingAccess, /WebBookings/, bookings, changes);
	};

	it('are refused, with those that occur and how often', async () => {
		const entered = ['Canceled', 'No-show', 'Checked out'];
		const { status, message } = await testStatuses(bookingsWith(germanNames, 50), entered);

		expect(status).toBe('Error');
		expect(message).toContain("'canceled', 'no-show', 'checked out'");
		expect(message).toContain('Gebucht (50), Angekommen (50), Storniert (50)');
	});

	it.each<[why: string, names: string[], count: number]>([
		['fewer than 50 were read', germanNames, 49],
		['none has had several', ['Gebucht'], 80],
	])('are accepted where %s, and named', async (_, names, count) => {
		const result = await testStatuses(bookingsWith(names, count), ['Canceled', 'No-show']);

		expect(result.status).toBe('OK');
		expect(result.message).toContain("'canceled', 'no-show' were not seen in the last 30 days");
	});

	it('are a hint in the message of success where others occur', async () => {
		const entered = ['Storniert', 'Nicht erschienen'];
		const { status, message } = await testStatuses(bookingsWith(germanNames, 60), entered);

		expect(status).toBe('OK');
		expect(message).toBe(
			"Connection successful. 'nicht erschienen' was not seen in the last 30 days; seen: Gebucht (60), Angekommen (60), Storniert (60)",
		);
	});

	it.each(['5', 'none', '-', 'None; 7', '-1'])(
		'are not asked for where there is no name: %s',
		async (entered) => {
			const result = await testStatuses(bookingsWith(germanNames, 60), [entered]);

			expect(result).toEqual({ status: 'OK', message: 'Connection successful' });
		},
	);

	it('are listed without the secret and the token', async () => {
		const names = ['x the-secret y', 'Bearer issued-token', 'Gebucht'];
		const issued = responds(200, {}, '{"access_token":"issued-token"}');
		const bookings: Mishap = (asked) =>
			/connect/.test(asked.uri) ? issued(asked) : bookingsWith(names, 60)(asked);
		const changes = { canceledStatuses: 'Canceled', noShowStatuses: 'No-show' };
		const { message } = await testWith(testBookingAccess, /WebBookings|connect/, bookings, changes);

		expect(message).toContain('x *** y (60), Bearer *** (60), Gebucht (60)');
	});
});

it('asks for bookings with a time of the house, with its offset', async () => {
	let changedFrom = '';
	const noting: Mishap = (asked) => {
		changedFrom = asked.qs?.changedFrom ?? '';
		return responds(200, {}, '[]')(asked);
	};
	const changes = { canceledStatuses: 'Storniert', timeZone: 'Asia/Kathmandu' };
	await testWith(testBookingAccess, /WebBookings/, noting, changes);

	expect(changedFrom).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+\+05:45$/);
});

describe('what to correct is named', () => {
	const booking = testBookingAccess;
	const payment = testPaymentAccess;

	it.each<[typeof testBookingAccess, ICredentialDataDecryptedObject, string]>([
		[booking, { system: ' ' }, "'System' is empty"],
		[booking, { timeZone: 'Europe/Atlantis' }, "'Time Zone' is 'Europe/Atlantis'"],
		[booking, { baseUrl: 'my server' }, "'Base URL' is 'my server'"],
		[payment, { customerId: '' }, "'Customer ID' is empty"],
		[payment, { payUrl: 'my server' }, "'Payment URL' is 'my server'"],
	])('before anything is sent: %p of %j', async (test, changes, said) => {
		const asked = jest.fn(responds(500));
		const { status, message } = await testWith(test, /./, asked, changes);
		expect([status, message]).toEqual(['Error', expect.stringContaining(said)]);
		expect(asked).not.toHaveBeenCalled();
	});

	it.each<[typeof testBookingAccess, RegExp, Mishap, string]>([
		[booking, /token/, responds(401), "The service rejected 'Client ID' or 'Client Secret'"],
		[
			booking,
			/token/,
			responds(400, {}, '{"error":"invalid_client"}'),
			"'Client ID' or 'Client Secret'",
		],
		[
			booking,
			/token/,
			responds(400, {}, '{"error":"maintenance"}'),
			"No access token came from 'Token URL",
		],
		[booking, /token/, breaks('ECONNREFUSED'), "Nothing responds at 'Token URL Base'"],
		[
			booking,
			/token/,
			breaks('DEPTH_ZERO_SELF_SIGNED_CERT'),
			"The certificate of 'Token URL Base' is not",
		],
		[booking, /\/api\//, breaks('ECONNREFUSED'), "Nothing responds at 'Base URL'"],
		[
			booking,
			/\/api\//,
			responds(400, {}, '{"errors":{"system":["is unknown"]}}'),
			"'system': is unknown",
		],
		[
			booking,
			/\/api\//,
			responds(404),
			"Something responds at 'Base URL' (404), but not the booking service",
		],
		[booking, /\/api\//, responds(403), "check 'System'"],
		[
			payment,
			/authentication/,
			responds(401),
			"The payment service rejected 'Customer ID' or 'Password'",
		],
		[
			payment,
			/authentication/,
			responds(400),
			"The payment service rejected 'Customer ID' or 'Password'",
		],
		[
			payment,
			/authentication/,
			responds(200, {}, '{"IsAuthenticated":false,"AuthenticationToken":"x"}'),
			"The payment service rejected 'Customer ID'",
		],
		[payment, /authentication/, breaks('ECONNREFUSED'), "Nothing responds at 'Payment URL'"],
	])('after a response: %p, %s', async (test, on, mishap, said) => {
		const { status, message } = await testWith(test, on, mishap);
		expect([status, message]).toEqual(['Error', expect.stringContaining(said)]);
	});
});

it.each([
	['invalid_scope', testBookingAccess, responds(400, {}, '{"error":"invalid_scope"}')],
	['invalid_scope by a 401', testBookingAccess, responds(401, {}, '{"error":"invalid_scope"}')],
	['a 403', testBookingAccess, responds(403)],
	['a 403 of the payment service', testPaymentAccess, responds(403)],
])(
	'an account that may not use the API asks for access, and copies nothing again: %s',
	async (_, test, refusal) => {
		const { message } = await testWith(test, /token|authentication/, refusal);

		expect(message).toMatch(/does not allow '(Client|Customer) ID' to/);
		expect(message).toMatch(/Ask whoever runs the (payment )?service for access/);
		expect(message).not.toMatch(/copy|check both|Secret|Password/i);
	},
);

it.each([
	['Token URL Base', testBookingAccess],
	['Payment URL', testPaymentAccess],
])('names the proxy that wants a user and a password, in front of %s', async (field, test) => {
	const { message } = await testWith(test, /token|authentication/, responds(407));

	expect(message).toContain(`The proxy in front of '${field}' requires a user name and password`);
	expect(message).toContain("n8n's proxy settings");
});

it('takes a Base URL with the path of the API on it, and blanks around it', async () => {
	const asked: string[] = [];
	const noting: Mishap = ({ uri }) => {
		asked.push(uri);
		return responds(200, {}, '[]')({ uri });
	};
	const changes = { baseUrl: ' http://service/api/booking/ ' };

	expect(await testWith(testBookingAccess, /\/api\//, noting, changes)).toMatchObject({
		status: 'OK',
	});
	expect(asked).toEqual(['http://service/api/booking/v1/booking/customers']);
});
