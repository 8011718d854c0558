import { readFileSync } from 'node:fs';
import type { ContractDocument } from './model.ts';
import { parseContract } from './model.ts';

export * from './model.ts';

/** Reads `contract/openapi.yaml`. */
export function readContract(): ContractDocument {
	return parseContract(readFileSync(new URL('openapi.yaml', import.meta.url), 'utf8'));
}
