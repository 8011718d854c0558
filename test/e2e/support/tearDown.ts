import { rmSync } from 'node:fs';
import { stopAll } from '../../../demo/children.ts';
import { foundStack } from './stack.ts';

module.exports = async (): Promise<void> => {
	await stopAll();
	rmSync(foundStack().folder, { recursive: true, force: true });
};
