import { freePortAfter, isTaken } from '../harness/ports.ts';
import { type DemoArguments, PORT_OPTIONS } from './options.ts';

/**
 * Says which ports somebody else has already and how to start on others; empty when all are free.
 *
 * @param command that starts it, e.g. `npm run demo`
 */
export async function portsTaken(ports: DemoArguments['ports'], command: string): Promise<string[]> {
	const messages: string[] = [];
	const others: string[] = [];
	for (const name of Object.keys(PORT_OPTIONS) as Array<keyof typeof ports>) {
		if (!(await isTaken(ports[name]))) continue;
		const { option, what } = PORT_OPTIONS[name];
		messages.push(`Port ${ports[name]}, meant for ${what}, is taken by another program.`);
		others.push(`${option} ${await freePortAfter(ports[name])}`);
	}
	if (messages.length === 0) return [];
	return [
		...messages,
		'Is another demo or n8n running? Stop it, or start this one on other ports:',
		`${command} -- ${others.join(' ')}`,
	];
}
