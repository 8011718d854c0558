/** The npm that runs this process, otherwise the one on the PATH, as `command` and `args` of a child process. */
export function npmCommand(args: string[]): { command: string; args: string[] } {
	const cli = process.env.npm_execpath;
	return cli?.endsWith('npm-cli.js')
		? { command: process.execPath, args: [cli, ...args] }
		: { command: process.platform === 'win32' ? 'npm.cmd' : 'npm', args };
}
