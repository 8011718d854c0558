import { bookingCredential, paymentCredential } from '../../../harness/sandbox.ts';
import { chromiumPath, Editor } from '../../support/browser';
import { connect, foundStack, type Connection } from '../../e2e/support/stack.ts';

/** Tests in the editor; skipped, visibly, where there is no browser. */
export const describeInEditor = chromiumPath() === undefined ? describe.skip : describe;

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
