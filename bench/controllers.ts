import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { run } from '../harness/children.ts';
import { npmCommand } from '../harness/npm.ts';
import { projectRoot } from '../harness/paths.ts';
import type { Limiter } from './limits/simulation/client.ts';
import { Aimd, Gradient2 } from './limits/simulation/published.ts';
import { type Outcome, simulate } from './limits/simulation/run.ts';
import { type Scenario, SCENARIOS } from './limits/simulation/scenarios.ts';
import { median, table, verdict } from './report.ts';

const SEEDS = [1, 2, 3, 4, 5];

/** The published algorithms; each with what it is named after. */
const PUBLISHED: Record<string, () => Limiter> = {
	AIMD: () => new Aimd(),
	Gradient2: () => new Gradient2(),
};

/**
 * This package's controller beside published algorithms on simulated services, in virtual time.
 *
 * @returns a line a target
 */
export async function benchControllers(say: (text: string) => void): Promise<string[]> {
	const built = join(projectRoot(), 'dist', 'nodes', 'shared', 'http', 'concurrency', 'limiter.js');
	if (!existsSync(built)) {
		await run({
			name: 'npm run build',
			...npmCommand(['run', 'build']),
			cwd: projectRoot(),
			env: process.env,
		});
	}
	const { Limiter: Own } = createRequire(import.meta.url)(built) as {
		Limiter: new () => Limiter;
	};
	const others = Object.entries(PUBLISHED);
	const rows = [['seconds × least, 429 in %', 'this package', ...others.map(([name]) => name)]];
	const results: string[] = [];
	for (const scenario of SCENARIOS) {
		const own = outcomes(scenario, () => new Own());
		rows.push([
			scenario.name,
			cell(scenario, own),
			...others.map(([, create]) => cell(scenario, outcomes(scenario, create))),
		]);
		const worst = Math.max(...own.map(({ ratio }) => ratio));
		results.push(
			`${scenario.name}: ${worst.toFixed(2)} of the least at worst, at most ${scenario.most.time}: ${verdict(reaches(scenario, own))}`,
		);
	}
	say(`${table(rows)}\n\n! where a target is missed in one of ${SEEDS.length} runs\n`);
	return results;
}

function outcomes(scenario: Scenario, create: (now: number) => Limiter): Outcome[] {
	return SEEDS.map((seed) => simulate(scenario, create, seed));
}

function cell(scenario: Scenario, all: readonly Outcome[]): string {
	const ratio = median(all.map((outcome) => outcome.ratio));
	const share = 100 * median(all.map((outcome) => outcome.share));
	return `${ratio.toFixed(2)} ${share.toFixed(0)}%${reaches(scenario, all) ? ' ' : '!'}`;
}

function reaches({ most }: Scenario, all: readonly Outcome[]): boolean {
	return all.every(
		({ ratio, failed, mostAtOnce, share }) =>
			ratio <= most.time &&
			failed === 0 &&
			mostAtOnce <= (most.atOnce ?? Infinity) &&
			share <= (most.refused ?? 1),
	);
}
