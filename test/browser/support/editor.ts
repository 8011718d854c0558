import { connect, foundStack, type Connection } from '../../e2e/support/stack.ts';
import { chromiumPath, Editor } from './browser';

const hasBrowser = chromiumPath() !== undefined;
if (!hasBrowser)
	process.stdout.write(
		'SKIPPED: test/browser: no Chromium here (apt-get install chromium, or CHROMIUM_PATH).\n',
	);
/** Tests in the editor; skipped, visibly, where there is no browser. */
export const describeInEditor = hasBrowser ? describe : describe.skip;

/** For a test file: the running n8n and its editor, signed in. */
export function useEditor() {
	const here = {} as { readonly connection: Connection; readonly editor: Editor };
	beforeAll(async () => {
		Object.assign(here, { connection: connect(), editor: await Editor.open(foundStack()) });
	});
	afterAll(async () => {
		await here.editor?.close();
	});
	return here;
}
