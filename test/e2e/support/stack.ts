import { N8nClient, type Owner } from '../../../dev/n8nClient.ts';
import { type Sandbox, callControl } from '../../../dev/sandbox.ts';
import { defaultN8n, type N8nInstall } from '../../../dev/n8nVersions.ts';
import type { SandboxInfo } from '../../../sandbox/info.ts';

const STACK = 'HOSPITALITY_BOOKING_E2E_STACK';

/** Holds the n8n to test as JSON, where it is another than that of dev/; see `npm test -- --n8n`. */
const N8N_UNDER_TEST = 'HOSPITALITY_BOOKING_N8N';

/** The n8n that these tests run. */
export function chosenN8n(): N8nInstall {
	const chosen = process.env[N8N_UNDER_TEST];
	return chosen === undefined ? defaultN8n() : (JSON.parse(chosen) as N8nInstall);
}

/** Whether the n8n that is tried is the newest, which the project installs. */
export function isNewestN8n(): boolean {
	return chosenN8n().version === defaultN8n().version;
}

export const OWNER: Owner = {
	email: 'owner@example.com',
	firstName: 'Test',
	lastName: 'Owner',
	password: 'Hospitality1',
};

interface Stack {
	url: string;
	/** Of the signed-in owner. */
	session: string;
	folder: string;
	/** Holds the address of a stand-in for Google's Sheets API, while there is one. */
	googleFile: string;
	sandbox: SandboxInfo;
}

/** Tells the test files where the running n8n and sandbox are. */
export function publishStack(stack: Stack): void {
	process.env[STACK] = JSON.stringify(stack);
}

/** @throws outside of `npm test -- e2e`, which starts them */
export function foundStack(): Stack {
	const stack = process.env[STACK];
	if (stack === undefined) {
		throw new Error('n8n is not running: run these tests with npm test -- e2e');
	}
	return JSON.parse(stack) as Stack;
}

/** The running n8n, signed in, and the sandbox. */
export function connect() {
	const { url, session, sandbox } = foundStack();
	const client = new N8nClient(url, session);
	const control: Sandbox['control'] = async (method, path, body) =>
		await callControl(sandbox, method, path, body);
	return { client, sandbox, control };
}

export type Connection = ReturnType<typeof connect>;
