import type { ContractDocument, Operation } from '../contract/contract.ts';

export function writePreviews(_contract: ContractDocument, _operations: Operation[]): void {}
