import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { projectRoot } from '../../dev/paths.ts';
import { chosenN8n } from '../e2e/support/stack';

describe('npm run demo', () => {
	it('makes a new booking an email, a row and a line of a file, and a new customer a row, and shows them', async () => {
		const args = [join('demo', 'start.ts'), '--smoke', '--n8n', chosenN8n().version];
		const { stdout: printed } = await promisify(execFile)(process.execPath, args, { cwd: projectRoot() });
		expect(printed).toMatch(/Mail to kitchen@example\.com: New booking for \d+ on /);
		expect(printed).toMatch(
			/Row in the table Hospitality New Bookings\s[\s\S]*?bookingNumber: \S+\s[\s\S]*?bookingId: [0-9a-f-]{36}/,
		);
		expect(printed).toMatch(/Row in the table Hospitality Contact List\s[\s\S]*?customerId: \d+/);
		expect(printed).toContain('The mails and the rows are right.');
	}, 300_000);
});
