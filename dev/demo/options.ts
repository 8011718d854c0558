import { parseArgs } from 'node:util';

export const HELP = `npm run demo -- [options]

  --smoke              run unattended on free ports: wait for the mail and the rows of a new booking and a new
                       customer, check them, print them, exit 0 or 1
  --fresh              forget what earlier runs left: n8n's data, mails and spreadsheets
  --n8n VERSION        run this version of n8n instead, e.g. 1.123.81; installed on first use
  --port N             n8n's port (5678)
  --sandbox-port N     the sandbox's port (4010)
  --inbox-port N       the port of the inbox's web page (1080)
  --smtp-port N        the port the inbox receives mail on (1025)
  --help               this text`;

export interface DemoArguments {
	smoke: boolean;
	fresh: boolean;
	help: boolean;
	/** Version of n8n, where another than that of dev/ is wanted. */
	n8nVersion?: string;
	ports: { n8n: number; sandbox: number; inboxWeb: number; inboxSmtp: number };
}

function port(option: string, value: string): number {
	const number = Number(value);
	if (!/^\d+$/.test(value) || number < 1 || number > 65535) {
		throw new Error(`${option} takes a port number from 1 to 65535, not "${value}".`);
	}
	return number;
}

function version(value: string): string {
	if (!/^\d+\.\d+\.\d+$/.test(value)) {
		throw new Error(`--n8n takes a version of n8n such as 2.41.1, not "${value}".`);
	}
	return value;
}

/**
 * Reads the demo's command line.
 *
 * @throws when an option is unknown or its value is not allowed; the message names it
 */
export function readArguments(args: string[]): DemoArguments {
	const { values } = parseArgs({
		args,
		options: {
			smoke: { type: 'boolean', default: false },
			fresh: { type: 'boolean', default: false },
			help: { type: 'boolean', default: false },
			n8n: { type: 'string' },
			port: { type: 'string', default: '5678' },
			'sandbox-port': { type: 'string', default: '4010' },
			'inbox-port': { type: 'string', default: '1080' },
			'smtp-port': { type: 'string', default: '1025' },
		},
	});
	return {
		smoke: values.smoke,
		fresh: values.fresh,
		help: values.help,
		...(values.n8n === undefined ? {} : { n8nVersion: version(values.n8n) }),
		ports: {
			n8n: port('--port', values.port),
			sandbox: port('--sandbox-port', values['sandbox-port']),
			inboxWeb: port('--inbox-port', values['inbox-port']),
			inboxSmtp: port('--smtp-port', values['smtp-port']),
		},
	};
}
