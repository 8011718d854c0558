import { mkdirSync } from 'node:fs';
import { Child } from '../children.ts';
import { eventually } from '../eventually.ts';
import { moduleCommand } from '../n8n.ts';
import { freePort } from '../ports.ts';

const READY_MS = 60_000;

export interface Mail {
	id: string;
	subject: string;
	/** When it came. */
	time: string;
	/** Empty where the mail is HTML alone. */
	text: string;
	html?: string;
	attachments?: Array<{ generatedFileName: string }>;
	from: Array<{ address: string }>;
	to: Array<{ address: string }>;
}

export interface InboxOptions {
	webPort?: number;
	smtpPort?: number;
	/** Folder that keeps the mails between runs. */
	folder: string;
	logFile?: string;
}

export interface Inbox {
	/** The web page that shows the mails. */
	url: string;
	smtpPort: number;
	child: Child;
	/** All mails received, oldest first. */
	mails(): Promise<Mail[]>;
	stop(): Promise<void>;
}

/** The data of an n8n `smtp` credential for an inbox. */
export function smtpCredential(inbox: Pick<Inbox, 'smtpPort'>): Record<string, unknown> {
	return {
		user: '',
		password: '',
		host: '127.0.0.1',
		port: inbox.smtpPort,
		secure: false,
		disableStartTls: true,
	};
}

/** Starts a mail server that keeps every mail and shows them on a web page, both on 127.0.0.1 only. */
export async function startInbox(options: InboxOptions): Promise<Inbox> {
	const webPort = options.webPort ?? (await freePort());
	const smtpPort = options.smtpPort ?? (await freePort());
	mkdirSync(options.folder, { recursive: true });
	const ports = ['--ip', '127.0.0.1', '--web', String(webPort), '--smtp', String(smtpPort)];
	const child = new Child({
		name: 'The mail inbox',
		...moduleCommand('maildev/bin/maildev', [...ports, '--mail-directory', options.folder]),
		cwd: options.folder,
		env: process.env,
		logFile: options.logFile,
	});
	const url = `http://127.0.0.1:${webPort}`;
	const responds = () =>
		fetch(url)
			.then(({ ok }) => ok)
			.catch(() => false);
	await child.waitForLine(/SMTP Server running/, READY_MS);
	await eventually('its web page responds', responds, READY_MS, 50);
	return {
		url,
		smtpPort,
		child,
		mails: async () => {
			const list = (await (await fetch(`${url}/email`)).json()) as Array<Mail | Omit<Mail, 'text'>>;
			// A mail that was cut as an inbox stopped has no addresses.
			return list.filter(({ to }) => Array.isArray(to)).map((mail) => ({ text: '', ...mail }));
		},
		stop: () => child.stop(),
	};
}
