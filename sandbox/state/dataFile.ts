import { existsSync, readFileSync } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import type { Sandbox } from '../sandbox.ts';

const EVERY_MS = 2000;

/** Records by system and kind. */
type Saved = Record<string, Record<string, unknown[]>>;

function snapshot({ service }: Sandbox): Saved {
	return Object.fromEntries(
		[...service.systems].map(([system, { records }]) => [
			system,
			Object.fromEntries(
				Object.entries(records).map(([kind, collection]) => [kind, [...collection.all()]]),
			),
		]),
	);
}

function load({ service, mainState, faker, options }: Sandbox, file: string): void {
	const saved = JSON.parse(readFileSync(file, 'utf8')) as Saved;
	for (const [system, kinds] of Object.entries(saved)) {
		const state = service.systems.get(system);
		if (!state) continue;
		const highest = state.nextId();
		state.clear();
		state.reserveId(Math.max(highest, highestId(kinds)));
		for (const [kind, records] of Object.entries(kinds)) {
			for (const record of records) state.put(kind, record);
		}
	}
	// Otherwise the GUIDs of the last run would be generated again.
	faker.seed([options.seed, mainState.nextId()]);
}

function highestId(value: unknown): number {
	if (typeof value !== 'object' || value === null) return 0;
	return Object.entries(value).reduce(
		(max, [name, part]) =>
			Math.max(max, typeof part === 'number' && /id$/i.test(name) ? part : highestId(part)),
		0,
	);
}

/**
 * Loads the state from a file if it exists, and saves changes to it every two seconds and on stop. Throws an Error that
 * names a file that cannot be read.
 */
export function keepState(sandbox: Sandbox, file: string): { stop: () => Promise<void> } {
	try {
		if (existsSync(file)) load(sandbox, file);
	} catch (error) {
		throw new Error(`--data ${file} cannot be read: ${(error as Error).message}`);
	}
	let written = '';
	let writing = Promise.resolve();
	const save = async () => {
		const text = JSON.stringify(snapshot(sandbox));
		if (text === written) return;
		await writeFile(`${file}.new`, text);
		await rename(`${file}.new`, file);
		written = text;
	};
	const timer = setInterval(() => {
		writing = writing.then(save).catch((error: unknown) => {
			process.stderr.write(`The state could not be written to ${file}: ${String(error)}\n`);
		});
	}, EVERY_MS);
	return {
		stop: async () => {
			clearInterval(timer);
			await writing;
			await save();
		},
	};
}
