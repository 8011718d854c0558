import type { SandboxOptions } from './options.ts';
import { HELP, readOptions } from './options.ts';
import { MEANT_STATUSES, type SandboxInfo } from './info.ts';
import { startSandbox } from './server.ts';

function friendlyText(info: SandboxInfo, options: SandboxOptions): string {
	return `The sandbox is ready: ${info.url}  (open it in a browser)

  For the credential "Hospitality Booking API"
    Base URL            ${info.baseUrl}
    Token URL Base      ${info.authUrl}
    Client ID           ${info.clientId}
    Client Secret       ${info.clientSecret}
    System              ${info.system}
    Time Zone           ${options.timeZone}
    Canceled Statuses   ${MEANT_STATUSES.canceledStatuses}
    No-Show Statuses    ${MEANT_STATUSES.noShowStatuses}
    Finished Statuses   ${MEANT_STATUSES.finishedStatuses}

  For the credential "Hospitality Payment API"
    Payment URL         ${info.payUrl}
    Customer ID         ${info.paymentCustomerId}
    Password            ${info.paymentPassword}

  For the batch update of articles
    Company ID          ${info.companyId}
    Brand ID            ${info.brandId}
${info.controlUrl ? `\n  Control interface  ${info.controlUrl}\n` : ''}${
		options.live ? `\n  Live: something happens every ${options.liveInterval / 1000} s.\n` : ''
	}
Ctrl-C stops it.
`;
}

function message(error: unknown): string {
	return error instanceof Error ? error.message : String(error);
}

function fail(text: string): never {
	process.stderr.write(`${text}\n`);
	process.exit(1);
}

function optionsOrExit(): SandboxOptions {
	try {
		const options = readOptions(process.argv.slice(2));
		if (options) return options;
	} catch (error) {
		fail(`${message(error)}\n\n${HELP}`);
	}
	process.stdout.write(HELP);
	process.exit(0);
}

const options = optionsOrExit();
const running = await startSandbox(options).catch((error: unknown) => {
	const taken = (error as NodeJS.ErrnoException).code === 'EADDRINUSE';
	return fail(
		taken
			? `Port ${options.port} is taken: choose another with --port, or 0 for any.`
			: message(error),
	);
});

let stopping = false;
function stop(): void {
	if (stopping) return;
	stopping = true;
	running.stop().then(
		() => process.exit(0),
		(error: unknown) => fail(message(error)),
	);
}
process.on('SIGINT', stop);
process.on('SIGTERM', stop);
if (options.exitWithParent) process.stdin.on('close', stop).on('end', stop).resume();
process.stdout.write(
	options.json ? `${JSON.stringify(running.info)}\n` : friendlyText(running.info, options),
);
