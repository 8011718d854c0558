type Work = () => unknown;

/** Milliseconds of CPU that work takes: the least of some tries, as whatever else runs only adds to it. */
async function cpuOf(work: Work): Promise<number> {
	let least = Infinity;
	for (let tries = 0; tries < 3; tries++) {
		const begun = process.cpuUsage();
		await work();
		const { user, system } = process.cpuUsage(begun);
		least = Math.min(least, (user + system) / 1_000);
	}
	return least;
}

/** So little says nothing of how it grows, as pauses of the machine count, too: what grows with the square takes seconds. */
const TOO_LITTLE_MS = 300;

/** On a busy machine some attempts fail by chance; work that grows too fast fails all of them. */
const ATTEMPTS = 6;

/** @param limit how many times more CPU the second work may take than the first */
export async function expectGrowth(short: Work, long: Work, limit: number): Promise<void> {
	let least = Infinity;
	for (let attempt = 0; attempt < ATTEMPTS && least >= limit; attempt++) {
		const longMs = await cpuOf(long);
		if (longMs < TOO_LITTLE_MS) return;
		least = Math.min(least, longMs / (await cpuOf(short)));
	}
	expect(least).toBeLessThan(limit);
}

/** @param times how many times longer the second work is: quadratic work takes the square of that */
export async function expectLinear(short: Work, long: Work, times: number): Promise<void> {
	await expectGrowth(short, long, times ** 1.6);
}
