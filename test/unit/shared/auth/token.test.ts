import { accountKey, tokenFor } from '../../../../nodes/shared/auth/token';
import type { Sender } from '../../../../nodes/shared/http/helpers';
import type { CallFailure } from '../../../../nodes/shared/errors/failure';
import { forgetAll } from '../../../../nodes/shared/values/recentMap';

const HOUR_MS = 3_600_000;
const words = {
	addressField: 'URL',
	rejected: ['', ''],
	notAllowed: ['', ''],
	none: ['', ''],
} as const;
const REFUSED: CallFailure = {
	kind: 'status',
	status: 400,
	ofToken: { ...words, reason: 'rejected' },
};

beforeEach(() => {
	forgetAll();
	jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick'] });
});

afterEach(() => jest.useRealTimers());

function service(nameToken = (number: number) => `token ${number}`) {
	let refusal: CallFailure | undefined;
	const requests: string[] = [];
	const ask = async (refused?: string, belongsTo = ['url', 'id', 'secret']) => {
		const requestToken = async () => {
			const number = requests.push(belongsTo.join());
			await Promise.resolve();
			if (refusal) return refusal;
			return { token: nameToken(number), endsAt: performance.now() + HOUR_MS };
		};
		const account = {
			key: accountKey(...belongsTo),
			address: 'http://service',
			secrets: [],
			requestToken,
		};
		const result = await tokenFor({} as Sender, account, { refused });
		return 'token' in result ? result.token : result;
	};
	return { ask, requests, refuse: (failure?: CallFailure) => (refusal = failure) };
}

const times = async <T>(count: number, ask: () => Promise<T>) =>
	new Set(await Promise.all(Array.from({ length: count }, ask)));

describe('the token of an account', () => {
	it('is requested once for 200 parallel callers, and for those that come after', async () => {
		const { ask, requests } = service();

		expect(await times(200, async () => await ask())).toEqual(new Set(['token 1']));
		jest.advanceTimersByTime(HOUR_MS - 1);
		expect(await ask()).toBe('token 1');
		expect(requests).toHaveLength(1);
	});

	it('is replaced once when 200 callers were refused with it', async () => {
		const { ask, requests } = service();
		await ask();

		for (let round = 0; round < 2; round++) {
			expect(await times(200, async () => await ask('token 1'))).toEqual(new Set(['token 2']));
		}
		expect(requests).toHaveLength(2);
	});

	it('is not handed out again after it was refused, though no other came', async () => {
		const { ask, refuse } = service();
		await ask();
		const broken: CallFailure = { kind: 'connection', code: 'ECONNRESET' };
		refuse(broken);
		expect(await ask('token 1')).toBe(broken);
		refuse();

		expect(await ask()).toBe('token 3');
	});

	it('is asked for again where the service issued the refused one anew', async () => {
		const { ask, requests } = service((number) => (number < 3 ? 'revoked' : 'good'));
		await ask();

		expect(await times(200, async () => await ask('revoked'))).toEqual(new Set(['revoked']));
		jest.advanceTimersByTime(5_000);
		expect(await times(200, async () => await ask('revoked'))).toEqual(new Set(['good']));
		expect(requests).toHaveLength(3);
	});

	it('is not handed out after it has expired', async () => {
		const { ask } = service();
		await ask();
		jest.advanceTimersByTime(HOUR_MS);

		expect(await times(10, async () => await ask())).toEqual(new Set(['token 2']));
	});

	it('is not replaced again within seconds, whatever is refused with it', async () => {
		const { ask, requests } = service();
		const token = await ask();
		let refused = await ask(String(token));
		for (let call = 0; call < 200; call++) refused = await ask(String(refused));
		expect([refused, requests.length]).toEqual(['token 2', 2]);
		jest.advanceTimersByTime(5_000);
		expect(await ask(String(refused))).toBe('token 3');
	});

	it.each<[what: string, refusal: CallFailure]>([
		['refuses the account', REFUSED],
		[
			'responds with anything but a token',
			{ ...REFUSED, status: 200, ofToken: { ...words, reason: 'none' } },
		],
		['does not speak HTTP', { kind: 'connection', code: 'HPE_INVALID_CONSTANT' }],
	])('is asked for once when the service %s, and again after a while', async (_, refusal) => {
		const { ask, requests, refuse } = service();
		refuse(refusal);

		expect(await times(200, async () => await ask())).toEqual(new Set([refusal]));
		expect(await ask()).toBe(refusal);
		expect(requests).toHaveLength(1);
		refuse();
		jest.advanceTimersByTime(5_000);
		expect(await ask()).toBe('token 2');
	});

	it('is asked for again at once after a broken connection', async () => {
		const { ask, refuse } = service();
		const broken: CallFailure = { kind: 'connection', code: 'ECONNRESET' };
		refuse(broken);
		expect(await ask()).toBe(broken);
		refuse();

		expect(await ask()).toBe('token 2');
	});

	it.each([
		['secret', ['url', 'id', 'other']],
		['ID', ['url', 'other', 'secret']],
		['address', ['other', 'id', 'secret']],
		['place of its parts', ['ur', 'lid', 'secret']],
	])('is never handed out for an account that differs only in the %s', async (_, belongsTo) => {
		const { ask } = service();

		expect(await times(2, async () => await ask())).toEqual(new Set(['token 1']));
		expect(await ask(undefined, belongsTo)).toBe('token 2');
		expect(await ask()).toBe('token 1');
	});
});
