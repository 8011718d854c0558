import type { ContractDocument } from '../contract/model.ts';
import type { Account } from './account.ts';
import { Client } from './client.ts';
import { Probes, type Results } from './probes.ts';
import { renderReport } from './report.ts';
import { type WriteTargets, checkWrites } from './write.ts';

export interface ConformanceOptions {
	/** After which no further call starts. */
	minutes: number;
	/** How long to watch how late changes show; 0 leaves it out. */
	watchMinutes: number;
	/** Whether the report may show values of records. */
	withValues: boolean;
	/** Records that may be changed and are put back; without them only reading calls are made. */
	write?: WriteTargets;
	/** Told what is being looked at. */
	say: (line: string) => void;
}

/** Compares each response of the reading calls with the contract; makes changes only where `write` names the records. */
export async function checkConformance(
	account: Account,
	contract: ContractDocument,
	{ minutes, watchMinutes, withValues, write, say }: ConformanceOptions,
): Promise<{ results: Results; report: string; client: Client }> {
	const at = new Date();
	const client = new Client(account, minutes);
	const results = await new Probes(client, contract, say).run(watchMinutes);
	if (write && results.rejected.length > 0) results.unjudged.push('--write: nothing was tried');
	else if (write) results.findings.push(...(await checkWrites(client, write, say)));
	const seconds = Math.round((Date.now() - at.getTime()) / 1000);
	return { results, client, report: renderReport({ results, calls: client.calls, withValues, at, seconds }) };
}
