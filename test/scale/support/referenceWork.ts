import { createHash } from 'node:crypto';

const ROUNDS = 60;
const RECORDS = Array.from({ length: 100 }, (_, index) => ({
	guid: `booking-${index}`,
	status: index % 5,
	note: 'A table at the window, please. '.repeat(10),
	history: [{ status: 1, at: index }],
}));

/**
 * Work of the kind that a poll is: text to records and back, and a hash of each.
 *
 * @returns the milliseconds of CPU time that it took here and now
 */
export function referenceWork(): number {
	const before = process.cpuUsage();
	let length = 0;
	for (let round = 0; round < ROUNDS; round++) {
		const records = JSON.parse(JSON.stringify(RECORDS)) as typeof RECORDS;
		for (const record of records) {
			length += createHash('sha256').update(JSON.stringify(record)).digest('hex').length;
		}
	}
	if (length !== ROUNDS * RECORDS.length * 64) throw new Error('The work was not done.');
	const { user, system } = process.cpuUsage(before);
	return (user + system) / 1000;
}
