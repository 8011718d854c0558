import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { projectRoot } from '../../dev/paths.ts';
import { chosenN8n } from '../e2e/support/stack';

describe('npm run demo', () => {
	it('makes a new booking an email and a row, also in Swedish, the next one within ten seconds, and has buttons for the arrivals and a canceled one', async () => {
		const args = [
			join('dev', 'demo', 'start.ts'),
			'--smoke',
			'--language',
			'sv',
			'--n8n',
			chosenN8n().version,
		];
		const { stdout: printed } = await promisify(execFile)(process.execPath, args, {
			cwd: projectRoot(),
		});
		expect(printed).toMatch(/status: '(Bokad|Bekräftad)'/);
		expect(printed).toMatch(/^Today's arrivals: Ankomster i dag: \d+ bokning/m);
		expect(printed).toMatch(/^Canceled: Ledigt igen: .* kl\. \d\d:\d\d, \d+ gäst/m);
		expect(printed).toContain('The mail and the row are right.');
	}, 300_000);
});
