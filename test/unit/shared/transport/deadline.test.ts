import { byDeadline } from '../../../../nodes/shared/transport/deadline';

const tooLate = { fault: { kind: 'connection', code: 'ETIMEDOUT' } };
const never = new Promise<string>(() => undefined);

describe('work with a deadline', () => {
	it('gives its result when it is done in time, and what it throws', async () => {
		const later = Date.now() + 60_000;
		await expect(byDeadline(Promise.resolve('done'), later)).resolves.toBe('done');
		await expect(byDeadline(Promise.reject(new Error('broken')), later)).rejects.toThrow('broken');
	});

	it('is not waited for beyond it', async () => {
		await expect(byDeadline(never, Date.now() + 20)).rejects.toMatchObject(tooLate);
		await expect(byDeadline(never, Date.now() - 1000)).rejects.toMatchObject(tooLate);
	});
});
