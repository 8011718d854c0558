import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { stopAll } from '../children.ts';
import { eventually } from '../eventually.ts';
import { type N8n, startN8n } from '../n8n.ts';
import type { JsonObject, Owner, StoredWorkflow } from '../n8nClient.ts';
import { installN8n } from '../n8nVersions.ts';
import { buildPackage } from '../package.ts';
import { freePort } from '../ports.ts';
import { bookingCredential, type Sandbox, startSandbox } from '../sandbox.ts';
import type { Language } from '../../sandbox/seed/words.ts';
import { outputOf, runByHand } from '../runner.ts';
import { type Inbox, type Mail, smtpCredential, startInbox } from './inbox.ts';
import { Channel } from './channel.ts';
import {
	CHANNEL_PATH,
	findOutcome,
	linkTo,
	type Outcome,
	type Outcomes,
	serveOutcomes,
} from './outcomes.ts';
import { withTables } from './table.ts';
import { exampleWorkflow } from './workflows.ts';

const ARRIVALS = 'arrivals-every-morning';
const CANCELED = 'canceled-booking-offer-table';
/** The workflows of `workflows/` that the demo publishes. */
const PUBLISHED = [
	'new-booking-to-email-and-row',
	ARRIVALS,
	'reminder-and-review-request',
	'moved-booking-to-staff',
	'bookings-in-a-table',
	'survey-answers-and-alert',
	CANCELED,
];

/** The account that the demo makes in its own n8n, which listens on this machine only. */
export const OWNER: Owner = {
	email: 'demo@example.com',
	firstName: 'Demo',
	lastName: 'Owner',
	password: 'Booking-Demo-1',
};

/** Where a language is spoken; anything else is where this machine is. */
const TIME_ZONES: Partial<Record<Language, string>> = {
	sv: 'Europe/Stockholm',
	de: 'Europe/Berlin',
};

/** From the end of the workflow until its mail is in the inbox. */
const MAIL_WITHIN_MS = 10_000;

/** Where a person finds the demo, unless something else is there already. */
const USUAL_PORTS = { n8n: 5678, sandbox: 4010, outcomes: 4011, inboxWeb: 1080, inboxSmtp: 1025 };

export interface DemoOptions {
	/** Folder that holds all the demo keeps: n8n's data, mails and logs. */
	folder: string;
	/** Version of n8n; without it the one of dev/. */
	n8nVersion?: string;
	/** Of guests, statuses and mails. */
	language?: Language;
	/** Empty the folder first. */
	fresh?: boolean;
	/** Take free ports, and serve the sandbox's control endpoint. */
	forTests?: boolean;
	/** Milliseconds between two things that happen in the sandbox. */
	liveInterval?: number;
	/** More environment variables for n8n. */
	n8nEnv?: Record<string, string>;
	/** Told what is being done, step by step. */
	progress?: (step: string) => void;
	/** Told the address of the first page, which is there before n8n is. */
	opened?: (url: string) => void;
}

/** The whole demo, running. */
export interface Demo {
	sandbox: Sandbox;
	inbox: Inbox;
	n8n: N8n;
	workflows: StoredWorkflow[];
	/** Of all times in it. */
	timeZone: string;
	/** `performance.now()` when n8n was ready. */
	n8nUpAt: number;
}

/** What a person enters in the file that posts in a channel. */
function posted(url: string): Record<string, JsonObject> {
	return { 'Post it in the channel': { url } };
}

/**
 * Runs the workflow of the morning's list, which a clock starts otherwise.
 *
 * @returns its mail
 * @throws when none comes
 */
async function sendArrivals(n8n: N8n, inbox: Inbox, workflow: StoredWorkflow): Promise<Outcome> {
	const before = new Set((await inbox.mails()).map(({ id }) => id));
	const execution = await runByHand(n8n.client, workflow);
	const subject = outputOf(execution, 'Write the list')[0]?.json.title;
	const isIt = (mail: Mail) => mail.subject === subject && !before.has(mail.id);
	const find = async () => (await inbox.mails()).find(isIt);
	const mail = await eventually("the mail of today's arrivals", find, MAIL_WITHIN_MS);
	return { mail: linkTo(inbox, mail) };
}

/**
 * Starts the sandbox with bookings arriving, whose page is up at once. Installs n8n where it is missing, builds and packs the
 * package, then starts the mail inbox and real n8n with the package installed, its owner account and credentials made and
 * the example workflows published. What happened since the beginning becomes mails and rows too.
 *
 * @throws when a part does not start; what was started by then is stopped
 */
export async function startDemo(options: DemoOptions): Promise<Demo> {
	const startedAt = new Date();
	const { folder, forTests, language = 'en', progress: tell = () => undefined } = options;
	const timeZone = TIME_ZONES[language] ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
	if (options.fresh) rmSync(folder, { recursive: true, force: true });
	const logs = join(folder, 'logs');
	mkdirSync(logs, { recursive: true });
	try {
		const portOf = (what: keyof typeof USUAL_PORTS) => freePort(forTests ? 0 : USUAL_PORTS[what]);
		const n8nPort = await portOf('n8n');
		const webPort = await portOf('inboxWeb');
		const outcomesPort = await portOf('outcomes');
		const outcomesUrl = `http://127.0.0.1:${outcomesPort}`;
		const notYet = async () => await Promise.reject(new Error('n8n is not up yet'));
		const channel = new Channel();
		const outcomes: Outcomes = { look: notYet, send: notYet, channel };
		await serveOutcomes(outcomesPort, outcomes);
		const sandbox = await startSandbox({
			port: await portOf('sandbox'),
			live: true,
			liveInterval: options.liveInterval,
			control: forTests,
			language,
			timeZone,
			data: join(folder, `sandbox-${language}.json`),
			links: {
				n8n: `http://127.0.0.1:${n8nPort}`,
				signIn: `${OWNER.email} and ${OWNER.password}`,
				inbox: `http://127.0.0.1:${webPort}`,
				outcomes: outcomesUrl,
			},
			logFile: join(logs, 'sandbox.log'),
		});
		options.opened?.(sandbox.info.url);
		const install = await installN8n(options.n8nVersion, tell);
		tell('Building and packing the package');
		const tarball = await buildPackage();
		const inbox = await startInbox({
			webPort,
			smtpPort: await portOf('inboxSmtp'),
			folder: join(folder, 'mail'),
			logFile: join(logs, 'inbox.log'),
		});
		tell(`Starting n8n ${install.version} with the package installed`);
		const n8n = await startN8n({
			n8n: install,
			home: join(folder, 'home'),
			port: n8nPort,
			tarball,
			env: options.n8nEnv,
			logFile: join(logs, 'n8n.log'),
		});
		const n8nUpAt = performance.now();
		tell('Signing in to n8n, publishing the example workflows');
		const { client } = n8n;
		await client.signIn(OWNER);
		const account = bookingCredential(sandbox.info);
		account.timeZone = timeZone;
		if (language !== 'en') account.language = language;
		const credentials = [
			await client.putCredential('Sandbox', 'hospitalityBookingApi', account),
			await client.putCredential('Demo inbox', 'smtp', smtpCredential(inbox)),
		];
		const existing = await client.workflows();
		const workflows: StoredWorkflow[] = [];
		for (const name of PUBLISHED) {
			const parameters = name === CANCELED ? posted(`${outcomesUrl}${CHANNEL_PATH}`) : {};
			const settings = { credentials, language, startFrom: startedAt, parameters };
			const filled = exampleWorkflow(name, settings);
			const workflow = await withTables(client, install.version, filled);
			// One of an earlier run may have been changed by hand since, or unpublished: it stays as it is.
			workflows.push(
				existing.find((one) => one.name === workflow.name) ??
					(await client.activate(await client.createWorkflow(workflow))),
			);
		}
		const places = { client, inbox, channel, url: outcomesUrl };
		outcomes.look = (question) => findOutcome(places, question);
		const arrivals = workflows[PUBLISHED.indexOf(ARRIVALS)];
		if (arrivals) outcomes.send = () => sendArrivals(n8n, inbox, arrivals);
		return { sandbox, inbox, n8n, workflows, timeZone, n8nUpAt };
	} catch (error) {
		await stopAll();
		throw error;
	}
}
