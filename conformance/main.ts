// npm run conformance: compares a real service with the contract, by reading calls only, and writes a report.
import { writeFileSync } from 'node:fs';
import { readContract } from '../contract/contract.ts';
import { readCommandLine } from '../dev/commandLine.ts';
import { VARIABLES, readAccount } from './account.ts';
import { checkConformance } from './conformance.ts';
import { isEmpty } from './report.ts';
import type { WriteTargets } from './write.ts';

const USAGE = `Usage: npm run conformance [-- options]

Makes only calls that read, and writes conformance-report.md: where the service differs from contract/openapi.yaml, and what
of this package each difference concerns. Values of records are left out, so that the report can go into an issue.

  --report FILE     where the report goes (default conformance-report.md)
  --watch MINUTES   also watch how late changes of bookings show (default 0: not)
  --minutes N       longest time for the run (default 10)
  --values          show up to three values for each difference; read the report before you pass it on
  --write           afterwards change the message of one web booking and the name of one department, read them back, and
                    restore them, without confirmation messages; needs the three below
  --booking GUID    the web booking
  --department ID   the department
  --department-name NAME   its name as it is now

It asks for the account, or takes it from the environment; nothing of it is printed or kept:

${VARIABLES}
`;

function minutes(text: string, name: string): number {
	const value = Number(text);
	if (!Number.isFinite(value) || value < 0 || value > 1440)
		throw new Error(`--${name} takes a number of minutes from 0 to 1440, not "${text}"`);
	return value;
}

function writeTargets(values: {
	write: boolean;
	booking?: string;
	department?: string;
	'department-name'?: string;
}): WriteTargets | undefined {
	if (!values.write) return undefined;
	const { booking, department, 'department-name': name } = values;
	const id = Number(department);
	if (!booking || !Number.isSafeInteger(id) || !name)
		throw new Error('--write also needs --booking GUID, --department ID and --department-name NAME');
	return { booking, department: { id, name } };
}

async function main(): Promise<void> {
	const { values } = readCommandLine(USAGE, {
		report: { type: 'string', default: 'conformance-report.md' },
		watch: { type: 'string', default: '0' },
		minutes: { type: 'string', default: '10' },
		values: { type: 'boolean', default: false },
		write: { type: 'boolean', default: false },
		booking: { type: 'string' },
		department: { type: 'string' },
		'department-name': { type: 'string' },
	});
	const watchMinutes = minutes(values.watch, 'watch');
	const write = writeTargets(values);
	const account = await readAccount(process.env);
	const { results, report } = await checkConformance(account, readContract(), {
		minutes: minutes(values.minutes, 'minutes') + watchMinutes,
		watchMinutes,
		withValues: values.values,
		write,
		say: (line) => console.error(`[conformance] ${line} …`),
	});
	writeFileSync(values.report, report);
	for (const what of results.rejected) console.error(`\n${what}`);
	if (results.rejected.length > 0) process.exitCode = 1;
	const { length } = results.findings;
	const count = `${length} ${length === 1 ? 'difference' : 'differences'}`;
	console.log(`\n${isEmpty(results) ? 'Nothing was compared' : count}. The report is in ${values.report}`);
}

try {
	await main();
} catch (error) {
	console.error(error instanceof Error ? error.message : error);
	process.exitCode = 1;
}
