import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { demandOf, poissonQuantile, scalingTable } from '../../../bench/scalingModel.ts';

const ROOT = join(__dirname, '..', '..', '..');
const compose = join(ROOT, 'docs', 'scaling', 'compose.yaml');

/** Without the blanks and dashes that the formatter adds. */
const plain = (table: string) => table.replace(/-{3,}/g, '---').replace(/ +/g, ' ');

describe('docs/scaling.md', () => {
	it("shows the model's own table (npm run docs writes it)", () => {
		const page = readFileSync(join(ROOT, 'docs', 'scaling.md'), 'utf8');
		expect(plain(page)).toContain(plain(scalingTable()));
	});

	it('has a compose file that a compose linter accepts without a warning', () => {
		const linter = join(ROOT, 'node_modules', '.bin', 'dclint');
		const { status, stdout } = spawnSync(linter, ['--max-warnings', '0', '--color', 'false', compose], {
			encoding: 'utf8',
		});
		expect({ status, stdout }).toEqual({ status: 0, stdout: expect.not.stringContaining('warning') });
	});

	it('has a compose file with secrets from files and no password in it', () => {
		const text = readFileSync(compose, 'utf8');
		expect(text).not.toMatch(/PASSWORD: |ENCRYPTION_KEY: /);
		expect(text).toMatch(/file: \.\/secrets\/postgres_password/);
	});
});

describe('the model of many sites', () => {
	it('grows with the sites and the polls, not with the processes', () => {
		const load = {
			sites: 10,
			pollsPerMinute: 1,
			changesPerHour: 10,
			overlapMinutes: 2,
			processes: 4,
			referenceMs: 20,
		};
		const one = demandOf(load);
		const ten = demandOf({ ...load, sites: 100 });
		expect(ten.callsPerMinute).toBe(10 * one.callsPerMinute);
		expect(ten.mebibytesPerDay).toBeCloseTo(10 * one.mebibytesPerDay);
		expect(ten.coreShare).toBeCloseTo(10 * one.coreShare);
		expect(demandOf({ ...load, referenceMs: 10 }).coreShare).toBeCloseTo(one.coreShare / 2);
		expect(ten.tokenRequestsPerHour).toBe(one.tokenRequestsPerHour);
		expect(demandOf({ ...load, processes: 8 }).callsPerMinute).toBe(one.callsPerMinute);
	});

	it('counts a busy second by the Poisson distribution', () => {
		expect(poissonQuantile(0, 0.99)).toBe(0);
		expect(poissonQuantile(1, 0.99)).toBe(4);
		expect(poissonQuantile(100 / 60, 0.99)).toBe(5);
	});
});
