/** The npm that runs us where there is one, else the one on the PATH, as `command` and `args` for a child process. */
export function npmCommand(args: string[]): { command: string; args: string[] } {
	const cli = process.env.npm_execpath;
	return cli?.endsWith('npm-cli.js')
		? { command: process.execPath, args: [cli, ...args] }
		: { command: process.platform === 'win32' ? 'npm.cmd' : 'npm', args };
}
