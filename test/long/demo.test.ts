import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { chosenN8n } from '../e2e/support/stack';

const ROOT = join(__dirname, '..', '..');

/** Runs the demo to its end as `npm run demo -- <args>` does once all is installed. */
function demo(args: string[]): Promise<{ code: number | null; printed: string }> {
	return new Promise((resolve, reject) => {
		const child = spawn(process.execPath, [join('demo', 'start.ts'), ...args], { cwd: ROOT });
		let printed = '';
		const take = (chunk: Buffer) => (printed += chunk.toString());
		child.stdout.on('data', take);
		child.stderr.on('data', take);
		child.once('error', reject);
		child.once('close', (code) => resolve({ code, printed }));
	});
}

describe('npm run demo', () => {
	it('makes a new booking an email, a row and a line of a file, and a new customer a row, and shows them', async () => {
		const { code, printed } = await demo(['--smoke', '--n8n', chosenN8n().version]);
		expect(printed).toMatch(/Mail to kitchen@example\.com: New booking for \d+ on /);
		expect(printed).toMatch(
			/Row in the table Hospitality New Bookings\s[\s\S]*?bookingNumber: \S+\s[\s\S]*?bookingId: [0-9a-f-]{36}/,
		);
		expect(printed).toMatch(/Row in the table Hospitality Contact List\s[\s\S]*?customerId: \d+/);
		expect(printed).not.toContain('WRONG');
		expect(code).toBe(0);
	}, 300_000);

	it.each([
		[['--port', 'abc'], '--port takes a port number from 1 to 65535, not "abc"'],
		[['--inbox-port', '70000'], '--inbox-port takes a port number from 1 to 65535, not "70000"'],
		[['--n8n', 'newest'], '--n8n takes a version of n8n such as 2.41.1, not "newest"'],
		[['--frehs'], "Unknown option '--frehs'"],
	])('names the option in %j that it cannot use', async (args, message) => {
		const { code, printed } = await demo(args);
		expect(code).toBe(1);
		expect(printed).toContain(message);
	});
});
