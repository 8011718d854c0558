import { createTokenCache, type IssuedToken } from '../../../../nodes/shared/auth/tokenCache';
import { TokenError } from '../../../../nodes/shared/errors/tokenError';

function service() {
	let time = 0;
	let requests = 0;
	let refusal: Error | undefined;
	const cache = createTokenCache();
	return {
		pass: (ms: number) => (time += ms),
		refuse: (reason?: Error) => (refusal = reason),
		get requests() {
			return requests;
		},
		ask: async (
			rejected = '',
			account = ['url', 'id', 'secret'],
			refusedCallSentAt?: number,
		): Promise<IssuedToken> =>
			await cache({
				account,
				rejected,
				refusedCallSentAt,
				now: () => time,
				issue: async () => {
					const number = ++requests;
					await Promise.resolve();
					if (refusal) throw refusal;
					return { token: `token ${number}`, expiresAt: time + 3_600_000 };
				},
			}),
	};
}

describe('the token of an account', () => {
	it('is requested once for 200 parallel callers, and for those that come just after', async () => {
		const s = service();
		const tokens = await Promise.all(Array.from({ length: 200 }, async () => await s.ask()));
		expect(new Set(tokens.map(({ token }) => token))).toEqual(new Set(['token 1']));
		expect((await s.ask()).token).toBe('token 1');
		expect(s.requests).toBe(1);
	});

	it("is requested anew when another process's token is refused and this one's may have been revoked with it", async () => {
		const s = service();
		const account = ['url', 'id', 'secret'];
		await s.ask();
		s.pass(1000);
		const sentAt = 1000;
		const tokens = await Promise.all(
			Array.from({ length: 60 }, async () => await s.ask('of another process', account, sentAt)),
		);
		expect(new Set(tokens.map(({ token }) => token))).toEqual(new Set(['token 2']));
		s.pass(1000);
		expect((await s.ask('of another process', account, 2000)).token).toBe('token 2');
		expect((await s.ask('token 1', account, 2000)).token).toBe('token 2');
		expect(s.requests).toBe(2);
	});

	it('is requested once more when the tokens of several processes are revoked together and refused one after the other', async () => {
		const s = service();
		const account = ['url', 'id', 'secret'];
		await s.ask();
		s.pass(60_000);
		const refused = ['token 1', 'of a second process', 'of a third process'];
		for (const token of refused) {
			s.pass(1000);
			expect((await s.ask(token, account, 60_500)).token).toBe('token 2');
		}
		s.pass(1000);
		expect((await s.ask('of a fourth process', account, 64_000)).token).toBe('token 2');
		s.pass(60_000);
		expect((await s.ask('of a fifth process', account, 124_000)).token).toBe('token 3');
		expect(s.requests).toBe(3);
	});

	it('is replaced once when 200 callers were refused with it', async () => {
		const s = service();
		const { token: old } = await s.ask();
		const tokens = await Promise.all(Array.from({ length: 200 }, async () => await s.ask(old)));
		expect(new Set(tokens.map(({ token }) => token))).toEqual(new Set(['token 2']));
		expect((await s.ask(old)).token).toBe('token 2');
		expect(s.requests).toBe(2);
	});

	it('is requested anew by a caller that comes without one much later, so that a credential test proves the secret', async () => {
		const s = service();
		await s.ask();
		s.pass(31_000);
		expect((await s.ask()).token).toBe('token 2');
	});

	it('is not handed out after it has expired', async () => {
		const s = service();
		await s.ask();
		s.pass(3_600_001);
		expect((await s.ask('some other token')).token).toBe('token 2');
	});

	it('is asked for once when the service refuses the account, and again after a while', async () => {
		const s = service();
		s.refuse(new TokenError('refused', 'check', true));
		const outcomes = await Promise.allSettled(Array.from({ length: 200 }, async () => await s.ask()));
		expect(outcomes.every(({ status }) => status === 'rejected')).toBe(true);
		await expect(s.ask()).rejects.toThrow('refused');
		expect(s.requests).toBe(1);
		s.refuse(undefined);
		s.pass(5_001);
		expect((await s.ask()).token).toBe('token 2');
	});

	it('is asked for again at once after a broken connection', async () => {
		const s = service();
		s.refuse(new Error('ECONNRESET'));
		await expect(s.ask()).rejects.toThrow('ECONNRESET');
		s.refuse(undefined);
		expect((await s.ask()).token).toBe('token 2');
	});

	it('is never shared between accounts, not even when only the secret differs', async () => {
		const s = service();
		const [one, two] = await Promise.all([s.ask('', ['url', 'id', 'old']), s.ask('', ['url', 'id', 'new'])]);
		expect(one.token).not.toBe(two.token);
	});

	it('keeps no more than 500 accounts', async () => {
		const s = service();
		for (let account = 0; account <= 500; account++) await s.ask('', [String(account)]);
		await s.ask('', ['0']);
		expect(s.requests).toBe(502);
		await s.ask('', ['500']);
		expect(s.requests).toBe(502);
	});
});
