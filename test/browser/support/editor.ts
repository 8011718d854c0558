import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import mapValues from 'lodash/mapValues';
import type { JsonObject, WorkflowNode } from '../../../harness/n8nClient.ts';
import { compareVersions } from '../../../harness/n8nVersions.ts';
import { packageNode, plainNode } from '../../../harness/runner.ts';
import { bookingCredential, paymentCredential } from '../../../harness/sandbox.ts';
import { chromiumPath, Editor } from '../../support/browser';
import { chosenN8n, connect, foundStack, type Connection } from '../../e2e/support/stack.ts';
import { root } from '../../support/packageSources';

/** Tests in the editor; skipped, visibly, where there is no browser. */
export const describeInEditor = chromiumPath() === undefined ? describe.skip : describe;

/** The names of the workflows that people import. */
export const WORKFLOW_NAMES = readdirSync(join(root, 'workflows')).map((file) => file.replace('.json', ''));

/** What the gallery says to choose in the menu with the three dots; before n8n 2.0 the file has a capital. */
export function importWords(): string[] {
	if (isBefore('2.0.0')) return ['Import from File...'];
	const page = readFileSync(join(root, 'docs', 'workflows', 'README.md'), 'utf8');
	const [, earlier = '', until = ''] = /\(_([^_]+)_ before n8n ([\d.]+)\)/.exec(page) ?? [];
	if (isBefore(until)) return [earlier];
	const [, words = ''] = /((?:_[^_]+_(?: → )?)+) in the menu with the three dots/.exec(page) ?? [];
	return [...words.matchAll(/_([^_]+)_/g)].map(([, word = '']) => word);
}

/** Whether the n8n that is tried is older than a version. */
export function isBefore(version: string): boolean {
	return compareVersions(chosenN8n().version, version) < 0;
}

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
	const workflow = await client.putWorkflow({
		name: title,
		nodes: nodes as WorkflowNode[],
		connections,
		settings: {},
	});
	await editor.openWorkflow(workflow.id);
}

/** Enters an account of the sandbox into the open form of a credential. */
export async function fillAccount({ connection, editor }: InEditor): Promise<void> {
	const values = bookingCredential(connection.sandbox);
	for (const name of ['baseUrl', 'authUrl', 'clientId', 'clientSecret', 'system'])
		await editor.fillCredential(name, values[name] ?? '');
}
