import { parseArgs } from 'node:util';
import kebabCase from 'lodash/kebabCase.js';
import mapKeys from 'lodash/mapKeys.js';
import camelCase from 'lodash/camelCase.js';
import { IANAZone } from 'luxon';
import { z } from 'zod';
import { LANGUAGES } from './seed/words.ts';

const flag = z.boolean().default(false);
const integer = (min: number, max: number, standard: number) =>
	z.coerce.number().int().min(min).max(max).default(standard);

/** Where the other parts of a demo are, for the start page. */
const links = {
	/** Address of n8n. */
	n8n: z.string().optional(),
	/** How to sign in there: email address and password, with " and " between them. */
	signIn: z.string().optional(),
	/** Address of the mail inbox. */
	inbox: z.string().optional(),
	/** Address that reports the row and email of a record, see `dev/demo/outcomes.ts`. */
	outcomes: z.string().optional(),
};

const own = {
	/** 0 asks the system for a free port. */
	port: integer(0, 65_535, 4010),
	/** Print one line of JSON when ready instead of text for people. */
	json: flag,
	/** Let bookings arrive, change and be canceled. */
	live: flag,
	/** Milliseconds between two live events. */
	liveInterval: integer(1, 86_400_000, 15_000),
	/** Open the control interface under `/__control`. */
	control: flag,
	/** File that keeps the state between runs. */
	data: z.string().optional(),
	/** How many web bookings to seed. */
	bookings: integer(0, 1_000_000, 40),
	/** How many customers to seed. */
	customers: integer(1, 1_000_000, 25),
	/** Seed of the random data: the same seed gives the same data. */
	seed: integer(0, 2_147_483_647, 1),
	/** Language of names, statuses, articles and guests' messages. */
	language: z.enum(LANGUAGES).default('en'),
	/** IANA time zone of date-times without an offset. */
	timeZone: z
		.string()
		.refine(IANAZone.isValidZone, 'takes an IANA name such as Europe/Stockholm')
		.default('UTC'),
	/** End when standard input closes. */
	exitWithParent: flag,
};

const ownOptions = z.object(own);
const linkOptions = z.object(links);

/** The command-line options. */
export type SandboxOptions = z.infer<typeof ownOptions> & { links: z.infer<typeof linkOptions> };

export const HELP = `Usage: node sandbox/main.ts [options]

  --port N            port on 127.0.0.1; 0 lets the system choose (default 4010)
  --live              let bookings arrive, change and be canceled
  --live-interval MS  milliseconds between two live events (default 15000)
  --control           open the control interface under /__control
  --data FILE         keep the state in this file between runs
  --bookings N        web bookings to begin with (default 40)
  --customers N       customers to begin with (default 25)
  --seed N            seed of the data: the same seed gives the same data (default 1)
  --language LANGUAGE names, statuses, articles and messages in en, sv or de (default en)
  --time-zone ZONE    time zone of date-times without an offset (default UTC)
  --n8n URL           n8n to link to from the start page, which then says what to look at
  --sign-in TEXT      how to sign in to that n8n, for the start page
  --inbox URL         mail inbox to link to from the start page
  --outcomes URL      where the start page asks for the row and the email of what has happened
  --json              print one line of JSON when ready
  --exit-with-parent  end when standard input closes
  --help              print this text
`;

/** The name of an option as it is typed; lodash would split n8n. */
const optionOf = (name: string) => (name === 'n8n' ? name : kebabCase(name));

/**
 * Reads the command line. Returns undefined for `--help`. Throws an Error that names the option whose value is not
 * allowed.
 */
export function readOptions(args: string[]): SandboxOptions | undefined {
	const kinds = Object.entries({ ...own, ...links, help: flag }).map(([name, kind]) => [
		optionOf(name),
		{ type: kind === flag ? 'boolean' : 'string' },
	]);
	const { values } = parseArgs({
		args,
		options: Object.fromEntries(kinds) as Record<string, { type: 'string' }>,
	});
	const given = mapKeys(values, (_, name) => (name === 'n8n' ? name : camelCase(name)));
	if (given['help']) return undefined;
	const { data, error } = ownOptions.safeParse(given);
	if (data) return { ...data, links: linkOptions.parse(given) };
	const problems = error.issues.map(
		({ path, message }) => `--${optionOf(String(path[0]))}: ${message}`,
	);
	throw new Error(problems.join('\n'));
}
