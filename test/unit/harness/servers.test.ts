import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { node24 } from '../../../dev/node24.ts';
import { root } from '../../support/packageSources';

const NOBODY = 65_534;
/** Below the ports that systems give out, above those that only root may listen on. */
const UNUSED = 1081;
/** Starts the servers as a plain user would, prints what became of it and stops them. */
const PROGRAM = `
const { ensureServers } = await import('./dev/servers.ts');
if (process.getuid() === 0) { process.setgroups([]); process.setgid(${NOBODY}); process.setuid(${NOBODY}); }
try {
	const servers = await ensureServers(JSON.parse(process.argv[1]));
	console.log('started');
	await servers.stop();
} catch (error) {
	console.log(error.name, error.message);
}`;

const SLEEP = 'exec sleep 60';
const POSTGRES = 'echo $$ > "$(dirname "$0")/pid"; echo database system is ready to accept connections;';
let folder: string;

beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), 'hospitality-booking-servers-'));
	chmodSync(folder, 0o777);
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Servers that are installed and stopped, as programs of a shell; without one it is missing. @returns what a plain user is told */
function startAsPlainUser(programs: { initdb?: string; postgres?: string; redis?: string }): string {
	const bin = join(folder, '15', 'bin');
	for (const [name, program] of Object.entries(programs)) {
		mkdirSync(bin, { recursive: true });
		chmodSync(bin, 0o777);
		writeFileSync(join(bin, name), `#!/bin/sh\n${program}\n`, { mode: 0o755 });
	}
	const places = {
		...{ postgresPort: UNUSED, redisPort: UNUSED + 1 },
		postgresPrograms: join(folder, '*', 'bin'),
		redisServer: join(bin, 'redis'),
	};
	const env = { ...process.env, TMPDIR: folder };
	const args = ['--input-type=module', '--eval', PROGRAM, JSON.stringify(places)];
	return execFileSync(node24(), args, { cwd: root, env, encoding: 'utf8' }).trim();
}

/** Neither a process nor a folder of PostgreSQL's. */
function expectNothingLeft(): void {
	const pid = readFileSync(join(folder, '15', 'bin', 'pid'), 'utf8').trim();
	expect(spawnSync('ps', ['-p', pid]).status).toBe(1);
	expect(globSync('hospitality-booking-postgres-*', { cwd: folder })).toEqual([]);
}

// They stand for Debian's packages.
(process.platform === 'win32' ? describe.skip : describe)(
	'a plain user with PostgreSQL and Redis stopped',
	() => {
		const installed = { initdb: 'exit 0', postgres: `${POSTGRES} ${SLEEP}` };

		it('starts both as themselves, and stops them', () => {
			const redis = `echo Ready to accept connections; ${SLEEP}`;

			expect(startAsPlainUser({ ...installed, redis })).toBe('started');
			expectNothingLeft();
		});

		it.each([
			['Redis is missing', installed, 'Redis (127.0.0.1:6379) is missing, and only root can install it'],
			['Redis does not start', { ...installed, redis: 'echo no port; exit 1' }, 'no port'],
		])('leaves nothing behind where %s, and is told so', (_, programs, message) => {
			const told = startAsPlainUser(programs);

			expect(told).toMatch(/^NoServersError/);
			expect(told).toContain(message);
			expectNothingLeft();
		});

		it.each([
			['is missing', {}, 'PostgreSQL (127.0.0.1:5432, user postgres without a password) is missing'],
			['cannot be set up', { initdb: 'echo no permission; exit 1' }, 'no permission'],
		])('is told that the servers are not there where PostgreSQL %s', (_, programs, message) => {
			const told = startAsPlainUser(programs);

			expect(told).toMatch(/^NoServersError/);
			expect(told).toContain(message);
		});
	},
);
