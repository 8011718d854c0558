/** What one or many sites ask of n8n and of the service. A site is one published trigger. */
interface SiteLoad {
	sites: number;
	/** 1 for 'Every Minute'. */
	pollsPerMinute: number;
	/** Bookings of a site that are made or changed in an hour. */
	changesPerHour: number;
	/** Option 'Overlap (Minutes)'. */
	overlapMinutes: number;
	/** Processes that send calls: the main polls, workers run the operations. */
	processes: number;
	/** CPU time that the reference work (test/scale/support/referenceWork.ts) takes on the machine, in milliseconds. */
	referenceMs: number;
}

/** What that comes to. */
export interface Demand {
	callsPerMinute: number;
	/** n8n draws the second of the minute at random for each trigger: so many in one second happen once in 100 seconds. */
	callsInABusySecond: number;
	/** MiB that the service sends in a day. */
	mebibytesPerDay: number;
	/** Bytes of state that n8n stores for a site. */
	stateBytesPerSite: number;
	/** Share of one core that polling takes on the main. */
	coreShare: number;
	/** MiB of the main's heap that the published workflows take, at most. */
	heapMebibytes: number;
	/** MiB of memory that the main takes for polling, besides n8n itself. */
	memoryMebibytes: number;
	/** Token requests in an hour for one account, at most. */
	tokenRequestsPerHour: number;
}

/** What was measured with `npm run test:scale`; the test compares its own run with these. */
const MEASURED = {
	/** Bytes of an answer without records, and of each web booking with its guest. */
	emptyAnswerBytes: 165,
	bookingBytes: 1_420,
	/** CPU time of a poll on the main, n8n's own part included, as a multiple of that of the reference work. */
	pollByReferenceWork: 5.5,
	/** CPU time of the reference work on the machine of that run, in milliseconds. */
	referenceMs: 16.5,
	/** By how much the process grows once triggers poll, however many: between two collections of garbage, in MiB. */
	pollingMebibytes: 280,
	/** By how much the heap grows with each published workflow, at most: 200 of them took less than it varies by. */
	bytesPerWorkflow: 25_000,
	/** Bytes of state without changes, and for each change within the overlap. */
	stateBytes: 543,
	stateBytesPerChange: 16,
	tokenLifetimeSeconds: 3_600,
} as const;

/** @returns the demand of sites that are polled, by what was measured for one */
export function demandOf(load: SiteLoad): Demand {
	const { sites, pollsPerMinute, changesPerHour, overlapMinutes, processes, referenceMs } = load;
	const callsPerMinute = sites * pollsPerMinute;
	const heapMebibytes = (sites * MEASURED.bytesPerWorkflow) / 2 ** 20;
	// The newest change is always within the overlap, so every poll gets at least that one again.
	const changesWithinOverlap = Math.max(changesPerHour > 0 ? 1 : 0, (changesPerHour * overlapMinutes) / 60);
	const bytesPerPoll = MEASURED.emptyAnswerBytes + changesWithinOverlap * MEASURED.bookingBytes;
	return {
		callsPerMinute,
		callsInABusySecond: poissonQuantile(callsPerMinute / 60, 0.99),
		mebibytesPerDay: (callsPerMinute * 60 * 24 * bytesPerPoll) / 2 ** 20,
		stateBytesPerSite: MEASURED.stateBytes + changesWithinOverlap * MEASURED.stateBytesPerChange,
		coreShare: (callsPerMinute * MEASURED.pollByReferenceWork * referenceMs) / 60_000,
		heapMebibytes,
		memoryMebibytes: MEASURED.pollingMebibytes + heapMebibytes,
		tokenRequestsPerHour: processes * (3_600 / MEASURED.tokenLifetimeSeconds),
	};
}

/** @returns the smallest count that a Poisson distribution of this mean does not exceed with the given probability */
function poissonQuantile(mean: number, probability: number): number {
	let term = Math.exp(-mean);
	let sum = term;
	let count = 0;
	while (sum < probability) {
		count++;
		term *= mean / count;
		sum += term;
	}
	return count;
}
