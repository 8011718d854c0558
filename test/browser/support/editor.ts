import mapValues from 'lodash/mapValues';
import type { JsonObject, WorkflowNode } from '../../../dev/n8nClient.ts';
import { packageNode, plainNode } from '../../../dev/runner.ts';
import { bookingCredential, paymentCredential } from '../../../dev/sandbox.ts';
import { connect, foundStack, type Connection } from '../../e2e/support/stack.ts';
import { chromiumPath, Editor } from './browser';

const hasBrowser = chromiumPath() !== undefined;
if (!hasBrowser)
	process.stdout.write(
		'SKIPPED: test/browser: no Chromium here (apt-get install chromium, or CHROMIUM_PATH).\n',
	);
/** Tests in the editor; skipped, visibly, where there is no browser. */
export const describeInEditor = hasBrowser ? describe : describe.skip;

/** What the tests of a file look at: the running n8n and its editor. */
export interface InEditor {
	readonly connection: Connection;
	readonly editor: Editor;
}

/** For a test file: the running n8n and its editor, signed in. */
export function useEditor(): InEditor {
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

/** A node on the canvas. */
export interface Placed {
	name: string;
	/** Of this package or of n8n's own; _Hospitality Booking_ unless another is named. */
	type?: string;
	parameters?: JsonObject;
}

/**
 * Opens a workflow of these nodes, with the credentials of the sandbox as a person would have entered them.
 *
 * @param links which nodes follow on a node
 */
export async function openNodes(
	{ connection, editor }: InEditor,
	title: string,
	placed: Placed[],
	links: Record<string, string[]> = {},
): Promise<void> {
	const { client, sandbox } = connection;
	const [bookingData, paymentData] = [bookingCredential(sandbox), paymentCredential(sandbox)];
	const booking = await client.putCredential('Harbour House', 'hospitalityBookingApi', bookingData);
	const payment = await client.putCredential('Harbour Payments', 'hospitalityPaymentApi', paymentData);
	const nodes = placed.map(({ name, type = 'hospitalityBooking', parameters = {} }, index) => {
		const position = [(index % 8) * 240, Math.floor(index / 8) * 200];
		if (!type.startsWith('hospitality')) return { ...plainNode(name, type), position };
		const credential = type === 'hospitalityPayment' ? payment : booking;
		return packageNode(type, parameters, credential, { id: name, name, position });
	});
	const connections = mapValues(links, (names) => ({
		main: [names.map((node) => ({ node, type: 'main', index: 0 }))],
	}));
	const workflow = await client.createWorkflow({
		name: title,
		nodes: nodes as WorkflowNode[],
		connections,
		settings: {},
	});
	await editor.openWorkflow(workflow.id);
}
