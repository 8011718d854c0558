import { useOperation } from '../support/operation';

const here = useOperation('webBooking.getAll');
const WEEK_MS = 7 * 24 * 3_600_000;

/** The times of the one request, in milliseconds since 1970. */
async function timesAsked() {
	const [request] = await here.service.requests();
	const { startTime, endTime } = Object(request?.query) as Record<string, string>;
	return { from: Date.parse(String(startTime)), to: Date.parse(String(endTime)) };
}

test('a period between two times that nobody has filled in is the week from now', async () => {
	const begun = Date.now();
	await here.run({ getBy: 'period' });
	const { from, to } = await timesAsked();

	expect(from).toBeGreaterThanOrEqual(begun - 1_000);
	expect(from).toBeLessThanOrEqual(Date.now());
	expect(Math.abs(to - from - WEEK_MS)).toBeLessThanOrEqual(3_600_000);
});

test('a period of days asks for whole days, and for no time that stands on the form', async () => {
	await here.run({ getBy: 'period', period: 'next7Days', startTime: '2020-01-01' });
	const { from, to } = await timesAsked();

	expect(from).toBeLessThanOrEqual(Date.now());
	expect(Math.abs(to - from - WEEK_MS)).toBeLessThanOrEqual(3_600_000);
});
