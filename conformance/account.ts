import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';

/** What is needed to reach the service. Nothing of it is printed or kept. */
export interface Account {
	baseUrl: string;
	authUrl: string;
	clientId: string;
	clientSecret: string;
	system: string;
	/** The payment service; without it its calls are left out. */
	payment?: { payUrl: string; customerId: string; password: string; planId?: string };
}

interface Question {
	variable: string;
	label: string;
	isSecret?: boolean;
}

const BOOKING = {
	baseUrl: { variable: 'HOSPITALITY_BASE_URL', label: 'Base URL' },
	authUrl: { variable: 'HOSPITALITY_AUTH_URL', label: 'Token URL Base' },
	clientId: { variable: 'HOSPITALITY_CLIENT_ID', label: 'Client ID' },
	clientSecret: { variable: 'HOSPITALITY_CLIENT_SECRET', label: 'Client Secret', isSecret: true },
	system: { variable: 'HOSPITALITY_SYSTEM', label: 'System' },
} satisfies Record<string, Question>;

/** Where each value can be given, for `--help`. */
export const VARIABLES = `${Object.values(BOOKING)
	.map(({ variable, label }) => `  ${variable.padEnd(30)} ${label}`)
	.join('\n')}
  HOSPITALITY_PAY_URL            Payment URL (optional, with the two below)
  HOSPITALITY_CUSTOMER_ID        Customer ID of the payment service
  HOSPITALITY_PASSWORD           its Password
  HOSPITALITY_PLAN_ID            a subscription plan to read (optional)`;

/**
 * Reads the account from the environment, and asks for what is missing where there is a terminal.
 *
 * @throws Error that names the variables that are missing
 */
export async function readAccount(environment: NodeJS.ProcessEnv): Promise<Account> {
	const missing = Object.values(BOOKING).filter(({ variable }) => !environment[variable]);
	if (missing.length > 0 && !process.stdin.isTTY) {
		throw new Error(
			`Set ${missing.map(({ variable }) => variable).join(', ')}, or run this in a terminal to be asked.`,
		);
	}
	const read = async (question: Question) => environment[question.variable] ?? (await ask(question));
	const account = {
		baseUrl: await read(BOOKING.baseUrl),
		authUrl: await read(BOOKING.authUrl),
		clientId: await read(BOOKING.clientId),
		clientSecret: await read(BOOKING.clientSecret),
		system: await read(BOOKING.system),
	};
	checkAddress(account.baseUrl, 'Base URL');
	checkAddress(account.authUrl, 'Token URL Base');
	const {
		HOSPITALITY_PAY_URL: payUrl,
		HOSPITALITY_CUSTOMER_ID: customerId,
		HOSPITALITY_PASSWORD: password,
		HOSPITALITY_PLAN_ID: planId,
	} = environment;
	if (!payUrl || !customerId || !password) return account;
	checkAddress(payUrl, 'Payment URL');
	return { ...account, payment: { payUrl, customerId, password, planId } };
}

function checkAddress(text: string, label: string): void {
	if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol)) {
		throw new Error(`'${label}' must be an address such as https://api.example.com`);
	}
}

/** Asks on the terminal; a secret is not echoed. */
async function ask({ label, isSecret = false }: Question): Promise<string> {
	const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
	const terminal = createInterface({
		input: process.stdin,
		output: isSecret ? silent : process.stderr,
		terminal: true,
	});
	try {
		if (isSecret) process.stderr.write(`${label}: `);
		const text = await terminal.question(isSecret ? '' : `${label}: `);
		if (isSecret) process.stderr.write('\n');
		return text.trim();
	} finally {
		terminal.close();
	}
}
