import { rmSync } from 'node:fs';
import { stopAll } from '../../../dev/children.ts';
import { foundStack } from './stack.ts';

module.exports = async () => {
	await stopAll();
	rmSync(foundStack().folder, { recursive: true, force: true });
};
