import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { bookingCredential, paymentCredential } from '../../../harness/sandbox.ts';
import { chromiumPath, Editor } from '../../support/browser';
import { connect, foundStack, type Connection } from '../../e2e/support/stack.ts';
import { root } from '../../support/packageSources';

/** Tests in the editor; skipped, visibly, where there is no browser. */
export const describeInEditor = chromiumPath() === undefined ? describe.skip : describe;

/** The names of the workflows that people import. */
export const WORKFLOW_NAMES = readdirSync(join(root, 'workflows')).map((file) => file.replace('.json', ''));

/** What the page of a workflow says to choose in the menu with the three dots of n8n's newest version. */
export function importWords(name: string): string[] {
	const page = readFileSync(join(root, 'docs', 'workflows', `${name}.md`), 'utf8');
	const [, words = ''] = /((?:_[^_]+_(?: → )?)+) in the menu with the three dots/.exec(page) ?? [];
	return [...words.matchAll(/_([^_]+)_/g)].map(([, word = '']) => word);
}

/** For a test file: the running n8n and its editor, signed in. */
export function useEditor(): { readonly connection: Connection; readonly editor: Editor } {
	const here = {} as { connection: Connection; editor: Editor };
	beforeAll(async () => {
		here.connection = connect();
		here.editor = await Editor.open(foundStack());
	});
	afterAll(async () => {
		await here.editor?.close();
	});
	return here;
}

/** The credentials of the sandbox, as a person would have entered them. */
export async function storeCredentials({ client, sandbox }: Connection) {
	const booking = bookingCredential(sandbox);
	const payment = paymentCredential(sandbox);
	const stored = {
		hospitalityBookingApi: await client.putCredential('Harbour House', 'hospitalityBookingApi', booking),
		hospitalityPaymentApi: await client.putCredential('Harbour Payments', 'hospitalityPaymentApi', payment),
	};
	return Object.fromEntries(
		Object.entries(stored).map(([type, { id, name }]) => [type, { [type]: { id, name } }]),
	) as Record<keyof typeof stored, Record<string, { id: string; name: string }>>;
}
