import { type ParseArgsConfig, parseArgs } from 'node:util';

/**
 * Reads the command line of a script. `--help` prints the usage and exits; so does an unknown option, with exit code 1.
 *
 * @param usage what `--help` prints
 * @param options as `parseArgs` takes them, without `help`
 */
export function readCommandLine<T extends NonNullable<ParseArgsConfig['options']>>(
	usage: string,
	options: T,
	args = process.argv.slice(2),
) {
	if (args.includes('--help')) {
		console.log(usage);
		process.exit(0);
	}
	try {
		return parseArgs({ args, options, allowPositionals: true });
	} catch (error) {
		console.error(`${error instanceof Error ? error.message : String(error)}\n\n${usage}`);
		process.exit(1);
	}
}
