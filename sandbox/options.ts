import { parseArgs } from 'node:util';
import { IANAZone } from 'luxon';
import type { Language } from './seed/words.ts';
import { LANGUAGES } from './seed/words.ts';

/** Where the other parts of a demo are, for the start page. */
export interface DemoLinks {
	/** Address of n8n. */
	n8n?: string;
	/** How to sign in there, in words. */
	signIn?: string;
	/** Address of the mail inbox. */
	inbox?: string;
	/** Address that reports the row and email of a record, see `dev/demo/outcomes.ts`. */
	outcomes?: string;
}

/** The command-line options. */
export interface SandboxOptions {
	/** 0 asks the system for a free port. */
	port: number;
	/** Print one line of JSON when ready instead of text for people. */
	json: boolean;
	/** Let bookings arrive, change and be canceled. */
	live: boolean;
	/** Milliseconds between two live events. */
	liveInterval: number;
	/** Open the control interface under `/__control`. */
	control: boolean;
	/** File that keeps the state between runs. */
	data?: string;
	/** How many web bookings to seed. */
	bookings: number;
	/** How many customers to seed. */
	customers: number;
	/** Seed of the random data: the same seed gives the same data. */
	seed: number;
	/** Language of names, statuses, articles and guests' messages. */
	language: Language;
	/** IANA time zone of date-times without an offset. */
	timeZone: string;
	/** What the start page shows beside the sandbox itself. */
	links: DemoLinks;
	/** End when standard input closes. */
	exitWithParent: boolean;
}

export const HELP = `Usage: node sandbox/main.ts [options]

  --port N            port on 127.0.0.1; 0 lets the system choose (default 4010)
  --live              let bookings arrive, change and be canceled
  --live-interval MS  milliseconds between two live events (default 15000)
  --control           open the control interface under /__control
  --data FILE         keep the state in this file between runs
  --bookings N        web bookings to begin with (default 40)
  --customers N       customers to begin with (default 25)
  --seed N            seed of the data: the same seed gives the same data (default 1)
  --language LANGUAGE names, statuses, articles and messages in en or sv (default en)
  --time-zone ZONE    time zone of date-times without an offset (default UTC)
  --n8n URL           n8n to link to from the start page, which then says what to look at
  --sign-in TEXT      how to sign in to that n8n, for the start page
  --inbox URL         mail inbox to link to from the start page
  --outcomes URL      where the start page asks for the row and the email of what has happened
  --json              print one line of JSON when ready
  --exit-with-parent  end when standard input closes
  --help              print this text
`;

function integer(name: string, text: string, min: number, max: number): number {
	const value = Number(text);
	if (!Number.isSafeInteger(value) || value < min || value > max) {
		throw new Error(`--${name} takes a whole number from ${min} to ${max}, not "${text}"`);
	}
	return value;
}

/**
 * Reads the command line. Returns undefined for `--help`. Throws an Error that names the option whose value is not
 * allowed.
 */
export function readOptions(args: string[]): SandboxOptions | undefined {
	const { values } = parseArgs({
		args,
		options: {
			port: { type: 'string', default: '4010' },
			n8n: { type: 'string' },
			'sign-in': { type: 'string' },
			inbox: { type: 'string' },
			outcomes: { type: 'string' },
			json: { type: 'boolean', default: false },
			live: { type: 'boolean', default: false },
			'live-interval': { type: 'string', default: '15000' },
			control: { type: 'boolean', default: false },
			data: { type: 'string' },
			bookings: { type: 'string', default: '40' },
			customers: { type: 'string', default: '25' },
			seed: { type: 'string', default: '1' },
			language: { type: 'string', default: 'en' },
			'time-zone': { type: 'string', default: 'UTC' },
			'exit-with-parent': { type: 'boolean', default: false },
			help: { type: 'boolean', default: false },
		},
	});
	if (values.help) return undefined;
	const language = LANGUAGES.find((one) => one === values.language);
	if (!language) throw new Error(`--language takes en or sv, not "${values.language}"`);
	if (!IANAZone.isValidZone(values['time-zone'])) {
		throw new Error(`--time-zone takes an IANA name such as Europe/Stockholm, not "${values['time-zone']}"`);
	}
	return {
		port: integer('port', values.port, 0, 65_535),
		json: values.json,
		live: values.live,
		liveInterval: integer('live-interval', values['live-interval'], 1, 86_400_000),
		control: values.control,
		data: values.data,
		bookings: integer('bookings', values.bookings, 0, 1_000_000),
		customers: integer('customers', values.customers, 1, 1_000_000),
		seed: integer('seed', values.seed, 0, 2_147_483_647),
		language,
		timeZone: values['time-zone'],
		links: { n8n: values.n8n, signIn: values['sign-in'], inbox: values.inbox, outcomes: values.outcomes },
		exitWithParent: values['exit-with-parent'],
	};
}
