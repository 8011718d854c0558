import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from '../../harness/children.ts';
import { type N8n, startN8n } from '../../harness/n8n.ts';
import { npmCommand } from '../../harness/npm.ts';
import { buildPackage } from '../../harness/package.ts';
import { projectRoot } from '../../harness/paths.ts';
import { outputOf, packageNode, publishRunner } from '../../harness/runner.ts';
import { paymentCredential } from '../../harness/sandbox.ts';
import { OWNER, chosenN8n, connect } from './support/stack';

const NAME = 'n8n-nodes-hospitality-payment';

describe('the payment node as a package of its own', () => {
	let folder: string;
	let n8n: N8n;

	beforeAll(async () => {
		folder = mkdtempSync(join(tmpdir(), 'hospitality-payment-'));
		await buildPackage();
		const root = projectRoot();
		const script = join(root, 'scripts', 'paymentPackage.ts');
		await run({ name: 'paymentPackage.ts', command: process.execPath, args: [script], cwd: root });
		const printed = await run({
			name: 'npm pack',
			...npmCommand(['pack', '--silent', '--pack-destination', folder]),
			cwd: join(root, '.cache', 'payment-package'),
			env: process.env,
		});
		const tarball = join(folder, printed.split('\n').findLast((line) => line.endsWith('.tgz')) ?? '');
		n8n = await startN8n({ n8n: chosenN8n(), home: join(folder, 'home'), tarball });
		await n8n.client.signIn(OWNER);
	});

	afterAll(async () => {
		await n8n?.stop();
		rmSync(folder, { recursive: true, force: true });
	});

	it('brings the payment node and nothing else of this package to n8n', async () => {
		const types = (await n8n.client.request('GET', '/types/nodes.json')) as Array<{ name: string }>;
		const own = types.map(({ name }) => name).filter((name) => name.includes('hospitality'));

		expect(own.sort()).toEqual([`${NAME}.hospitalityPayment`, `${NAME}.hospitalityPaymentTool`]);
	});

	it('gets a subscription', async () => {
		const data = paymentCredential(connect().sandbox as Parameters<typeof paymentCredential>[0]);
		const credential = await n8n.client.createCredential('Payment', 'hospitalityPaymentApi', data);
		const parameters = { resource: 'subscription', operation: 'get', id: 'plan-basic' };
		const node = packageNode('hospitalityPayment', parameters, credential);
		const runner = await publishRunner(n8n.client, { ...node, type: `${NAME}.hospitalityPayment` });
		const execution = await runner.run([{}]);
		await runner.end();

		expect(outputOf(execution)[0]?.json).toHaveProperty('SubscriptionId');
	});
});
