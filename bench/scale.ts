import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { run } from '../harness/children.ts';
import { npmCommand } from '../harness/npm.ts';
import { projectRoot } from '../harness/paths.ts';
import { verdict } from './report.ts';
import { measureTriggerScale } from './trigger-scale.ts';

const MOST_FOR_TWICE = 2.3;
const MOST_STATE_BYTES = 256 * 1024;

/**
 * How the time of a poll grows with the changed bookings in the answer, and how much it keeps.
 *
 * @returns a line a target
 */
export async function benchScale(): Promise<string[]> {
	if (!existsSync(join(projectRoot(), 'dist', 'nodes', 'HospitalityBookingTrigger', 'poll.js'))) {
		await run({
			name: 'npm run build',
			...npmCommand(['run', 'build']),
			cwd: projectRoot(),
			env: process.env,
		});
	}
	const { half, whole, ratio, stateBytes } = await measureTriggerScale();
	return [
		`A poll of 50,000 changed bookings takes ${ratio.toFixed(2)} times one of 25,000 (${whole.toFixed(0)} and ${half.toFixed(0)} ms), at most ${MOST_FOR_TWICE}: ${verdict(ratio <= MOST_FOR_TWICE)}`,
		`State with 10,000 changes within the overlap: ${stateBytes} bytes, below ${MOST_STATE_BYTES}: ${verdict(stateBytes < MOST_STATE_BYTES)}`,
	];
}
