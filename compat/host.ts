import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Something of n8n that the package uses where it is there. */
interface HostFeature {
	id: string;
	/** As the table of results calls it. */
	what: string;
	/** Where n8n's own code has it, below `node_modules`, and a word that is there since. */
	folder: string;
	word: string;
}

/** What the package uses where n8n has it, and does without where not. */
export const HOST_FEATURES: HostFeature[] = [
	{
		id: 'cancelSignal',
		what: 'Stopping a run (`getExecutionCancelSignal`)',
		folder: 'n8n-core/dist',
		word: 'getExecutionCancelSignal',
	},
	{
		id: 'pollBudget',
		what: 'A limit for a poll (`getPollBudgetMs`)',
		folder: 'n8n-core/dist',
		word: 'getPollBudgetMs',
	},
	{
		id: 'failure',
		what: 'The reason on an error (`failure`)',
		folder: 'n8n-workflow/dist',
		word: 'credential-invalid',
	},
	{
		id: 'durableCursors',
		what: 'Durable cursors',
		folder: '@n8n/config/dist',
		word: 'N8N_POLLER_DURABLE_CURSORS_ENABLED',
	},
];

/**
 * Which of them the n8n in a folder has, by its own code.
 *
 * @throws when a folder with n8n's code is not where it was
 */
export function hostFeatures(folder: string): Record<string, boolean> {
	return Object.fromEntries(
		HOST_FEATURES.map(({ id, folder: part, word }) => {
			const cwd = join(folder, 'node_modules', part);
			const files = globSync('**/*.js', { cwd });
			if (files.length === 0) throw new Error(`n8n has no code in ${part}.`);
			return [id, files.some((file) => readFileSync(join(cwd, file), 'utf8').includes(word))];
		}),
	);
}
