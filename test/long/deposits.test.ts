import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DateTime } from 'luxon';
import { type Inbox, smtpCredential, startInbox } from '../../dev/demo/inbox.ts';
import { exampleWorkflow } from '../../dev/demo/workflows.ts';
import type { StoredWorkflow } from '../../dev/n8nClient.ts';
import { bookingCredential, type Sandbox, startSandbox } from '../../dev/sandbox.ts';
import { runByHand } from '../e2e/workflows/support';
import { OwnN8n } from '../support/ownN8n';

/** The seven cases are in test/e2e/workflows. */
describe('workflows/deposits.json', () => {
	const folder = mkdtempSync(join(tmpdir(), 'hospitality-booking-deposits-'));
	let inbox: Inbox;
	let n8n: OwnN8n;
	let sandbox: Sandbox;
	let workflow: StoredWorkflow;

	beforeAll(async () => {
		[inbox, sandbox, n8n] = await Promise.all([
			startInbox({ folder }),
			startSandbox({ control: true }),
			OwnN8n.start(),
		]);
		const { client } = n8n;
		const credentials = [
			await client.createCredential('Service', 'hospitalityBookingApi', bookingCredential(sandbox.info)),
			await client.createCredential('Inbox', 'smtp', smtpCredential(inbox)),
		];
		const file = exampleWorkflow('deposits', { credentials, filesFolder: folder });
		workflow = await client.createWorkflow(file);
		const inHours = (hours: number) => DateTime.utc().plus({ hours }).toISO();
		await sandbox.control('POST', '/bookings', {
			booking: {
				...{ start: inHours(100), end: inHours(102), chargeShouldPayAmount: 500, chargePayedAmount: 0 },
				chargePaymentLinkExpirationDate: inHours(24),
			},
		});
	});

	afterAll(async () => {
		await Promise.all([n8n?.stop(), sandbox?.stop(), inbox?.stop()]);
		rmSync(folder, { recursive: true, force: true });
	});

	it.each([false, true])('reminds no guest twice after n8n has been restarted (killed: %s)', async (kill) => {
		await runByHand(n8n.client, workflow);
		await n8n.restart({ kill });
		const { status } = await runByHand(n8n.client, workflow);
		const subjects = (await inbox.mails()).map(({ subject }) => subject);

		expect(status).toBe('success');
		expect(subjects.filter((subject) => subject === 'Your deposit')).toHaveLength(1);
		expect(subjects.filter((subject) => subject.startsWith('Deposits open')).length).toBeGreaterThan(1);
	});
});
